package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The owners whose pods have to go before the driver is replaced.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class UpgradeEviction extends ResourceValue {
    @JsonPropertyDescription("Nobody, DeviceUsers or Everybody. Absent: what the plugin says, or DeviceUsers.")
    @Pattern("^(Nobody|DeviceUsers|Everybody)$") private @Nullable String who;

    @JsonPropertyDescription(
            "Beginnings of the names of resources that make a pod a user of the device, for example example.com/gpu.")
    @Size(max = 50) private @Nullable List<String> resources;

    @JsonPropertyDescription(
            "Whether a pod with resource claims is a user of the device, whichever driver serves them.")
    private @Nullable Boolean resourceClaims;

    @JsonPropertyDescription("Names of DRA drivers. A pod with a claim that one of them allocated uses the device.")
    @Size(max = 50) private @Nullable List<String> draDrivers;

    /** Creates an object with no field set. */
    public UpgradeEviction() {}

    /** Returns one of Nobody, DeviceUsers and Everybody; null when absent. */
    public @Nullable String getWho() {
        return who;
    }

    /** Sets it; null removes it. */
    public void setWho(@Nullable String who) {
        this.who = who;
    }

    /** Returns the beginnings of the names of resources that make a pod a user of the device; empty when absent. */
    public List<String> getResources() {
        return orEmpty(resources);
    }

    /** Sets it; null removes it. */
    public void setResources(@Nullable List<String> resources) {
        this.resources = resources;
    }

    /** Returns whether a pod with resource claims is a user of the device; null when absent. */
    public @Nullable Boolean getResourceClaims() {
        return resourceClaims;
    }

    /** Sets it; null removes it. */
    public void setResourceClaims(@Nullable Boolean resourceClaims) {
        this.resourceClaims = resourceClaims;
    }

    /** Returns the names of drivers whose allocated claims make a pod a user of the device; empty when absent. */
    public List<String> getDraDrivers() {
        return orEmpty(draDrivers);
    }

    /** Sets it; null removes it. */
    public void setDraDrivers(@Nullable List<String> draDrivers) {
        this.draDrivers = draDrivers;
    }
}
