package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Progress of the upgrade of drivers.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class UpgradeStatus extends ResourceValue {
    @JsonPropertyDescription("How many nodes are in each phase.")
    private @Nullable Map<String, Integer> phases;

    @JsonPropertyDescription("How many nodes have the driver or shall have it.")
    private @Nullable Integer nodes;

    @JsonPropertyDescription("How many of them have the newest driver.")
    private @Nullable Integer updated;

    @JsonPropertyDescription("Revision of the driver that the recipe has.")
    private @Nullable String wanted;

    @JsonPropertyDescription("Revision that nodes get: the wanted one, or the last good one while that is rolled back.")
    private @Nullable String target;

    @JsonPropertyDescription("The last revision that came to all nodes that could have it.")
    private @Nullable String lastGood;

    @JsonPropertyDescription("The wave that is under way.")
    private @Nullable String wave;

    @JsonPropertyDescription("Done, Running, Held, BetweenWaves or Halted.")
    private @Nullable String state;

    @JsonPropertyDescription("The same for people, with what to do.")
    private @Nullable String message;

    @JsonPropertyDescription("RFC 3339 time since when it stands so.")
    private @Nullable String since;

    @JsonPropertyDescription("Nodes that are blocked or failed, at most 20.")
    @Size(max = 20) private @Nullable List<UpgradeNodeStatus> stuck;

    /** Creates an object with no field set. */
    public UpgradeStatus() {}

    /** Returns how many nodes are in each phase; empty when absent. */
    public Map<String, Integer> getPhases() {
        return orEmpty(phases);
    }

    /** Sets it; null removes it. */
    public void setPhases(@Nullable Map<String, Integer> phases) {
        this.phases = phases;
    }

    /** Returns how many nodes have the driver or shall have it; null when absent. */
    public @Nullable Integer getNodes() {
        return nodes;
    }

    /** Sets it; null removes it. */
    public void setNodes(@Nullable Integer nodes) {
        this.nodes = nodes;
    }

    /** Returns how many of them have the newest driver; null when absent. */
    public @Nullable Integer getUpdated() {
        return updated;
    }

    /** Sets it; null removes it. */
    public void setUpdated(@Nullable Integer updated) {
        this.updated = updated;
    }

    /** Returns the revision of the driver that the recipe has; null when absent. */
    public @Nullable String getWanted() {
        return wanted;
    }

    /** Sets it; null removes it. */
    public void setWanted(@Nullable String wanted) {
        this.wanted = wanted;
    }

    /** Returns the revision that nodes get; null when absent. */
    public @Nullable String getTarget() {
        return target;
    }

    /** Sets it; null removes it. */
    public void setTarget(@Nullable String target) {
        this.target = target;
    }

    /** Returns the last revision that came to all nodes that could have it; null when absent. */
    public @Nullable String getLastGood() {
        return lastGood;
    }

    /** Sets it; null removes it. */
    public void setLastGood(@Nullable String lastGood) {
        this.lastGood = lastGood;
    }

    /** Returns the wave that is under way; null when absent. */
    public @Nullable String getWave() {
        return wave;
    }

    /** Sets it; null removes it. */
    public void setWave(@Nullable String wave) {
        this.wave = wave;
    }

    /** Returns how the roll-out stands; null when absent. */
    public @Nullable String getState() {
        return state;
    }

    /** Sets it; null removes it. */
    public void setState(@Nullable String state) {
        this.state = state;
    }

    /** Returns how the roll-out stands, for people; null when absent. */
    public @Nullable String getMessage() {
        return message;
    }

    /** Sets it; null removes it. */
    public void setMessage(@Nullable String message) {
        this.message = message;
    }

    /** Returns since when it stands so; null when absent. */
    public @Nullable String getSince() {
        return since;
    }

    /** Sets it; null removes it. */
    public void setSince(@Nullable String since) {
        this.since = since;
    }

    /** Returns nodes that are blocked or failed; empty when absent. */
    public List<UpgradeNodeStatus> getStuck() {
        return orEmpty(stuck);
    }

    /** Sets it; null removes it. */
    public void setStuck(@Nullable List<UpgradeNodeStatus> stuck) {
        this.stuck = stuck;
    }
}
