package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Differences of a driver for some kernels. The names of the fields are those of Kernel Module Management.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class KernelMapping extends ResourceValue {
    @JsonPropertyDescription("The kernel, as uname -r prints it, without a + at its end.")
    private @Nullable String literal;

    @JsonPropertyDescription("Regular expression (RE2) that is found in the kernel, wherever.")
    private @Nullable String regexp;

    @JsonPropertyDescription("The image for these kernels.")
    private @Nullable String containerImage;

    @JsonPropertyDescription("How the image is built, over what the driver says.")
    private @Nullable DriverBuild build;

    @JsonPropertyDescription("How modules are signed, over what the driver says.")
    private @Nullable DriverSign sign;

    @JsonPropertyDescription("How safe the connection to the registry has to be.")
    private @Nullable RegistryTls registryTLS;

    @JsonPropertyDescription("Modules of the kernel that are unloaded first.")
    private @Nullable List<String> inTreeModulesToRemove;

    @JsonPropertyDescription("One such module. Use inTreeModulesToRemove.")
    private @Nullable String inTreeModuleToRemove;

    /** Creates an object with no field set. */
    public KernelMapping() {}

    /** Returns the kernel; empty when absent. */
    public String getLiteral() {
        return orEmpty(literal);
    }

    /** Sets it; null removes it. */
    public void setLiteral(@Nullable String literal) {
        this.literal = literal;
    }

    /** Returns the regular expression that is found in the kernel; empty when absent. */
    public String getRegexp() {
        return orEmpty(regexp);
    }

    /** Sets it; null removes it. */
    public void setRegexp(@Nullable String regexp) {
        this.regexp = regexp;
    }

    /** Returns the image for these kernels; empty when absent. */
    public String getContainerImage() {
        return orEmpty(containerImage);
    }

    /** Sets it; null removes it. */
    public void setContainerImage(@Nullable String containerImage) {
        this.containerImage = containerImage;
    }

    /** Returns how the image is built; null when absent. */
    public @Nullable DriverBuild getBuild() {
        return build;
    }

    /** Sets it; null removes it. */
    public void setBuild(@Nullable DriverBuild build) {
        this.build = build;
    }

    /** Returns how modules are signed; null when absent. */
    public @Nullable DriverSign getSign() {
        return sign;
    }

    /** Sets it; null removes it. */
    public void setSign(@Nullable DriverSign sign) {
        this.sign = sign;
    }

    /** Returns how safe the connection to the registry has to be; null when absent. */
    public @Nullable RegistryTls getRegistryTLS() {
        return registryTLS;
    }

    /** Sets it; null removes it. */
    public void setRegistryTLS(@Nullable RegistryTls registryTLS) {
        this.registryTLS = registryTLS;
    }

    /** Returns the modules of the kernel that are unloaded first; null when absent. */
    public @Nullable List<String> getInTreeModulesToRemove() {
        return inTreeModulesToRemove;
    }

    /** Sets it; null removes it. */
    public void setInTreeModulesToRemove(@Nullable List<String> inTreeModulesToRemove) {
        this.inTreeModulesToRemove = inTreeModulesToRemove;
    }

    /** Returns one such module; empty when absent. */
    public String getInTreeModuleToRemove() {
        return orEmpty(inTreeModuleToRemove);
    }

    /** Sets it; null removes it. */
    public void setInTreeModuleToRemove(@Nullable String inTreeModuleToRemove) {
        this.inTreeModuleToRemove = inTreeModuleToRemove;
    }
}
