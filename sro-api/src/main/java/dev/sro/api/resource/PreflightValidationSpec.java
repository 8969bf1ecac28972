package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * For what a preflight looks. Exactly one of {@link #getUpdateImage() updateImage} and {@link #getKernelVersion()
 * kernelVersion} is set.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
@ValidationRule(
        value = "has(self.updateImage) != has(self.kernelVersion)",
        message = "what to check for is missing or there twice: set spec.updateImage (a release image of OpenShift) or"
                + " spec.kernelVersion")
public final class PreflightValidationSpec extends ResourceValue {
    @JsonPropertyDescription(
            "Release payload image of the OpenShift version to come. Exactly one of updateImage and kernelVersion is"
                    + " set.")
    private @Nullable String updateImage;

    @JsonPropertyDescription(
            "Kernel to come, as uname -r prints it, where there is no release payload. Exactly one of updateImage and"
                    + " kernelVersion is set.")
    @Size(min = 1, max = 64) private @Nullable String kernelVersion;

    @JsonPropertyDescription("Names of the special resources to check; absent or empty: all.")
    private @Nullable List<String> specialResources;

    @JsonPropertyDescription(
            "Secret with logins of registries, of type kubernetes.io/dockerconfigjson. On OpenShift the cluster-wide"
                    + " pull secret is used where this is absent.")
    private @Nullable CredentialsSecret pullSecret;

    @JsonPropertyDescription("Kept from earlier versions; never read.")
    private @Nullable Boolean debug;

    /** Creates an object with no field set. */
    public PreflightValidationSpec() {}

    /** Returns the release payload image of the OpenShift version to come; empty when absent. */
    public String getUpdateImage() {
        return orEmpty(updateImage);
    }

    /** Sets it; null removes it. */
    public void setUpdateImage(@Nullable String updateImage) {
        this.updateImage = updateImage;
    }

    /** Returns the kernel to come, where there is no release payload; empty when absent. */
    public String getKernelVersion() {
        return orEmpty(kernelVersion);
    }

    /** Sets it; null removes it. */
    public void setKernelVersion(@Nullable String kernelVersion) {
        this.kernelVersion = kernelVersion;
    }

    /** Returns the names of the special resources to check, where not all; empty when absent. */
    public List<String> getSpecialResources() {
        return orEmpty(specialResources);
    }

    /** Sets it; null removes it. */
    public void setSpecialResources(@Nullable List<String> specialResources) {
        this.specialResources = specialResources;
    }

    /** Returns the Secret with logins of registries; null when absent. */
    public @Nullable CredentialsSecret getPullSecret() {
        return pullSecret;
    }

    /** Sets it; null removes it. */
    public void setPullSecret(@Nullable CredentialsSecret pullSecret) {
        this.pullSecret = pullSecret;
    }

    /** Returns a field that nothing reads; null when absent. */
    public @Nullable Boolean getDebug() {
        return debug;
    }

    /** Sets it; null removes it. */
    public void setDebug(@Nullable Boolean debug) {
        this.debug = debug;
    }
}
