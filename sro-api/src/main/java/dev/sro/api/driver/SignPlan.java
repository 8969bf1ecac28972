package dev.sro.api.driver;

import dev.sro.api.Checks;
import java.util.List;
import java.util.Optional;
import org.immutables.value.Value;

/**
 * The files of an image that are signed for Secure Boot, and the key. Immutable.
 *
 * @since 0.1.0
 */
@Value.Immutable
@ValueStyle
public abstract class SignPlan {

    SignPlan() {}

    /** The image with the unsigned files. */
    public abstract String unsignedImage();

    /** The destination of the image with the signed files. */
    public abstract String signedImage();

    /** Absolute paths in the image, at least one; {@code *} and {@code ?} stand for what they do in a shell. */
    public abstract List<String> files();

    /** Secret in the operand namespace whose key {@code key} is the private key. */
    public abstract String keySecret();

    /** Secret in the operand namespace whose key {@code cert} is the certificate, as enrolled in the firmware. */
    public abstract String certSecret();

    /** Hash algorithm, as the kernel's {@code sign-file} names it. */
    @Value.Default
    public String hash() {
        return "sha256";
    }

    /** Name of the Secret in the operand namespace to pull the unsigned image and to push the signed one with. */
    public abstract Optional<String> pushSecret();

    /** The security of the connection to the registry of the unsigned image. */
    @Value.Default
    public RegistrySecurity unsignedImageSecurity() {
        return RegistrySecurity.CHECKED;
    }

    /** The security of the connection to the registry of the signed image. */
    @Value.Default
    public RegistrySecurity signedImageSecurity() {
        return RegistrySecurity.CHECKED;
    }

    /**
     * Image with a shell and the kernel's {@code sign-file}, at {@code /usr/local/bin/sign-file} or, as driver toolkits have it,
     * below {@code /usr/src}; the driver toolkit of the pool's kernel, or what the operator is configured with, without it.
     */
    public abstract Optional<String> signImage();

    @Value.Check
    void check() {
        Checks.image("SignPlan.unsignedImage", unsignedImage());
        Checks.image("SignPlan.signedImage", signedImage());
        Checks.require(
                !unsignedImage().equals(signedImage()),
                "SignPlan.signedImage",
                "must differ from the unsigned image, which would be overwritten");
        Checks.require(!files().isEmpty(), "SignPlan.files", "name at least one file");
        files().forEach(path -> Checks.absolutePath("SignPlan.files", path));
        Checks.noDuplicates("SignPlan.files", files());
        Checks.dnsSubdomain("SignPlan.keySecret", keySecret());
        Checks.dnsSubdomain("SignPlan.certSecret", certSecret());
        pushSecret().ifPresent(name -> Checks.dnsSubdomain("SignPlan.pushSecret", name));
        signImage().ifPresent(image -> Checks.image("SignPlan.signImage", image));
        Checks.require(
                hash().matches("[a-z0-9-]{1,32}"),
                "SignPlan.hash",
                "\"" + hash() + "\" is no hash algorithm; sha256 is the usual one");
        files().forEach(path -> Checks.require(
                path.matches("[A-Za-z0-9_./+,:@%=*?-]+"),
                "SignPlan.files",
                "\"" + path + "\" has characters that no path of a kernel module has"));
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds {@link SignPlan}. Not thread-safe. */
    public static final class Builder extends ImmutableSignPlan.Builder {
        Builder() {}
    }
}
