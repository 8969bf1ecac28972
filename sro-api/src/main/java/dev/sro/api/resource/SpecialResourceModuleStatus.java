package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The last observation of a module.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class SpecialResourceModuleStatus extends ResourceValue {
    @JsonPropertyDescription("Generation of the module that this status is about.")
    private @Nullable Long observedGeneration;

    @JsonPropertyDescription("Ready, Progressing and Degraded.")
    private @Nullable List<Condition> conditions;

    @JsonPropertyDescription("By the driver toolkit image of the version.")
    private @Nullable Map<String, ModuleVersionStatus> versions;

    @JsonPropertyDescription(
            "Kinds of the objects that were ever created, for example build.openshift.io/v1/BuildConfig.")
    private @Nullable List<String> managedKinds;

    @JsonPropertyDescription(
            "Where objects were ever created outside of spec.namespace, as NAMESPACE/KIND with the kind as in"
                    + " managedKinds. They are looked for there, too.")
    private @Nullable List<String> managedOutside;

    /** Creates an object with no field set. */
    public SpecialResourceModuleStatus() {}

    /** Returns the generation of the module that this status is about; null when absent. */
    public @Nullable Long getObservedGeneration() {
        return observedGeneration;
    }

    /** Sets it; null removes it. */
    public void setObservedGeneration(@Nullable Long observedGeneration) {
        this.observedGeneration = observedGeneration;
    }

    /** Returns the conditions; empty when absent. */
    public List<Condition> getConditions() {
        return orEmpty(conditions);
    }

    /** Sets it; null removes it. */
    public void setConditions(@Nullable List<Condition> conditions) {
        this.conditions = conditions;
    }

    /** Returns how far each version is, by its driver toolkit image; empty when absent. */
    public Map<String, ModuleVersionStatus> getVersions() {
        return orEmpty(versions);
    }

    /** Sets it; null removes it. */
    public void setVersions(@Nullable Map<String, ModuleVersionStatus> versions) {
        this.versions = versions;
    }

    /** Returns the kinds of the objects that were ever created; empty when absent. */
    public List<String> getManagedKinds() {
        return orEmpty(managedKinds);
    }

    /** Sets it; null removes it. */
    public void setManagedKinds(@Nullable List<String> managedKinds) {
        this.managedKinds = managedKinds;
    }

    /** Returns where objects were ever created outside of the module's namespace, as namespace/group/version/Kind; empty when absent. */
    public List<String> getManagedOutside() {
        return orEmpty(managedOutside);
    }

    /** Sets it; null removes it. */
    public void setManagedOutside(@Nullable List<String> managedOutside) {
        this.managedOutside = managedOutside;
    }
}
