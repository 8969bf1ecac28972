package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Priority classes by which pods that need a special resource come before those that only fill its nodes.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class SoftPartitioning extends ResourceValue {
    @JsonPropertyDescription("The classes. Absent: those that the plugin says.")
    private @Nullable List<PartitionPriorityClass> priorityClasses;

    @JsonPropertyDescription("Name of one of them: pods that ask for the device and name no class get it.")
    @Size(max = 253) private @Nullable String defaultClass;

    /** Creates an object with no field set. */
    public SoftPartitioning() {}

    /** Returns the classes; empty when absent. */
    public List<PartitionPriorityClass> getPriorityClasses() {
        return orEmpty(priorityClasses);
    }

    /** Sets it; null removes it. */
    public void setPriorityClasses(@Nullable List<PartitionPriorityClass> priorityClasses) {
        this.priorityClasses = priorityClasses;
    }

    /** Returns the class of pods that ask for the device and name none; empty when absent. */
    public String getDefaultClass() {
        return orEmpty(defaultClass);
    }

    /** Sets it; null removes it. */
    public void setDefaultClass(@Nullable String defaultClass) {
        this.defaultClass = defaultClass;
    }
}
