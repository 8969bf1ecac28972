package dev.sro.api.driver;

import dev.sro.api.Checks;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.immutables.value.Value;

/**
 * A kernel module and how it is loaded and unloaded. Immutable.
 *
 * @since 0.1.0
 */
@Value.Immutable
@ValueStyle
public abstract class KernelModule {

    KernelModule() {}

    /** Name, without path and {@code .ko}. */
    public abstract String name();

    /** Module parameters, {@code name=value}, in order. */
    public abstract List<String> parameters();

    /** Arguments of {@code modprobe} when it loads, beside the name and the parameters. */
    public abstract List<String> loadArguments();

    /** Arguments of {@code modprobe} when it unloads, beside the name. */
    public abstract List<String> unloadArguments();

    /** All arguments of {@code modprobe} when it loads: instead of everything else. */
    public abstract List<String> rawLoadArguments();

    /** All arguments of {@code modprobe} when it unloads: needed exactly when there are raw ones to load. */
    public abstract List<String> rawUnloadArguments();

    /** Loaded only on nodes that carry all of these labels; on every node of the pool when empty. */
    public abstract Map<String, String> onlyOnNodesWith();

    /**
     * Version that {@code /sys/module/<name>/version} has to show. Only for a driver that the host provides; what is loaded
     * is known by its image.
     */
    public abstract Optional<String> version();

    /** True for a module of the kernel's own tree, which the image does not contain. */
    @Value.Default
    public boolean inTree() {
        return false;
    }

    @Value.Check
    void check() {
        Checks.moduleName("KernelModule.name", name());
        String field = "KernelModule " + name();
        parameters()
                .forEach(parameter -> Checks.require(
                        parameter.matches("[A-Za-z0-9_][A-Za-z0-9_.-]*(=\\S+)?"),
                        field + ".parameters",
                        "\"" + parameter + "\" must be name=value without white space"));
        Checks.require(
                rawLoadArguments().isEmpty() == rawUnloadArguments().isEmpty(),
                field + ".rawUnloadArguments",
                "raw arguments are needed for load and unload, or for none");
        Checks.require(
                rawLoadArguments().isEmpty()
                        || (parameters().isEmpty()
                                && loadArguments().isEmpty()
                                && unloadArguments().isEmpty()),
                field + ".rawLoadArguments",
                "raw arguments stand instead of parameters and arguments; remove these");
        version().ifPresent(version -> Checks.notBlank(field + ".version", version));
        onlyOnNodesWith().forEach((key, value) -> {
            Checks.qualifiedName(field + ".onlyOnNodesWith", key);
            Checks.labelValue(field + ".onlyOnNodesWith[" + key + "]", value);
        });
    }

    /** A module with these parameters. */
    public static KernelModule of(String name, String... parameters) {
        return builder().name(name).addParameters(parameters).build();
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds {@link KernelModule}. Not thread-safe. */
    public static final class Builder extends ImmutableKernelModule.Builder {
        Builder() {}
    }
}
