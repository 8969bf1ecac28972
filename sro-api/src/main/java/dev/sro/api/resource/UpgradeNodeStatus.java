package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import org.jspecify.annotations.Nullable;

/**
 * A node whose upgrade does not go on.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class UpgradeNodeStatus extends ResourceValue {
    @JsonPropertyDescription("Name of the node.")
    @Required
    private @Nullable String node;

    @JsonPropertyDescription("How far it is.")
    private @Nullable String phase;

    @JsonPropertyDescription("Why it does not go on, CamelCase.")
    private @Nullable String reason;

    @JsonPropertyDescription("Which pod or condition blocks it.")
    private @Nullable String message;

    @JsonPropertyDescription("RFC 3339 time since when it is in this phase.")
    private @Nullable String since;

    /** Creates an object with no field set. */
    public UpgradeNodeStatus() {}

    /** Returns the name of the node; null when absent. */
    public @Nullable String getNode() {
        return node;
    }

    /** Sets it; null removes it. */
    public void setNode(@Nullable String node) {
        this.node = node;
    }

    /** Returns how far it is; null when absent. */
    public @Nullable String getPhase() {
        return phase;
    }

    /** Sets it; null removes it. */
    public void setPhase(@Nullable String phase) {
        this.phase = phase;
    }

    /** Returns why it does not go on; null when absent. */
    public @Nullable String getReason() {
        return reason;
    }

    /** Sets it; null removes it. */
    public void setReason(@Nullable String reason) {
        this.reason = reason;
    }

    /** Returns which pod or condition blocks it; null when absent. */
    public @Nullable String getMessage() {
        return message;
    }

    /** Sets it; null removes it. */
    public void setMessage(@Nullable String message) {
        this.message = message;
    }

    /** Returns since when it is in this phase; null when absent. */
    public @Nullable String getSince() {
        return since;
    }

    /** Sets it; null removes it. */
    public void setSince(@Nullable String since) {
        this.since = since;
    }
}
