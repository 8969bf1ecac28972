package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Templates of image tags. They have variables as ${kernelFull}, ${osTag} and ${driverVersion}.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class DriverTags extends ResourceValue {
    @JsonPropertyDescription(
            "Whose rules: Nvidia, Amd, Mellanox, Kernel or any that a file brings; Kernel where absent.")
    @Pattern("^[A-Za-z][A-Za-z0-9]*$") private @Nullable String scheme;

    @JsonPropertyDescription("Template of the tags of images with modules; the one of the scheme where absent.")
    private @Nullable String prebuilt;

    @JsonPropertyDescription(
            "Template of the tags of images that are built; the one for images with modules where absent.")
    private @Nullable String build;

    @JsonPropertyDescription(
            "Template of the tags of images that compile on the node; the one of the scheme where absent.")
    private @Nullable String compileOnNode;

    @JsonPropertyDescription("What is different on some operating systems. The most specific counts.")
    private @Nullable List<DriverTagOverride> overrides;

    /** Creates an object with no field set. */
    public DriverTags() {}

    /** Returns whose rules; empty when absent. */
    public String getScheme() {
        return orEmpty(scheme);
    }

    /** Sets it; null removes it. */
    public void setScheme(@Nullable String scheme) {
        this.scheme = scheme;
    }

    /** Returns the template of the tags of images with modules; empty when absent. */
    public String getPrebuilt() {
        return orEmpty(prebuilt);
    }

    /** Sets it; null removes it. */
    public void setPrebuilt(@Nullable String prebuilt) {
        this.prebuilt = prebuilt;
    }

    /** Returns the template of the tags of images that are built; empty when absent. */
    public String getBuild() {
        return orEmpty(build);
    }

    /** Sets it; null removes it. */
    public void setBuild(@Nullable String build) {
        this.build = build;
    }

    /** Returns the template of the tags of images that compile on the node; empty when absent. */
    public String getCompileOnNode() {
        return orEmpty(compileOnNode);
    }

    /** Sets it; null removes it. */
    public void setCompileOnNode(@Nullable String compileOnNode) {
        this.compileOnNode = compileOnNode;
    }

    /** Returns what is different on some operating systems; empty when absent. */
    public List<DriverTagOverride> getOverrides() {
        return orEmpty(overrides);
    }

    /** Sets it; null removes it. */
    public void setOverrides(@Nullable List<DriverTagOverride> overrides) {
        this.overrides = overrides;
    }
}
