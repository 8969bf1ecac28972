package dev.sro.api.driver;

import dev.sro.api.Checks;
import java.util.List;
import org.immutables.value.Value;

/**
 * Images by rules instead of by names, as {@code spec.driver} has them: a repository, and how the tag of each pool is made. SRO knows
 * what the systems are called in tags; a system of which a scheme does not know enough is a problem of its pool, and of no other one.
 * Immutable.
 *
 * @since 0.1.0
 */
@Value.Immutable
@ValueStyle
public abstract class TaggedImages {

    TaggedImages() {}

    /** The image without a tag: {@code registry.example/acme/driver}. */
    public abstract String repository();

    /**
     * How tags are made: {@code Kernel}, {@code VersionKernel}, {@code Sro}, {@code Nvidia}, {@code Amd}, {@code Mellanox}, as in {@code
     * spec.driver.tags.scheme}. Another one is a problem that names them.
     */
    @Value.Default
    public String scheme() {
        return "Kernel";
    }

    /** Version of the driver, for schemes that have it in their tags. */
    @Value.Default
    public String version() {
        return "";
    }

    /** Branch of the driver, for schemes that have it in their tags; the number in front of the version unless set. */
    @Value.Default
    public String branch() {
        return "";
    }

    /**
     * Where images may come from, best first. {@code PREBUILT} and {@code BUILD} of one tag are one image, which is built where it is
     * missing.
     */
    public abstract List<ImageCandidate.Kind> kinds();

    /** Names of Secrets of type {@code kubernetes.io/dockerconfigjson} in the operand namespace. */
    public abstract List<String> pullSecrets();

    /** As {@link ImageCandidate#verifyKernel()}, of images that do not compile on the node. */
    @Value.Default
    public boolean verifyKernel() {
        return false;
    }

    /** The security of the connection to the registry. */
    @Value.Default
    public RegistrySecurity security() {
        return RegistrySecurity.CHECKED;
    }

    @Value.Check
    void check() {
        Checks.image("TaggedImages.repository", repository() + ":1");
        Checks.notBlank("TaggedImages.scheme", scheme());
        Checks.require(!kinds().isEmpty(), "TaggedImages.kinds", "name at least one: PREBUILT, BUILD, COMPILE_ON_NODE");
        Checks.noDuplicates(
                "TaggedImages.kinds", kinds().stream().map(Enum::name).toList());
    }

    /** Images by a scheme, from where they may come, best first. */
    public static TaggedImages of(String repository, String scheme, String version, ImageCandidate.Kind... kinds) {
        return builder()
                .repository(repository)
                .scheme(scheme)
                .version(version)
                .addKinds(kinds)
                .build();
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds {@link TaggedImages}. Not thread-safe. */
    public static final class Builder extends ImmutableTaggedImages.Builder {
        Builder() {}
    }
}
