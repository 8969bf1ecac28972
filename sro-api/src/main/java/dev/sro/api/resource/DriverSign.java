package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The signing of modules in an image for Secure Boot. The names of the fields are those of Kernel Module Management.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class DriverSign extends ResourceValue {
    @JsonPropertyDescription("Image with the unsigned modules; absent where it is built. May have templates.")
    private @Nullable String unsignedImage;

    @JsonPropertyDescription("How safe the connection to the registry of the unsigned image has to be.")
    private @Nullable RegistryTls unsignedImageRegistryTLS;

    @JsonPropertyDescription("Secret whose key \"key\" is the private key.")
    private @Nullable LocalReference keySecret;

    @JsonPropertyDescription("Secret whose key \"cert\" is the certificate.")
    private @Nullable LocalReference certSecret;

    @JsonPropertyDescription("Absolute paths in the image. May have templates.")
    private @Nullable List<String> filesToSign;

    @JsonPropertyDescription("Hash algorithm as the kernel names it; sha256 where absent.")
    private @Nullable String hash;

    @JsonPropertyDescription(
            "Image with a shell and the kernel's sign-file, which signs; the driver toolkit where absent.")
    private @Nullable String signImage;

    /** Creates an object with no field set. */
    public DriverSign() {}

    /** Returns the image with the unsigned modules; empty when absent. */
    public String getUnsignedImage() {
        return orEmpty(unsignedImage);
    }

    /** Sets it; null removes it. */
    public void setUnsignedImage(@Nullable String unsignedImage) {
        this.unsignedImage = unsignedImage;
    }

    /** Returns how safe the connection to the registry of the unsigned image has to be; null when absent. */
    public @Nullable RegistryTls getUnsignedImageRegistryTLS() {
        return unsignedImageRegistryTLS;
    }

    /** Sets it; null removes it. */
    public void setUnsignedImageRegistryTLS(@Nullable RegistryTls unsignedImageRegistryTLS) {
        this.unsignedImageRegistryTLS = unsignedImageRegistryTLS;
    }

    /** Returns the Secret with the private key; null when absent. */
    public @Nullable LocalReference getKeySecret() {
        return keySecret;
    }

    /** Sets it; null removes it. */
    public void setKeySecret(@Nullable LocalReference keySecret) {
        this.keySecret = keySecret;
    }

    /** Returns the Secret with the certificate; null when absent. */
    public @Nullable LocalReference getCertSecret() {
        return certSecret;
    }

    /** Sets it; null removes it. */
    public void setCertSecret(@Nullable LocalReference certSecret) {
        this.certSecret = certSecret;
    }

    /** Returns the paths in the image; empty when absent. */
    public List<String> getFilesToSign() {
        return orEmpty(filesToSign);
    }

    /** Sets it; null removes it. */
    public void setFilesToSign(@Nullable List<String> filesToSign) {
        this.filesToSign = filesToSign;
    }

    /** Returns the hash algorithm; empty when absent. */
    public String getHash() {
        return orEmpty(hash);
    }

    /** Sets it; null removes it. */
    public void setHash(@Nullable String hash) {
        this.hash = hash;
    }

    /** Returns the image that signs; empty when absent. */
    public String getSignImage() {
        return orEmpty(signImage);
    }

    /** Sets it; null removes it. */
    public void setSignImage(@Nullable String signImage) {
        this.signImage = signImage;
    }
}
