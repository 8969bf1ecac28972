package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Arguments of modprobe.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class ModprobeArguments extends ResourceValue {
    @JsonPropertyDescription("When it loads.")
    private @Nullable List<String> load;

    @JsonPropertyDescription("When it unloads.")
    private @Nullable List<String> unload;

    /** Creates an object with no field set. */
    public ModprobeArguments() {}

    /** Returns the arguments when it loads; empty when absent. */
    public List<String> getLoad() {
        return orEmpty(load);
    }

    /** Sets it; null removes it. */
    public void setLoad(@Nullable List<String> load) {
        this.load = load;
    }

    /** Returns the arguments when it unloads; empty when absent. */
    public List<String> getUnload() {
        return orEmpty(unload);
    }

    /** Sets it; null removes it. */
    public void setUnload(@Nullable List<String> unload) {
        this.unload = unload;
    }
}
