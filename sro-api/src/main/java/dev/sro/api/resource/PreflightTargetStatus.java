package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import org.jspecify.annotations.Nullable;

/**
 * A kernel to come, as a preflight found it.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class PreflightTargetStatus extends ResourceValue {
    @JsonPropertyDescription("Architecture as Kubernetes names it.")
    @Required
    private @Nullable String architecture;

    @JsonPropertyDescription("Kernel of nodes with the standard kernel.")
    @Required
    private @Nullable String kernelVersion;

    @JsonPropertyDescription("Kernel of nodes with the real-time kernel.")
    private @Nullable String realTimeKernelVersion;

    @JsonPropertyDescription("Version of RHEL that drivers are built for.")
    private @Nullable String osVersion;

    @JsonPropertyDescription("Version of OpenShift.")
    private @Nullable String releaseVersion;

    @JsonPropertyDescription("Driver toolkit of the release, in which drivers are compiled.")
    private @Nullable String driverToolkitImage;

    /** Creates an object with no field set. */
    public PreflightTargetStatus() {}

    /** Returns the architecture; empty when absent. */
    public String getArchitecture() {
        return orEmpty(architecture);
    }

    /** Sets it; null removes it. */
    public void setArchitecture(@Nullable String architecture) {
        this.architecture = architecture;
    }

    /** Returns the kernel of nodes with the standard kernel; empty when absent. */
    public String getKernelVersion() {
        return orEmpty(kernelVersion);
    }

    /** Sets it; null removes it. */
    public void setKernelVersion(@Nullable String kernelVersion) {
        this.kernelVersion = kernelVersion;
    }

    /** Returns the kernel of nodes with the real-time kernel; empty when absent. */
    public String getRealTimeKernelVersion() {
        return orEmpty(realTimeKernelVersion);
    }

    /** Sets it; null removes it. */
    public void setRealTimeKernelVersion(@Nullable String realTimeKernelVersion) {
        this.realTimeKernelVersion = realTimeKernelVersion;
    }

    /** Returns the version of RHEL that drivers are built for; empty when absent. */
    public String getOsVersion() {
        return orEmpty(osVersion);
    }

    /** Sets it; null removes it. */
    public void setOsVersion(@Nullable String osVersion) {
        this.osVersion = osVersion;
    }

    /** Returns the version of OpenShift; empty when absent. */
    public String getReleaseVersion() {
        return orEmpty(releaseVersion);
    }

    /** Sets it; null removes it. */
    public void setReleaseVersion(@Nullable String releaseVersion) {
        this.releaseVersion = releaseVersion;
    }

    /** Returns the driver toolkit of the release; empty when absent. */
    public String getDriverToolkitImage() {
        return orEmpty(driverToolkitImage);
    }

    /** Sets it; null removes it. */
    public void setDriverToolkitImage(@Nullable String driverToolkitImage) {
        this.driverToolkitImage = driverToolkitImage;
    }
}
