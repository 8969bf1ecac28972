package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether and how a node is booted anew.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class UpgradeReboot extends ResourceValue {
    @JsonPropertyDescription(
            "Never: a driver that needs it fails. WhenNeeded: when the plugin says so. Always: with each new driver."
                    + " Absent: WhenNeeded.")
    @Pattern("^(Never|WhenNeeded|Always)$") private @Nullable String policy;

    @JsonPropertyDescription(
            "Who boots. Annotation: whatever acts on the annotation. Pod: SRO, by a privileged pod on the"
                    + " node. Absent: Annotation.")
    @Pattern("^(Annotation|Pod)$") private @Nullable String by;

    @JsonPropertyDescription("Image of the pod that boots; it needs a shell and chroot. Absent: that of the driver.")
    private @Nullable String image;

    @JsonPropertyDescription("What boots, run in the root of the host. Absent: systemctl reboot.")
    @Size(max = 50) private @Nullable List<String> command;

    @JsonPropertyDescription("Annotation with the boot that is to be left behind, for whatever boots nodes. Absent:"
            + " sro.dev/<name>.driver-upgrade-reboot.")
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

    /** Returns who boots, Annotation or Pod; null when absent. */
    public @Nullable String getBy() {
        return by;
    }

    /** Sets who boots; null removes it. */
    public void setBy(@Nullable String by) {
        this.by = by;
    }

    /** Returns the image of the pod that boots; null when absent. */
    public @Nullable String getImage() {
        return image;
    }

    /** Sets it; null removes it. */
    public void setImage(@Nullable String image) {
        this.image = image;
    }

    /** Returns what boots, in the root of the host; empty when absent. */
    public List<String> getCommand() {
        return orEmpty(command);
    }

    /** Sets it; null removes it. */
    public void setCommand(@Nullable List<String> command) {
        this.command = command;
    }

    /** Returns the annotation that asks for a boot; null when absent. */
    public @Nullable String getAnnotation() {
        return annotation;
    }

    /** Sets it; null removes it. */
    public void setAnnotation(@Nullable String annotation) {
        this.annotation = annotation;
    }
}
