package dev.sro.api.driver;

import dev.sro.api.Checks;
import java.util.List;
import org.immutables.value.Value;

/**
 * An image that may serve a pool, and how it comes to be. Immutable.
 *
 * @since 0.1.0
 */
@Value.Immutable
@ValueStyle
public abstract class ImageCandidate {

    ImageCandidate() {}

    /** The origins of an image. */
    public enum Kind {
        /** It is in the registry, or it is not a candidate. */
        PREBUILT,
        /** It is built by the {@link BuildPlan} if it is not in the registry. */
        BUILD,
        /** It is in the registry and compiles the driver when it starts on the node. */
        COMPILE_ON_NODE
    }

    /** The image, with tag or digest. */
    public abstract String reference();

    /** The origin of the image. */
    public abstract Kind kind();

    /**
     * Whether the registry has to be asked if the image exists before it is used. False for one that surely does, so that
     * no request is made.
     */
    @Value.Default
    public boolean needsProbe() {
        return true;
    }

    /** Names of Secrets of type {@code kubernetes.io/dockerconfigjson} in the operand namespace. */
    public abstract List<String> pullSecrets();

    /**
     * Whether the image has to have modules for the kernel of the pool: by the file of the driver toolkit, or by modules in
     * {@code lib/modules/<kernel>}, wherever that is in the image. If they can be read (not those that are compressed by xz or zstd),
     * one of them has to say by its vermagic that it was compiled for the kernel; modules elsewhere count by their vermagic alone.
     * An image that has none counts as missing. Not for one that compiles on the node.
     */
    @Value.Default
    public boolean verifyKernel() {
        return false;
    }

    /** The security of the connection to its registry when it is looked for. */
    @Value.Default
    public RegistrySecurity security() {
        return RegistrySecurity.CHECKED;
    }

    @Value.Check
    void check() {
        Checks.require(
                !(verifyKernel() && kind() == Kind.COMPILE_ON_NODE),
                "ImageCandidate.verifyKernel",
                "an image that compiles on the node has no modules yet; set it for other kinds only");
        Checks.require(
                !verifyKernel() || needsProbe(),
                "ImageCandidate.needsProbe",
                "an image has to be looked at to see for which kernel it is; set needsProbe, too");
        Checks.image("ImageCandidate.reference", reference());
        pullSecrets().forEach(name -> Checks.dnsSubdomain("ImageCandidate.pullSecrets", name));
    }

    /** A candidate that has to be looked for. */
    public static ImageCandidate of(Kind kind, String reference) {
        return builder().kind(kind).reference(reference).build();
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds {@link ImageCandidate}. Not thread-safe. */
    public static final class Builder extends ImmutableImageCandidate.Builder {
        Builder() {}
    }
}
