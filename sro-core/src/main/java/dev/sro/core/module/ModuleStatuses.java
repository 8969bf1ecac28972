package dev.sro.core.module;

import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.api.resource.ModuleVersionStatus;
import dev.sro.api.resource.SpecialResourceModuleStatus;
import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.core.plan.Plan;
import dev.sro.core.plan.PoolReport;
import dev.sro.core.plan.StateReport;
import dev.sro.core.recipe.ModuleRecipe;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Makes the status of a module of what the planner says. Stateless. */
final class ModuleStatuses {

    private ModuleStatuses() {}

    static SpecialResourceModuleStatus build(SpecialResourceStatus planned, Map<String, ModuleVersionStatus> versions) {
        SpecialResourceModuleStatus status = new SpecialResourceModuleStatus();
        status.setObservedGeneration(planned.getObservedGeneration());
        status.setConditions(
                planned.getConditions().stream().map(ModuleStatuses::reworded).toList());
        status.setManagedKinds(planned.getManagedKinds());
        status.setManagedOutside(planned.getManagedOutside());
        status.setVersions(versions);
        return status;
    }

    /** A module has versions where a special resource has nodes. */
    private static Condition reworded(Condition condition) {
        return "NoMatchingNodes".equals(condition.getReason())
                ? new ConditionBuilder(condition)
                        .withReason("NoVersions")
                        .withMessage("no watched object names a version, nothing to do")
                        .build()
                : condition;
    }

    /**
     * How far each version is.
     *
     * @param versions that were found out, by the name of the pool
     * @param values what the watched objects say, by the name of the pool
     */
    static Map<String, ModuleVersionStatus> versions(
            Plan plan, ModuleRecipe recipe, Map<String, ModuleVersion> versions, Map<String, String> values) {
        Map<String, ModuleVersionStatus> result = new TreeMap<>();
        for (Pool pool : plan.pools()) {
            ModuleVersion version = versions.get(pool.name());
            String value = values.getOrDefault(pool.name(), pool.name());
            ModuleVersionStatus status = version == null ? new ModuleVersionStatus() : version.status();
            status.setValue(value);
            List<String> done = new ArrayList<>();
            boolean complete = version != null;
            for (StateReport report : plan.states()) {
                PoolReport own = report.pools().get(pool.name());
                if (own != null && own.outcome().isReady()) {
                    done.add(recipe.template(report.state()));
                } else {
                    complete = false;
                    if (status.getMessage().isEmpty() && own != null) {
                        status.setMessage(text(own.outcome()));
                    }
                }
            }
            status.setReconciledTemplates(done);
            status.setComplete(complete);
            String key = version == null ? value : version.toolkit();
            // Two versions may have one toolkit.
            result.put(result.containsKey(key) ? key + " (" + value + ")" : key, status);
        }
        return result;
    }

    private static String text(Outcome outcome) {
        return outcome instanceof Outcome.Failed failed
                ? failed.problem().message()
                : outcome instanceof Outcome.Waiting waiting ? waiting.on() : "";
    }
}
