package dev.sro.api.device;

import dev.sro.api.Checks;
import dev.sro.api.Experimental;
import java.util.List;
import java.util.Optional;
import org.immutables.value.Value;

/**
 * The way in which pods ask for the device: one way, never two that count it twice. Immutable.
 *
 * @since 0.1.0
 */
@Experimental("slices that are made on demand will be offered by it")
@Value.Immutable
@ValueStyle
public abstract class Exposure {

    Exposure() {}

    /** The ways. */
    public enum Mode {
        /** Not through the scheduler: pods with the right node selector just find it. */
        NONE,
        /** A device plugin offers {@link Exposure#resourceNames()}. */
        DEVICE_PLUGIN,
        /** A driver for Dynamic Resource Allocation, with {@link Exposure#deviceClasses()}. */
        DRA,
        /** An amount without a device, which NFD or SRO writes into the node's status. */
        EXTENDED_RESOURCE
    }

    /** The way. */
    public abstract Mode mode();

    /**
     * Resources that pods ask for; needed for a device plugin and for extended resources. One that ends with {@code *} is all that begin
     * like it, where the names depend on the devices: {@code vendor.example/slice-*}.
     */
    public abstract List<String> resourceNames();

    /** Name of the driver; needed for DRA, and only there. */
    public abstract Optional<String> draDriver();

    /** Classes that claims name, which a state of the plugin brings; for DRA only. */
    public abstract List<DeviceClassValue> deviceClasses();

    /** The sharing of a device by several pods; each has one for itself without it. */
    public abstract Optional<Sharing> sharing();

    @Value.Check
    void check() {
        boolean dra = mode() == Mode.DRA;
        boolean named = mode() == Mode.DEVICE_PLUGIN || mode() == Mode.EXTENDED_RESOURCE;
        Checks.require(
                draDriver().isPresent() == dra,
                "Exposure.draDriver",
                dra ? "name the driver" : "only mode DRA has a driver; remove it, or choose that mode");
        Checks.require(
                dra || deviceClasses().isEmpty(), "Exposure.deviceClasses", "only mode DRA has them; remove them");
        Checks.require(
                resourceNames().isEmpty() != named,
                "Exposure.resourceNames",
                named ? "name at least one" : "mode " + mode() + " has none; remove them");
        resourceNames()
                .forEach(name -> Checks.ownedName(
                        "Exposure.resourceNames",
                        name.endsWith("*") ? name.substring(0, name.length() - 1) + "x" : name));
        Checks.noDuplicates("Exposure.resourceNames", resourceNames());
        draDriver().ifPresent(name -> Checks.dnsSubdomain("Exposure.draDriver", name));
        Checks.noDuplicates(
                "Exposure.deviceClasses",
                deviceClasses().stream().map(DeviceClassValue::name).toList());
    }

    /** Through a device plugin. */
    public static Exposure devicePlugin(String... resourceNames) {
        return builder()
                .mode(Mode.DEVICE_PLUGIN)
                .addResourceNames(resourceNames)
                .build();
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds {@link Exposure}. Not thread-safe. */
    public static final class Builder extends ImmutableExposure.Builder {
        Builder() {}
    }
}
