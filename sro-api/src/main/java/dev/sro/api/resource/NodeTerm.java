package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/**
 * A term that selects the nodes of a recipe of SRO v1.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class NodeTerm extends ResourceValue {
    @JsonPropertyDescription("Key of a label that a node must have with the value true to be served.")
    private @Nullable String selector;

    /** Creates an object with no field set. */
    public NodeTerm() {}

    /** Returns the key of a label that served nodes have with value {@code true}; empty when absent. */
    public String getSelector() {
        return orEmpty(selector);
    }

    /** Sets it; null removes it. */
    public void setSelector(@Nullable String selector) {
        this.selector = selector;
    }
}
