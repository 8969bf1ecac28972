package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import org.jspecify.annotations.Nullable;

/**
 * Progress of one state of the recipe.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class StateStatus extends ResourceValue {
    @JsonPropertyDescription("Name of the state, unique in the special resource.")
    @Required
    private @Nullable String name;

    @JsonPropertyDescription("Ready, Waiting or Failed.")
    @Required
    private @Nullable OutcomeKind outcome;

    @JsonPropertyDescription("Code of what is waited for or of what failed, CamelCase.")
    private @Nullable String reason;

    @JsonPropertyDescription("What is waited for or what failed, with the object by name.")
    private @Nullable String message;

    @JsonPropertyDescription("RFC 3339 time since when the outcome is what it is.")
    private @Nullable String since;

    @JsonPropertyDescription("Pools on which the state is Ready.")
    @Min(0) private int readyPools;

    @JsonPropertyDescription("Pools that the state works on.")
    @Min(0) private int pools;

    @JsonPropertyDescription("Nodes on which the state is Ready.")
    @Min(0) private int readyNodes;

    @JsonPropertyDescription("Nodes that the state works on.")
    @Min(0) private int nodes;

    /** Creates an object with no field set. */
    public StateStatus() {}

    /** Returns the name of the state, unique in the special resource; empty when absent. */
    public String getName() {
        return orEmpty(name);
    }

    /** Sets it; null removes it. */
    public void setName(@Nullable String name) {
        this.name = name;
    }

    /** Returns the outcome; null when absent. */
    public @Nullable OutcomeKind getOutcome() {
        return outcome;
    }

    /** Sets it; null removes it. */
    public void setOutcome(@Nullable OutcomeKind outcome) {
        this.outcome = outcome;
    }

    /** Returns the code of what is waited for or of what failed, CamelCase; null when absent. */
    public @Nullable String getReason() {
        return reason;
    }

    /** Sets it; null removes it. */
    public void setReason(@Nullable String reason) {
        this.reason = reason;
    }

    /** Returns what is waited for or what failed, with the object by name; null when absent. */
    public @Nullable String getMessage() {
        return message;
    }

    /** Sets it; null removes it. */
    public void setMessage(@Nullable String message) {
        this.message = message;
    }

    /** Returns since when the outcome is what it is, as an RFC 3339 time; null when absent. */
    public @Nullable String getSince() {
        return since;
    }

    /** Sets it; null removes it. */
    public void setSince(@Nullable String since) {
        this.since = since;
    }

    /** Returns on how many pools the state is Ready; 0 when absent. */
    public int getReadyPools() {
        return readyPools;
    }

    /** Sets it. */
    public void setReadyPools(int readyPools) {
        this.readyPools = readyPools;
    }

    /** Returns on how many pools the state works; 0 when absent. */
    public int getPools() {
        return pools;
    }

    /** Sets it. */
    public void setPools(int pools) {
        this.pools = pools;
    }

    /** Returns on how many nodes the state is Ready; 0 when absent. */
    public int getReadyNodes() {
        return readyNodes;
    }

    /** Sets it. */
    public void setReadyNodes(int readyNodes) {
        this.readyNodes = readyNodes;
    }

    /** Returns on how many nodes the state works; 0 when absent. */
    public int getNodes() {
        return nodes;
    }

    /** Sets it. */
    public void setNodes(int nodes) {
        this.nodes = nodes;
    }
}
