package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The reservation of the nodes of a special resource for those that need it: hard, by taints, or soft, by priority classes.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class Partitioning extends ResourceValue {
    @JsonPropertyDescription(
            "Taints on the nodes of the special resource. Present and empty: those that the plugin says.")
    private @Nullable HardPartitioning hard;

    @JsonPropertyDescription("Priority classes. Present and empty: those that the plugin says.")
    private @Nullable SoftPartitioning soft;

    @JsonPropertyDescription(
            "Extended resources that pods ask for the device by, for example nvidia.com/gpu; nvidia.com/mig-* is all"
                    + " that begin like this. Absent: those that the plugin says, or else the keys of the taints.")
    private @Nullable List<String> resources;

    @JsonPropertyDescription(
            "Device classes that claims of pods ask for the device by. Absent: those that the plugin says.")
    private @Nullable List<String> deviceClasses;

    @JsonPropertyDescription("Who gives tolerations and a priority class to pods that ask for the device: Policy"
            + " (MutatingAdmissionPolicy), Webhook (of the operator), None (somebody else does), or Auto (the"
            + " default): the first of them that there is.")
    @Pattern("^(Auto|Policy|Webhook|None)$") private @Nullable String admission;

    @JsonPropertyDescription(
            "What all pods of this special resource tolerate besides, for example taints of another special resource"
                    + " on the same nodes.")
    private @Nullable List<PartitionToleration> tolerations;

    /** Creates an object with no field set. */
    public Partitioning() {}

    /** Returns the taints of the nodes; null when absent. */
    public @Nullable HardPartitioning getHard() {
        return hard;
    }

    /** Sets it; null removes it. */
    public void setHard(@Nullable HardPartitioning hard) {
        this.hard = hard;
    }

    /** Returns the priority classes; null when absent. */
    public @Nullable SoftPartitioning getSoft() {
        return soft;
    }

    /** Sets it; null removes it. */
    public void setSoft(@Nullable SoftPartitioning soft) {
        this.soft = soft;
    }

    /** Returns the extended resources by which pods ask for the device; empty when absent. */
    public List<String> getResources() {
        return orEmpty(resources);
    }

    /** Sets it; null removes it. */
    public void setResources(@Nullable List<String> resources) {
        this.resources = resources;
    }

    /** Returns the device classes by which claims ask for the device; empty when absent. */
    public List<String> getDeviceClasses() {
        return orEmpty(deviceClasses);
    }

    /** Sets it; null removes it. */
    public void setDeviceClasses(@Nullable List<String> deviceClasses) {
        this.deviceClasses = deviceClasses;
    }

    /** Returns one of Auto, Policy, Webhook and None, where absent means Auto; null when absent. */
    public @Nullable String getAdmission() {
        return admission;
    }

    /** Sets it; null removes it. */
    public void setAdmission(@Nullable String admission) {
        this.admission = admission;
    }

    /** Returns what all pods of the special resource tolerate besides; empty when absent. */
    public List<PartitionToleration> getTolerations() {
        return orEmpty(tolerations);
    }

    /** Sets it; null removes it. */
    public void setTolerations(@Nullable List<PartitionToleration> tolerations) {
        this.tolerations = tolerations;
    }
}
