package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.IntOrString;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The way of a new driver to the nodes. The fields that other operators have too are named as there.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
@ValidationRule(
        value = "!has(self.maintenance) || !has(self.drain) || !has(self.drain.enable) || !self.drain.enable",
        message = "the other operator drains: remove maintenance, or drain.enable")
public final class DriverUpgradePolicy extends ResourceValue {
    @JsonPropertyDescription(
            "Whether SRO replaces outdated driver pods, node by node. Absent or false: the updateStrategy of the"
                    + " DaemonSet counts.")
    private @Nullable Boolean autoUpgrade;

    @JsonPropertyDescription("Most nodes that are upgraded at once; 0 is no limit. Absent: what the plugin says, or 1.")
    @Min(0) private @Nullable Integer maxParallelUpgrades;

    @JsonPropertyDescription(
            "Most nodes that may be unavailable at once for whatever reason: a number, or a percentage of all, rounded"
                    + " up. Absent: what the plugin says, or 25%.")
    private @Nullable IntOrString maxUnavailable;

    @JsonPropertyDescription("Pods that are waited for before anything is done to a node.")
    private @Nullable UpgradeWait waitForCompletion;

    @JsonPropertyDescription("How pods that use the device are made to go.")
    private @Nullable UpgradePodDeletion podDeletion;

    @JsonPropertyDescription("Whether and how all other pods have to go as well.")
    private @Nullable UpgradeDrain drain;

    @JsonPropertyDescription("Whether a freshly booted driver that asks for it has to wait for permission to load.")
    private @Nullable Boolean safeLoad;

    @JsonPropertyDescription("Whether no further node is begun; those that were go on to the end.")
    private @Nullable Boolean paused;

    @JsonPropertyDescription("Groups of nodes, one after the other; nodes in none of them come last.")
    @Size(max = 50) private @Nullable List<UpgradeWave> waves;

    @JsonPropertyDescription(
            "Any text; a new one lets a roll-out go on that halted or waits after a wave, and takes an automatic"
                    + " rollback back.")
    private @Nullable String resume;

    @JsonPropertyDescription(
            "How many failed nodes stop the roll-out until somebody resumes it: a number, or a percentage of all"
                    + " nodes. Absent: never, unless a wave says so.")
    private @Nullable IntOrString haltOnFailures;

    @JsonPropertyDescription(
            "What happens to nodes that somebody else made unschedulable. Count (the default): they are upgraded in"
                    + " their turn. Bypass: at once. Leave: not before they are schedulable again.")
    @Pattern("^(Count|Bypass|Leave)$") private @Nullable String manualCordon;

    @JsonPropertyDescription(
            "Ids of states that have to be ready on a node before it is put back to work. Absent: what the plugin"
                    + " says.")
    @Size(max = 20) private @Nullable List<String> validateBefore;

    @JsonPropertyDescription("When nodes may be begun; absent: always.")
    @Size(max = 20) private @Nullable List<UpgradeWindow> maintenanceWindows;

    @JsonPropertyDescription("How long each step of a node may take.")
    private @Nullable UpgradeDeadlines deadlines;

    @JsonPropertyDescription("How often a node that failed is tried again by itself. Absent: never.")
    @Min(0) @Max(100) private @Nullable Integer retries;

    @JsonPropertyDescription("Whether the last good driver comes back when the new one fails.")
    private @Nullable UpgradeRollback rollback;

    @JsonPropertyDescription("Names of special resources whose drivers go first on a node.")
    @Size(max = 20) private @Nullable List<String> after;

    @JsonPropertyDescription(
            "Node label that says how far the upgrade is on the node. Absent: sro.dev/<name>.driver-upgrade-state. The"
                    + " other labels and annotations of the upgrade are named after it.")
    @Pattern("^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$") private @Nullable String stateLabel;

    @JsonPropertyDescription("Whose pods have to go before the driver is replaced.")
    private @Nullable UpgradeEviction evict;

    @JsonPropertyDescription("Another operator that does cordon and drain.")
    private @Nullable UpgradeMaintenance maintenance;

    @JsonPropertyDescription("Whether and how a node is booted anew.")
    private @Nullable UpgradeReboot reboot;

    /** Creates an object with no field set. */
    public DriverUpgradePolicy() {}

    /** Returns whether SRO replaces outdated driver pods; null when absent. */
    public @Nullable Boolean getAutoUpgrade() {
        return autoUpgrade;
    }

    /** Sets it; null removes it. */
    public void setAutoUpgrade(@Nullable Boolean autoUpgrade) {
        this.autoUpgrade = autoUpgrade;
    }

    /** Returns how many nodes are upgraded at once at most, 0 for no limit; null when absent. */
    public @Nullable Integer getMaxParallelUpgrades() {
        return maxParallelUpgrades;
    }

    /** Sets it; null removes it. */
    public void setMaxParallelUpgrades(@Nullable Integer maxParallelUpgrades) {
        this.maxParallelUpgrades = maxParallelUpgrades;
    }

    /** Returns how many nodes may be unavailable at once for whatever reason; null when absent. */
    public @Nullable IntOrString getMaxUnavailable() {
        return maxUnavailable;
    }

    /** Sets it; null removes it. */
    public void setMaxUnavailable(@Nullable IntOrString maxUnavailable) {
        this.maxUnavailable = maxUnavailable;
    }

    /** Returns what is waited for before anything is done to a node; null when absent. */
    public @Nullable UpgradeWait getWaitForCompletion() {
        return waitForCompletion;
    }

