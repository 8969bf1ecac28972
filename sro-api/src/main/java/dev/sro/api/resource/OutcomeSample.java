package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import org.jspecify.annotations.Nullable;

/**
 * One outcome that is not Ready, as an example of many: the status stays small at any cluster size.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class OutcomeSample extends ResourceValue {
    @JsonPropertyDescription("Name of the state.")
    @Required
    private @Nullable String state;

    @JsonPropertyDescription("Name of the pool, where the outcome belongs to one.")
    private @Nullable String pool;

    @JsonPropertyDescription("Name of the node, where the outcome belongs to one.")
    private @Nullable String node;

    @JsonPropertyDescription("Ready, Waiting or Failed.")
    @Required
    private @Nullable OutcomeKind outcome;

    @JsonPropertyDescription("Code of what is waited for or of what failed, CamelCase.")
    private @Nullable String reason;

    @JsonPropertyDescription("What is waited for or what failed, with the object by name.")
    private @Nullable String message;

    @JsonPropertyDescription("Who can mend a failure: vendor, platform or user.")
    private @Nullable String owner;

    @JsonPropertyDescription("RFC 3339 time since when the outcome is what it is.")
    private @Nullable String since;

    /** Creates an object with no field set. */
    public OutcomeSample() {}

    /** Returns the name of the state; empty when absent. */
    public String getState() {
        return orEmpty(state);
    }

    /** Sets it; null removes it. */
    public void setState(@Nullable String state) {
        this.state = state;
    }

    /** Returns the name of the pool, where the outcome belongs to one; null when absent. */
    public @Nullable String getPool() {
        return pool;
    }

    /** Sets it; null removes it. */
    public void setPool(@Nullable String pool) {
        this.pool = pool;
    }

    /** Returns the name of the node, where the outcome belongs to one; null when absent. */
    public @Nullable String getNode() {
        return node;
    }

    /** Sets it; null removes it. */
    public void setNode(@Nullable String node) {
        this.node = node;
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

    /** Returns who can mend a failure: vendor, platform or user; null when absent. */
    public @Nullable String getOwner() {
        return owner;
    }

    /** Sets it; null removes it. */
    public void setOwner(@Nullable String owner) {
        this.owner = owner;
    }

    /** Returns since when the outcome is what it is, as an RFC 3339 time; null when absent. */
    public @Nullable String getSince() {
        return since;
    }

    /** Sets it; null removes it. */
    public void setSince(@Nullable String since) {
        this.since = since;
    }
}
