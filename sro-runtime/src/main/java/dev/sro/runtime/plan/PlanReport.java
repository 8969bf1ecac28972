package dev.sro.runtime.plan;

import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.core.manifest.OptionalKinds;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.RecipeAccount;
import dev.sro.core.plan.StateReport;
import dev.sro.runtime.plan.access.AccessReport;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * What a plan shows. Immutable.
 *
 * @param kind SpecialResource, or SpecialResourceModule
 * @param name of the special resource
 * @param recipe the plugin with its version, or why there is none
 * @param namespace of the operands
 * @param nodes how many nodes were looked at; empty when that is not known
 * @param pools the pools, sorted
 * @param states how far each state is, in the order of the recipe
 * @param steps what happens, in order; those of later states with what they wait for
 * @param problems of the special resource as a whole
 * @param nodeProblems by node name
 * @param skipped what the cluster does not serve and the recipe can do without
 * @param unshown what is not in the steps, because it is not known yet what it comes to
 * @param idle why no node is served; empty where some are, or a problem says more
 * @param warnings what is probably not meant as it is
 * @param access what of the steps would be refused to the account by whose rights the recipe is applied
 */
record PlanReport(
        String kind,
        String name,
        String recipe,
        String namespace,
        Optional<Integer> nodes,
        List<Pool> pools,
        List<StateReport> states,
        List<Step> steps,
        List<Problem> problems,
        SortedMap<String, Problem> nodeProblems,
        List<OptionalKinds.Skipped> skipped,
        List<UnshownObjects> unshown,
        String idle,
        List<String> warnings,
        AccessReport access) {

    /** What is done with an object. */
    enum Action {
        CREATE("+"),
        CHANGE("~"),
        DELETE("-");

        private final String sign;

        Action(String sign) {
            this.sign = sign;
        }

        String sign() {
            return sign;
        }
    }

    /**
     * One change of one object.
     *
     * @param action what is done
     * @param object which one
     * @param state id of its state; empty for what comes before all states
     * @param pool name of its pool; empty when it serves all
     * @param after what has to be ready or gone before; empty for now
     * @param why for a person
     * @param manifest the object; null when it is deleted or not an operand
     * @param account by whose rights; empty for SRO's own
     */
    record Step(
            Action action,
            ObjectRef object,
            String state,
            String pool,
            String after,
            String why,
            @Nullable KubeObject manifest,
            Optional<RecipeAccount> account) {

        boolean isNow() {
            return after.isEmpty();
        }
    }

    /** The namespace of the operands, where it is to be made. */
    Optional<String> comesToBe() {
        return steps.stream()
                .filter(step -> step.action() == Action.CREATE
                        && step.object().kind().equals("Namespace")
                        && step.object().name().equals(namespace))
                .findFirst()
                .map(step -> namespace);
    }

    long count(Action action, boolean now) {
        return steps.stream()
                .filter(step -> step.action() == action && step.isNow() == now)
                .count();
    }
}
