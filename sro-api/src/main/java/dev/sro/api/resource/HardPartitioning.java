package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Taints that keep pods off the nodes of a special resource unless they ask for it.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class HardPartitioning extends ResourceValue {
    @JsonPropertyDescription("The taints. Absent: those that the plugin says.")
    private @Nullable List<PartitionTaint> taints;

    /** Creates an object with no field set. */
    public HardPartitioning() {}

    /** Returns the taints; empty when absent. */
    public List<PartitionTaint> getTaints() {
        return orEmpty(taints);
    }

    /** Sets it; null removes it. */
    public void setTaints(@Nullable List<PartitionTaint> taints) {
        this.taints = taints;
    }
}
