package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Progress of one version of a module.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class ModuleVersionStatus extends ResourceValue {
    @JsonPropertyDescription("Templates of the chart that are done.")
    private @Nullable List<String> reconciledTemplates;

    @JsonPropertyDescription("Whether all are.")
    @Required
    private @Nullable Boolean complete;

    @JsonPropertyDescription("Version of OpenShift.")
    private @Nullable String openShiftVersion;

    @JsonPropertyDescription("What the watched objects say: a version, or an image.")
    private @Nullable String value;

    @JsonPropertyDescription("Kernel that is built for.")
    private @Nullable String kernelVersion;

    @JsonPropertyDescription("Real-time kernel that is built for.")
    private @Nullable String realTimeKernelVersion;

    @JsonPropertyDescription("Version of RHEL that is built for.")
    private @Nullable String osVersion;

    @JsonPropertyDescription("Release payload image of the version.")
    private @Nullable String releaseImage;

    @JsonPropertyDescription("What is waited for, or what failed.")
    private @Nullable String message;

    /** Creates an object with no field set. */
    public ModuleVersionStatus() {}

    /** Returns the templates of the chart that are done; empty when absent. */
    public List<String> getReconciledTemplates() {
        return orEmpty(reconciledTemplates);
    }

    /** Sets it; null removes it. */
    public void setReconciledTemplates(@Nullable List<String> reconciledTemplates) {
        this.reconciledTemplates = reconciledTemplates;
    }

    /** Returns whether all are; null when absent. */
    public @Nullable Boolean getComplete() {
        return complete;
    }

    /** Sets it; null removes it. */
    public void setComplete(@Nullable Boolean complete) {
        this.complete = complete;
    }

    /** Returns the version of OpenShift; empty when absent. */
    public String getOpenShiftVersion() {
        return orEmpty(openShiftVersion);
    }

    /** Sets it; null removes it. */
    public void setOpenShiftVersion(@Nullable String openShiftVersion) {
        this.openShiftVersion = openShiftVersion;
    }

    /** Returns what the watched objects say; empty when absent. */
    public String getValue() {
        return orEmpty(value);
    }

    /** Sets it; null removes it. */
    public void setValue(@Nullable String value) {
        this.value = value;
    }

    /** Returns the kernel that is built for; empty when absent. */
    public String getKernelVersion() {
        return orEmpty(kernelVersion);
    }

    /** Sets it; null removes it. */
    public void setKernelVersion(@Nullable String kernelVersion) {
        this.kernelVersion = kernelVersion;
    }

    /** Returns the real-time kernel that is built for; empty when absent. */
    public String getRealTimeKernelVersion() {
        return orEmpty(realTimeKernelVersion);
    }

    /** Sets it; null removes it. */
    public void setRealTimeKernelVersion(@Nullable String realTimeKernelVersion) {
        this.realTimeKernelVersion = realTimeKernelVersion;
    }

    /** Returns the version of RHEL that is built for; empty when absent. */
    public String getOsVersion() {
        return orEmpty(osVersion);
    }

    /** Sets it; null removes it. */
    public void setOsVersion(@Nullable String osVersion) {
        this.osVersion = osVersion;
    }

    /** Returns the release payload image of the version; empty when absent. */
    public String getReleaseImage() {
        return orEmpty(releaseImage);
    }

    /** Sets it; null removes it. */
    public void setReleaseImage(@Nullable String releaseImage) {
        this.releaseImage = releaseImage;
    }

    /** Returns what is waited for, or what failed; empty when absent. */
    public String getMessage() {
        return orEmpty(message);
    }

    /** Sets it; null removes it. */
    public void setMessage(@Nullable String message) {
        this.message = message;
    }
}
