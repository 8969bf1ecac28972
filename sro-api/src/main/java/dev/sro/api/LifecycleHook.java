package dev.sro.api;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Instant;

/**
 * Optional for a plugin: has a say after an object was applied and before one is deleted. Pure like every other part of a
 * plugin: it answers with an {@link Outcome}, and SRO waits or goes on.
 */
@NotActedOnYet(until = "use a ReadinessProbe after apply, and a finalizer of the vendor's own before delete")
public interface LifecycleHook {

    /**
     * After apply: Ready lets the state go on; Waiting and Failed count like the object's own outcome.
     *
     * @param live the object as stored; to be treated as immutable
     * @param context where it stands
     * @param now the current time
     */
    default Outcome afterApply(GenericKubernetesResource live, ManifestHook.Context context, Instant now) {
        return Outcome.ready();
    }

    /**
     * Before delete: Ready lets the object go; Waiting keeps it and asks again; Failed keeps it and is reported.
     *
     * @param live the object as observed; to be treated as immutable
     * @param context where it stands
     * @param now the current time
     */
    default Outcome beforeDelete(GenericKubernetesResource live, ManifestHook.Context context, Instant now) {
        return Outcome.ready();
    }
}
