package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import org.jspecify.annotations.Nullable;

/**
 * Findings in one image, for a verdict of a preflight.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class PreflightEvidence extends ResourceValue {
    @JsonPropertyDescription("The object whose container it is, for example DaemonSet acme/driver.")
    @Required
    private @Nullable String object;

    @JsonPropertyDescription("Name of the container.")
    private @Nullable String container;

    @JsonPropertyDescription("The image as the object names it.")
    @Required
    private @Nullable String image;

    @JsonPropertyDescription("From where it was read: a mirror, or the registry itself.")
    private @Nullable String source;

    @JsonPropertyDescription("Digest of the manifest for the architecture.")
    private @Nullable String digest;

    @JsonPropertyDescription("Digest of the layer that has the file.")
    private @Nullable String layer;

    @JsonPropertyDescription("The file that says for which kernel the image is.")
    private @Nullable String file;

    @JsonPropertyDescription("Kernel that the file names.")
    private @Nullable String kernelVersion;

    @JsonPropertyDescription("Kernel to come, on nodes of this architecture.")
    @Required
    private @Nullable String wantedKernel;

    @JsonPropertyDescription("Architecture as Kubernetes names it.")
    @Required
    private @Nullable String architecture;

    @JsonPropertyDescription("What was found, for people.")
    private @Nullable String message;

    /** Creates an object with no field set. */
    public PreflightEvidence() {}

    /** Returns the object whose container it is; empty when absent. */
    public String getObject() {
        return orEmpty(object);
    }

    /** Sets it; null removes it. */
    public void setObject(@Nullable String object) {
        this.object = object;
    }

    /** Returns the name of the container; empty when absent. */
    public String getContainer() {
        return orEmpty(container);
    }

    /** Sets it; null removes it. */
    public void setContainer(@Nullable String container) {
        this.container = container;
    }

    /** Returns the image as the object names it; empty when absent. */
    public String getImage() {
        return orEmpty(image);
    }

    /** Sets it; null removes it. */
    public void setImage(@Nullable String image) {
        this.image = image;
    }

    /** Returns from where it was read; empty when absent. */
    public String getSource() {
        return orEmpty(source);
    }

    /** Sets it; null removes it. */
    public void setSource(@Nullable String source) {
        this.source = source;
    }

    /** Returns the digest of the manifest for the architecture; empty when absent. */
    public String getDigest() {
        return orEmpty(digest);
    }

    /** Sets it; null removes it. */
    public void setDigest(@Nullable String digest) {
        this.digest = digest;
    }

    /** Returns the digest of the layer that has the file; empty when absent. */
    public String getLayer() {
        return orEmpty(layer);
    }

    /** Sets it; null removes it. */
    public void setLayer(@Nullable String layer) {
        this.layer = layer;
    }

    /** Returns the file that says for which kernel the image is; empty when absent. */
    public String getFile() {
        return orEmpty(file);
    }

    /** Sets it; null removes it. */
    public void setFile(@Nullable String file) {
        this.file = file;
    }

    /** Returns the kernel that the file names; empty when absent. */
    public String getKernelVersion() {
        return orEmpty(kernelVersion);
    }

    /** Sets it; null removes it. */
    public void setKernelVersion(@Nullable String kernelVersion) {
        this.kernelVersion = kernelVersion;
    }

    /** Returns the kernel to come; empty when absent. */
    public String getWantedKernel() {
        return orEmpty(wantedKernel);
    }

    /** Sets it; null removes it. */
    public void setWantedKernel(@Nullable String wantedKernel) {
        this.wantedKernel = wantedKernel;
    }

    /** Returns the architecture; empty when absent. */
    public String getArchitecture() {
        return orEmpty(architecture);
    }

    /** Sets it; null removes it. */
    public void setArchitecture(@Nullable String architecture) {
        this.architecture = architecture;
    }

    /** Returns what was found, for people; empty when absent. */
    public String getMessage() {
        return orEmpty(message);
    }

    /** Sets it; null removes it. */
    public void setMessage(@Nullable String message) {
        this.message = message;
    }
}
