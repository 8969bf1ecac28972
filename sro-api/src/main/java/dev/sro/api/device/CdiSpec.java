package dev.sro.api.device;

import dev.sro.api.Checks;
import java.util.Map;
import java.util.Optional;
import org.immutables.value.Value;

/**
 * One specification of the Container Device Interface: a kind of device, its devices on a node, and what every user of any
 * of them gets. Field names and rules are those of CDI 0.6. Immutable.
 */
@Value.Immutable
@ValueStyle
public abstract class CdiSpec {

    CdiSpec() {}

    /** {@code vendor.example/class}. */
    public abstract String kind();

    /** What a user of each device gets, by device name. */
    public abstract Map<String, ContainerEdits> devices();

    /** What a user of any device gets beside that. */
    public abstract Optional<ContainerEdits> common();

    @Value.Check
    void check() {
        Checks.ownedName("CdiSpec.kind", kind());
        Checks.require(!devices().isEmpty(), "CdiSpec.devices", "name at least one device");
        devices()
                .keySet()
                .forEach(name -> Checks.require(
                        name.matches("[A-Za-z0-9]([A-Za-z0-9_.:-]*[A-Za-z0-9])?"),
                        "CdiSpec.devices",
                        "\"" + name + "\" must be letters, digits and _ . : - between them"));
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds {@link CdiSpec}. Not thread-safe. */
    public static final class Builder extends ImmutableCdiSpec.Builder {
        Builder() {}
    }
}
