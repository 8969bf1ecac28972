package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.kubernetes.api.model.IntOrString;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A group of nodes that are upgraded together.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class UpgradeWave extends ResourceValue {
    @JsonPropertyDescription("Name, for status and commands.")
    @Required
    @Pattern("^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$") private @Nullable String name;

    @JsonPropertyDescription("Labels that its nodes have, all of them; absent: any.")
    private @Nullable Map<String, String> nodeSelector;

    @JsonPropertyDescription(
            "How many failed nodes of this wave stop the roll-out: a number, or a percentage of the wave.")
    private @Nullable IntOrString haltOnFailures;

    @JsonPropertyDescription("Whether the roll-out waits after it until somebody resumes.")
    private @Nullable Boolean pauseAfter;

    @JsonPropertyDescription("How long its nodes must have worked before the next wave begins.")
    @Min(0) private @Nullable Integer soakSeconds;

    /** Creates an object with no field set. */
    public UpgradeWave() {}

    /** Returns the name; null when absent. */
    public @Nullable String getName() {
        return name;
    }

    /** Sets it; null removes it. */
    public void setName(@Nullable String name) {
        this.name = name;
    }

    /** Returns the labels that its nodes have; empty when absent. */
    public Map<String, String> getNodeSelector() {
        return orEmpty(nodeSelector);
    }

    /** Sets it; null removes it. */
    public void setNodeSelector(@Nullable Map<String, String> nodeSelector) {
        this.nodeSelector = nodeSelector;
    }

    /** Returns how many failed nodes of this wave stop the roll-out; null when absent. */
    public @Nullable IntOrString getHaltOnFailures() {
        return haltOnFailures;
    }

    /** Sets it; null removes it. */
    public void setHaltOnFailures(@Nullable IntOrString haltOnFailures) {
        this.haltOnFailures = haltOnFailures;
    }

    /** Returns whether the roll-out waits after it until somebody resumes; null when absent. */
    public @Nullable Boolean getPauseAfter() {
        return pauseAfter;
    }

    /** Sets it; null removes it. */
    public void setPauseAfter(@Nullable Boolean pauseAfter) {
        this.pauseAfter = pauseAfter;
    }

    /** Returns how long its nodes must have worked before the next wave begins; null when absent. */
    public @Nullable Integer getSoakSeconds() {
        return soakSeconds;
    }

    /** Sets it; null removes it. */
    public void setSoakSeconds(@Nullable Integer soakSeconds) {
        this.soakSeconds = soakSeconds;
    }
}
