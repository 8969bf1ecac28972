package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;

/**
 * Numbers of nodes that a special resource concerns.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class NodeCounts extends ResourceValue {
    @JsonPropertyDescription("Nodes that the special resource serves.")
    @Min(0) private int selected;

    @JsonPropertyDescription("Nodes of these on which every state is Ready.")
    @Min(0) private int ready;

    /** Creates an object with no field set. */
    public NodeCounts() {}

    /** Returns how many nodes the special resource serves; 0 when absent. */
    public int getSelected() {
        return selected;
    }

    /** Sets it. */
    public void setSelected(int selected) {
        this.selected = selected;
    }

    /** Returns on how many of these nodes every state is Ready; 0 when absent. */
    public int getReady() {
        return ready;
    }

    /** Sets it. */
    public void setReady(int ready) {
        this.ready = ready;
    }
}
