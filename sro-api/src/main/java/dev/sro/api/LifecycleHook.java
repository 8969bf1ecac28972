package dev.sro.api;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Instant;

/**
 * Optional for a plugin: has a say after an object was applied and before one is deleted. Pure like every other part of a
 * plugin: it is given the object as the cluster has it, answers with an {@link Outcome}, and SRO waits or goes on. It makes no call to
 * the cluster itself.
 *
 * <p>Calls: on the plugin's own executor and under its deadline, as all others. About one object again only when it changed, and,
 * unless the answer was Ready, after 30 seconds. A call that fails or hangs is {@code Failed} with {@code PluginError} or
 * {@code PluginTimeout}. Equal input gives equal output, but for the time. Nobody is asked about namespaces.
 *
 * @since 0.1.0
 */
public interface LifecycleHook {

    /**
     * Where an object stands. The state may have left the recipe, and the pool the cluster, when the object is to be deleted.
     *
     * @param recipe the special resource and the cluster
     * @param state id of the state that it belongs to
     * @param pool name of the pool that it is for; empty when it serves all
     */
    record Place(RecipeContext recipe, String state, String pool) {}

    /**
     * After apply: asked about each object that is there as it shall be and that the state waits for, those of states that SRO adds
     * included. In addition to its readiness: a {@link ReadinessProbe} replaces the rule of the kind, this comes on top of whatever
     * said Ready or not. Waiting and Failed count like the object's own outcome, and of a DaemonSet in a state that is reached node
     * by node they keep further nodes from getting ready and take readiness from none.
     *
     * @param live the object as stored; to be treated as immutable
     * @param place where it stands
     * @param now the current time
     */
    default Outcome afterApply(GenericKubernetesResource live, Place place, Instant now) {
        return Outcome.ready();
    }

    /**
     * Before delete: asked about each object that is to go, when it is its turn: because the special resource goes, or because the
     * recipe or the pool does not want it any more. Not asked about a Job or Pod that is only made anew. Ready
     * lets it go; Waiting keeps it, and with it all of the states before; Failed does the same, and is a problem of the special
     * resource. The others of its state go.
     *
     * <p>Nobody is asked when the plugin is not loaded any more, or when the special resource has the annotation
     * {@code sro.dev/skip-delete-hooks: "true"}, with which an administrator lets everything go.
     *
     * @param live the object as observed; to be treated as immutable
     * @param place where it stands
     * @param now the current time
     */
    default Outcome beforeDelete(GenericKubernetesResource live, Place place, Instant now) {
        return Outcome.ready();
    }
}
