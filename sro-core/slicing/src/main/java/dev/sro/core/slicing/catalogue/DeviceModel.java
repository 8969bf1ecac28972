package dev.sro.core.slicing.catalogue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.immutables.value.Value;

/**
 * A kind of device that can be sliced: how many memory units it has, which profiles it offers and what they share.
 *
 * <p>A set of instances is legal when their windows {@code [start, start + size)} do not overlap, every start is in the
 * list of its profile, no engine is used beyond its capacity, no profile beyond its maximum count, no class beyond its
 * limit, and all modes are equal. Every subset of a legal set is legal. Immutable.
 */
@Value.Immutable
@ValueStyle
public interface DeviceModel {
    /** Most units that a model may have: occupancy is a bit mask of an {@code int}. */
    int MAX_UNITS = 16;

    /** Most (profile, start) pairs that a model may have: a layout is a bit set of a {@code long}. */
    int MAX_PLACEMENTS = 63;

    /** Unique key in the catalogue, such as {@code A100-40GB}. */
    String key();

    /** The partitioning scheme: {@code mig}, {@code amd-partition}, or a name of the catalogue's author. */
    @Value.Default
    default String scheme() {
        return "mig";
    }

    /** Product names that driver or node label may give for this model, besides the key. */
    Set<String> products();

    /** The maker of the device; empty where that is not said. */
    @Value.Default
    default String vendor() {
        return "";
    }

    /** The chip, such as {@code Ampere GA100}; empty where that is not said. */
    @Value.Default
    default String architecture() {
        return "";
    }

    /** Memory units of the device, 1 to {@link #MAX_UNITS}. */
    int memoryUnits();

    /** Compute slices of the whole device; 0 where the scheme has none. */
    @Value.Default
    default int computeSlices() {
        return 0;
    }

    /** PCI vendor id in the form of {@link #pciDeviceIds()}; empty where that is not said. */
    @Value.Default
    default String pciVendorId() {
        return "";
    }

    /** PCI device ids, lower-case {@code 0x} and four hexadecimal digits. */
    Set<String> pciDeviceIds();

    /** Capacity of each shared engine. */
    Map<String, Integer> engineCapacity();

    /** Most instances of each class of {@link SliceProfile#limitClass()}. */
    Map<String, Integer> classLimits();

    /** Profiles in the catalogue's order, which is the order of profile indexes everywhere. */
    List<SliceProfile> profiles();

    /** The origin of the starts and sizes of this entry. */
    @Value.Default
    default PlacementOrigin placementOrigin() {
        return PlacementOrigin.DEVICE_OUTPUT;
    }

    /** True where placements come from a driver's output or its documented fractions; false where they are a guess. */
    @Value.Default
    default boolean placementsKnown() {
        return placementOrigin() != PlacementOrigin.ASSUMED;
    }

    /** The source of the figures. */
    List<String> sources();

    /** Notes for users of this entry. */
    List<String> notes();

    /** The profile with this name or alias. */
    default Optional<SliceProfile> profile(String name) {
        int index = indexOf(name);
        return index < 0 ? Optional.empty() : Optional.of(profiles().get(index));
    }

    /** The index of the profile with this name or alias, or -1. */
    default int indexOf(String name) {
        final List<SliceProfile> all = profiles();
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).name().equals(name)) {
                return i;
            }
        }
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).aliases().contains(name)) {
                return i;
            }
        }
        return -1;
    }

    /**
     * This model with what a driver reports of a device in place of what the catalogue says: names, sizes, starts, maximum
     * counts, and engines where it reports them. Profiles are matched by NVML enum, else by name or alias. A profile that
     * the driver does not report is not offered; one that the catalogue does not know is added. Former names become aliases.
     *
     * @throws CatalogueException if what was reported cannot be a device
     */
    default DeviceModel discovered(List<DiscoveredProfile> reported) {
        return Derivation.discovered(this, reported);
    }

    /**
     * This model for one device on which something of unknown geometry sits that is not ours: without the placements that
     * need any of the blocked units, and with less of each engine. The key names what is missing.
     *
     * @param blockedUnits units that are not ours, unit 0 in bit 0
     * @param engines what the foreign things take of each engine
     * @return empty if nothing can be placed any more
     * @throws IllegalArgumentException if a unit is not of the device
     */
    default Optional<DeviceModel> without(int blockedUnits, Map<String, Integer> engines) {
        return Derivation.without(this, blockedUnits, engines);
    }

    /** Refuses a model that no device can be. */
    @Value.Check
    default void check() {
        List<ModelChecks.Issue> issues = ModelChecks.issues(this);
        if (!issues.isEmpty()) {
            throw new CatalogueException(
                    issues.stream()
                            .map(issue -> "device model " + key() + ": " + issue.text())
                            .toList(),
                    issues);
        }
    }

    /** A builder with nothing set. */
    static Builder builder() {
        return new Builder();
    }

    /** Builds {@link DeviceModel}s; not thread-safe. {@code build()} throws {@link CatalogueException}. */
    final class Builder extends ImmutableDeviceModel.Builder {
        Builder() {}
    }
}
