package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import org.jspecify.annotations.Nullable;

/**
 * Differences of tags on an operating system.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class DriverTagOverride extends ResourceValue {
    @JsonPropertyDescription("Its id, with or without version: rhel, ubuntu22.04.")
    @Required
    @Pattern("^[a-z][-a-z0-9_.]*$") private @Nullable String os;

    @JsonPropertyDescription("Template of the tags of images with modules.")
    private @Nullable String prebuilt;

    @JsonPropertyDescription("Template of the tags of images that are built.")
    private @Nullable String build;

    @JsonPropertyDescription("Template of the tags of images that compile on the node.")
    private @Nullable String compileOnNode;

    /** Creates an object with no field set. */
    public DriverTagOverride() {}

    /** Returns its id, with or without version; empty when absent. */
    public String getOs() {
        return orEmpty(os);
    }

    /** Sets it; null removes it. */
    public void setOs(@Nullable String os) {
        this.os = os;
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
}