    /** Sets it; null removes it. */
    public void setWaitForCompletion(@Nullable UpgradeWait waitForCompletion) {
        this.waitForCompletion = waitForCompletion;
    }

    /** Returns how pods that use the device are made to go; null when absent. */
    public @Nullable UpgradePodDeletion getPodDeletion() {
        return podDeletion;
    }

    /** Sets it; null removes it. */
    public void setPodDeletion(@Nullable UpgradePodDeletion podDeletion) {
        this.podDeletion = podDeletion;
    }

    /** Returns whether and how all other pods have to go as well; null when absent. */
    public @Nullable UpgradeDrain getDrain() {
        return drain;
    }

    /** Sets it; null removes it. */
    public void setDrain(@Nullable UpgradeDrain drain) {
        this.drain = drain;
    }

    /** Returns whether a freshly booted driver that asks for it has to wait for permission to load; null when absent. */
    public @Nullable Boolean getSafeLoad() {
        return safeLoad;
    }

    /** Sets it; null removes it. */
    public void setSafeLoad(@Nullable Boolean safeLoad) {
        this.safeLoad = safeLoad;
    }

    /** Returns whether no further node is begun; null when absent. */
    public @Nullable Boolean getPaused() {
        return paused;
    }

    /** Sets it; null removes it. */
    public void setPaused(@Nullable Boolean paused) {
        this.paused = paused;
    }

    /** Returns groups of nodes, one after the other; empty when absent. */
    public List<UpgradeWave> getWaves() {
        return orEmpty(waves);
    }

    /** Sets it; null removes it. */
    public void setWaves(@Nullable List<UpgradeWave> waves) {
        this.waves = waves;
    }

    /** Returns the text of which a new one lets a roll-out go on; null when absent. */
    public @Nullable String getResume() {
        return resume;
    }

    /** Sets it; null removes it. */
    public void setResume(@Nullable String resume) {
        this.resume = resume;
    }

    /** Returns how many failed nodes stop the roll-out; null when absent. */
    public @Nullable IntOrString getHaltOnFailures() {
        return haltOnFailures;
    }

    /** Sets it; null removes it. */
    public void setHaltOnFailures(@Nullable IntOrString haltOnFailures) {
        this.haltOnFailures = haltOnFailures;
    }

    /** Returns what happens to nodes that somebody else made unschedulable; null when absent. */
    public @Nullable String getManualCordon() {
        return manualCordon;
    }

    /** Sets it; null removes it. */
    public void setManualCordon(@Nullable String manualCordon) {
        this.manualCordon = manualCordon;
    }

    /** Returns the ids of states that have to be ready on a node before it is put back to work; empty when absent. */
    public List<String> getValidateBefore() {
        return orEmpty(validateBefore);
    }

    /** Sets it; null removes it. */
    public void setValidateBefore(@Nullable List<String> validateBefore) {
        this.validateBefore = validateBefore;
    }

    /** Returns when nodes may be begun; empty when absent. */
    public List<UpgradeWindow> getMaintenanceWindows() {
        return orEmpty(maintenanceWindows);
    }

    /** Sets it; null removes it. */
    public void setMaintenanceWindows(@Nullable List<UpgradeWindow> maintenanceWindows) {
        this.maintenanceWindows = maintenanceWindows;
    }

    /** Returns how long each step of a node may take; null when absent. */
    public @Nullable UpgradeDeadlines getDeadlines() {
        return deadlines;
    }

    /** Sets it; null removes it. */
    public void setDeadlines(@Nullable UpgradeDeadlines deadlines) {
        this.deadlines = deadlines;
    }

    /** Returns how often a node that failed is tried again by itself; null when absent. */
    public @Nullable Integer getRetries() {
        return retries;
    }

    /** Sets it; null removes it. */
    public void setRetries(@Nullable Integer retries) {
        this.retries = retries;
    }

    /** Returns whether the last good driver comes back when the new one fails; null when absent. */
    public @Nullable UpgradeRollback getRollback() {
        return rollback;
    }

    /** Sets it; null removes it. */
    public void setRollback(@Nullable UpgradeRollback rollback) {
        this.rollback = rollback;
    }

    /** Returns the names of special resources whose drivers go first on a node; empty when absent. */
    public List<String> getAfter() {
        return orEmpty(after);
    }

    /** Sets it; null removes it. */
    public void setAfter(@Nullable List<String> after) {
        this.after = after;
    }

    /** Returns the node label that says how far the upgrade is; null when absent. */
    public @Nullable String getStateLabel() {
        return stateLabel;
    }

    /** Sets it; null removes it. */
    public void setStateLabel(@Nullable String stateLabel) {
        this.stateLabel = stateLabel;
    }

    /** Returns whose pods have to go before the driver is replaced; null when absent. */
    public @Nullable UpgradeEviction getEvict() {
        return evict;
    }

    /** Sets it; null removes it. */
    public void setEvict(@Nullable UpgradeEviction evict) {
        this.evict = evict;
    }

    /** Returns the operator that does cordon and drain; null when absent. */
    public @Nullable UpgradeMaintenance getMaintenance() {
        return maintenance;
    }

    /** Sets it; null removes it. */
    public void setMaintenance(@Nullable UpgradeMaintenance maintenance) {
        this.maintenance = maintenance;
    }

    /** Returns whether and how a node is booted anew; null when absent. */
    public @Nullable UpgradeReboot getReboot() {
        return reboot;
    }

    /** Sets it; null removes it. */
    public void setReboot(@Nullable UpgradeReboot reboot) {
        this.reboot = reboot;
    }
}
