package dev.sro.agent.device;

import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.catalogue.CatalogueException;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.catalogue.DiscoveredProfile;
import dev.sro.core.slicing.catalogue.SliceProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the driver says of a GPU, held against the catalogue. The driver wins: the model is made of what it says, and each difference
 * is told, because either the catalogue or the driver is new. Immutable.
 *
 * @param model what the GPU is; empty where the catalogue does not know it, or what the driver says cannot be
 * @param differences each for an event
 */
public record CatalogueCheck(Optional<DeviceModel> model, List<String> differences) {
    /** Copies the list. */
    public CatalogueCheck {
        differences = List.copyOf(differences);
    }

    /** Looks the GPU up, by PCI id and else by product. */
    public static CatalogueCheck of(Catalogue catalogue, Gpu gpu) {
        Optional<DeviceModel> known = catalogue.findByPciId(gpu.pciId()).or(() -> catalogue.find(gpu.product()));
        if (known.isEmpty()) {
            return new CatalogueCheck(
                    Optional.empty(),
                    List.of(gpu.address() + ": the catalogue has no " + gpu.product() + " (" + gpu.pciId()
                            + "); its slices are not offered until a catalogue file has it"));
        }
        List<String> differences = new ArrayList<>();
        for (DriverProfile profile : gpu.profiles()) {
            compare(gpu, known.get(), profile, differences);
        }
        known.get().profiles().stream()
                .filter(profile -> gpu.profiles().stream().noneMatch(offered -> same(profile, offered)))
                .forEach(profile -> differences.add(gpu.address() + ": the driver does not offer " + profile.name()));
        try {
            return new CatalogueCheck(Optional.of(known.get().discovered(reported(gpu))), differences);
        } catch (CatalogueException e) {
            differences.add(gpu.address() + ": what the driver reports cannot be a GPU: " + e.getMessage());
            return new CatalogueCheck(Optional.empty(), differences);
        }
    }

    private static void compare(Gpu gpu, DeviceModel model, DriverProfile offered, List<String> differences) {
        Optional<SliceProfile> found = model.profiles().stream()
                .filter(profile -> same(profile, offered))
                .findFirst();
        if (found.isEmpty()) {
            differences.add(gpu.address() + ": the driver offers " + offered.name() + ", which the catalogue has not");
            return;
        }
        SliceProfile profile = found.get();
        String about = gpu.address() + ": " + offered.name() + ": ";
        if (profile.size() != offered.size() || !profile.starts().equals(offered.starts())) {
            differences.add(about + "the driver has size " + offered.size() + " at " + offered.starts()
                    + ", the catalogue " + profile.size() + " at " + profile.starts());
        }
        if (profile.maxInstances() != offered.maxInstances()) {
            differences.add(about + "the driver has " + offered.maxInstances() + " at most, the catalogue "
                    + profile.maxInstances());
        }
        if (!profile.name().equals(offered.name()) && !profile.aliases().contains(offered.name())) {
            differences.add(about + "the catalogue calls it " + profile.name());
        }
    }

    private static boolean same(SliceProfile profile, DriverProfile offered) {
        if (profile.nvmlProfileEnum().isPresent() && offered.nvmlEnum().isPresent()) {
            return profile.nvmlProfileEnum().equals(offered.nvmlEnum());
        }
        return profile.name().equals(offered.name()) || profile.aliases().contains(offered.name());
    }

    private static List<DiscoveredProfile> reported(Gpu gpu) {
        // Engines are left to the catalogue: capacities are there, and the driver counts a few of them differently.
        return gpu.profiles().stream()
                .map(profile -> new DiscoveredProfile(
                        profile.name(),
                        profile.nvmlEnum(),
                        profile.size(),
                        profile.starts(),
                        profile.maxInstances(),
                        Map.of()))
                .toList();
    }
}
