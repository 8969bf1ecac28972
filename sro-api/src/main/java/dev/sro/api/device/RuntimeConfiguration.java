package dev.sro.api.device;

import dev.sro.api.Checks;
import dev.sro.api.Experimental;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.immutables.value.Value;

/**
 * The configuration that the container runtime of a node needs for a device. Immutable.
 *
 * @since 0.1.0
 */
@Value.Immutable
@ValueStyle
public abstract class RuntimeConfiguration {

    RuntimeConfiguration() {}

    /** Specifications of the Container Device Interface. */
    public abstract List<CdiSpec> cdi();

    /** Decorations as OCI decorators describe them: SRO makes specifications and hooks of it. */
    public abstract List<Decoration> decorations();

    /** Hooks of CRI-O and podman. */
    public abstract List<OciHook> ociHooks();

    /** Handler by name of the RuntimeClass. */
    public abstract Map<String, String> runtimeClasses();

    /** Configuration files. A container runtime reads them when it starts; SRO does not restart it. */
    public abstract List<RuntimeDropIn> dropIns();

    /**
     * The image whose shell places the files: {@code /bin/sh}, {@code cat}, {@code mkdir}, {@code mv}, {@code rm} and {@code sleep}.
     * The one that the operator is configured with unless set.
     */
    public abstract Optional<String> image();

    /** Whether the Node Resource Interface has to be enabled. SRO warns that it does not do that. */
    @Experimental("SRO does not enable it")
    @Value.Default
    public boolean nri() {
        return false;
    }

    @Value.Check
    void check() {
        Checks.noDuplicates(
                "RuntimeConfiguration.cdi",
                Stream.concat(
                                cdi().stream().map(CdiSpec::kind),
                                decorations().stream().map(Decoration::kind))
                        .toList());
        Checks.noDuplicates(
                "RuntimeConfiguration.ociHooks",
                ociHooks().stream().map(OciHook::name).toList());
        Checks.noDuplicates(
                "RuntimeConfiguration.dropIns",
                dropIns().stream()
                        .map(file -> file.engine() + " " + file.fileName())
                        .toList());
        image().ifPresent(image -> Checks.image("RuntimeConfiguration.image", image));
        runtimeClasses().forEach((name, handler) -> {
            Checks.dnsSubdomain("RuntimeConfiguration.runtimeClasses", name);
            Checks.dnsLabel("RuntimeConfiguration.runtimeClasses[" + name + "]", handler);
        });
    }

    /** Whether there is nothing to do. */
    public final boolean isEmpty() {
        return cdi().isEmpty()
                && decorations().isEmpty()
                && ociHooks().isEmpty()
                && runtimeClasses().isEmpty()
                && dropIns().isEmpty();
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds {@link RuntimeConfiguration}. Not thread-safe. */
    public static final class Builder extends ImmutableRuntimeConfiguration.Builder {
        Builder() {}
    }
}
