package dev.sro.api.device;

import dev.sro.api.Checks;
import java.util.Map;
import java.util.Optional;
import org.immutables.value.Value;

/**
 * One specification of the Container Device Interface: a kind of device, its devices on a node, and what every user of any
 * of them gets. Field names and rules are those of CDI up to 1.1.0; SRO writes the lowest version that has all fields that are
 * used. Immutable.
 *
 * @since 0.1.0
 */
@Value.Immutable
@ValueStyle
public abstract class CdiSpec {

    CdiSpec() {}

    /** {@code vendor.example/class}. */
    public abstract String kind();

    /** Annotations of the specification, which containers do not see. */
    public abstract Map<String, String> annotations();

    /** Edits for the users of each device, by device name. */
    public abstract Map<String, ContainerEdits> devices();

    /** Edits for the users of any device beside that. */
    public abstract Optional<ContainerEdits> common();

    @Value.Check
    void check() {
        checkKind("CdiSpec.kind", kind());
        Checks.require(!devices().isEmpty(), "CdiSpec.devices", "name at least one device");
        devices().forEach((name, edits) -> {
            checkDevice("CdiSpec.devices", name);
            Checks.require(
                    !edits.isEmpty(),
                    "CdiSpec.devices",
                    "\"" + name + "\" gives nothing to a container; put something into it, or leave it out");
        });
    }

    static void checkKind(String field, String kind) {
        Checks.ownedName(field, kind);
        for (String part : kind.split("/", 2)) {
            Checks.require(
                    part.matches("[A-Za-z]([A-Za-z0-9_.-]*[A-Za-z0-9])?"),
                    field,
                    "\"" + kind
                            + "\": vendor and class begin with a letter and end with a letter or digit, with letters,"
                            + " digits and _ - . between");
        }
    }

    static void checkDevice(String field, String name) {
        Checks.require(
                name.matches("[A-Za-z0-9]([A-Za-z0-9_.:-]*[A-Za-z0-9])?"),
                field,
                "\"" + name + "\" must be letters, digits and _ . : - between them");
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
