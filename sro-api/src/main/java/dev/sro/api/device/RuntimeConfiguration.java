package dev.sro.api.device;

import dev.sro.api.Checks;
import java.util.List;
import java.util.Map;
import org.immutables.value.Value;

/** What the container runtime of a node has to know of a device. Immutable. */
@Value.Immutable
@ValueStyle
public abstract class RuntimeConfiguration {

    RuntimeConfiguration() {}

    /** Specifications of the Container Device Interface. */
    public abstract List<CdiSpec> cdi();

    /** Handler by name of the RuntimeClass. */
    public abstract Map<String, String> runtimeClasses();

    /** Configuration files. */
    public abstract List<RuntimeDropIn> dropIns();

    /** Whether the Node Resource Interface has to be enabled. */
    @Value.Default
    public boolean nri() {
        return false;
    }

    @Value.Check
    void check() {
        Checks.noDuplicates(
                "RuntimeConfiguration.cdi", cdi().stream().map(CdiSpec::kind).toList());
        runtimeClasses().forEach((name, handler) -> {
            Checks.dnsSubdomain("RuntimeConfiguration.runtimeClasses", name);
            Checks.dnsLabel("RuntimeConfiguration.runtimeClasses[" + name + "]", handler);
        });
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
