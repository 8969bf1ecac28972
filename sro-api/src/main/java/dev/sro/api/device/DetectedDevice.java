package dev.sro.api.device;

import dev.sro.api.Checks;
import dev.sro.api.PciDevice;
import java.util.Map;
import java.util.Optional;
import org.immutables.value.Value;

/** Devices of one model on a node. Immutable. */
@Value.Immutable
@ValueStyle
public abstract class DetectedDevice {

    DetectedDevice() {}

    /** How sure it is. */
    public enum Confidence {
        /** The driver has told. */
        CERTAIN,
        /** The hardware's numbers are known. */
        LIKELY,
        /** Something of this vendor is there. */
        POSSIBLE
    }

    /** Model, as the vendor names it. */
    public abstract String model();

    /** How many, at least; labels of NFD tell that there is one, not how many. */
    @Value.Default
    public int count() {
        return 1;
    }

    /** Its numbers on the PCI bus. */
    public abstract Optional<PciDevice> pci();

    /** How sure it is. */
    @Value.Default
    public Confidence confidence() {
        return Confidence.LIKELY;
    }

    /** Anything else, by the vendor's own keys. */
    public abstract Map<String, String> attributes();

    @Value.Check
    void check() {
        Checks.notBlank("DetectedDevice.model", model());
        Checks.range("DetectedDevice.count", count(), 1, 10_000);
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds {@link DetectedDevice}. Not thread-safe. */
    public static final class Builder extends ImmutableDetectedDevice.Builder {
        Builder() {}
    }
}
