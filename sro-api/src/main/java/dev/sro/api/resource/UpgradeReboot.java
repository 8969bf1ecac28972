package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether and how a node is booted anew.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 */
public final class UpgradeReboot extends ResourceValue {
    @JsonPropertyDescription(
            "Never: a driver that needs it fails. WhenNeeded: when the plugin says so. Always: with each new driver."
                    + " Absent: WhenNeeded.")
    @Pattern("^(Never|WhenNeeded|Always)$") private @Nullable String policy;

    @JsonPropertyDescription(
            "Annotation that asks whatever boots nodes to boot this one. Absent: sro.dev/<name>.driver-upgrade-reboot."
                    + " SRO boots no node itself.")
    @Pattern("^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$") private @Nullable String annotation;

    /** Creates an object with no field set. */
    public UpgradeReboot() {}

    /** Returns one of Never, WhenNeeded and Always; null when absent. */
    public @Nullable String getPolicy() {
        return policy;
    }

    /** Sets it; null removes it. */
    public void setPolicy(@Nullable String policy) {
        this.policy = policy;
    }

    /** Returns the annotation that asks for a boot; null when absent. */
    public @Nullable String getAnnotation() {
        return annotation;
    }

    /** Sets it; null removes it. */
    public void setAnnotation(@Nullable String annotation) {
        this.annotation = annotation;
    }

    @Override
    List<@Nullable Object> values() {
        return Arrays.asList(policy, annotation);
    }
}
