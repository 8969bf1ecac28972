package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How far the upgrade of drivers is.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 */
public final class UpgradeStatus extends ResourceValue {
    @JsonPropertyDescription("How many nodes are in each phase.")
    private @Nullable Map<String, Integer> phases;

    @JsonPropertyDescription("How many nodes have the driver or shall have it.")
    private @Nullable Integer nodes;

    @JsonPropertyDescription("How many of them have the newest driver.")
    private @Nullable Integer updated;

    @JsonPropertyDescription("What the nodes shall have.")
    private @Nullable String revision;

    @JsonPropertyDescription("What the nodes had when all had the same, the last time.")
    private @Nullable String lastGood;

    @JsonPropertyDescription("The wave that is under way.")
    private @Nullable String wave;

    @JsonPropertyDescription("Why no further node is begun, CamelCase; absent while nothing keeps SRO from it.")
    private @Nullable String halt;

    @JsonPropertyDescription("The same for people, with what to do.")
    private @Nullable String message;

    @JsonPropertyDescription("RFC 3339 time since when no further node is begun.")
    private @Nullable String since;

    @JsonPropertyDescription("Nodes that are blocked or failed, at most 20.")
    @Size(max = 20)
    private @Nullable List<UpgradeNodeStatus> stuck;

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

    /** Returns what the nodes shall have; null when absent. */
    public @Nullable String getRevision() {
        return revision;
    }

    /** Sets it; null removes it. */
    public void setRevision(@Nullable String revision) {
        this.revision = revision;
    }

    /** Returns what the nodes had when all had the same, the last time; null when absent. */
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

    /** Returns why no further node is begun; null when absent. */
    public @Nullable String getHalt() {
        return halt;
    }

    /** Sets it; null removes it. */
    public void setHalt(@Nullable String halt) {
        this.halt = halt;
    }

    /** Returns why no further node is begun, for people; null when absent. */
    public @Nullable String getMessage() {
        return message;
    }

    /** Sets it; null removes it. */
    public void setMessage(@Nullable String message) {
        this.message = message;
    }

    /** Returns since when no further node is begun; null when absent. */
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

    @Override
    List<@Nullable Object> values() {
        return Arrays.asList(phases, nodes, updated, revision, lastGood, wave, halt, message, since, stuck);
    }
}
