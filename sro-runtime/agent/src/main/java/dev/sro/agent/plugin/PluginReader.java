package dev.sro.agent.plugin;

import dev.sro.agent.device.CatalogueCheck;
import dev.sro.agent.device.DeviceException;
import dev.sro.agent.device.DevicePort;
import dev.sro.agent.device.Gpu;
import dev.sro.agent.device.GpuInstance;
import dev.sro.agent.device.GpuMode;
import dev.sro.agent.slice.Holding;
import dev.sro.agent.slice.SliceKeeper;
import dev.sro.core.das.AllocationClaim;
import dev.sro.core.slicing.catalogue.Catalogue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Reads what the node can offer by device plugins: hardware, and what is given away of it. Not thread-safe. */
final class PluginReader {
    private final DevicePort devices;
    private final SliceKeeper keeper;
    private final Catalogue catalogue;
    private final PluginExposure exposure;
    private final Map<String, Optional<GpuTables>> tables = new HashMap<>();

    PluginReader(DevicePort devices, SliceKeeper keeper, Catalogue catalogue, PluginExposure exposure) {
        this.devices = devices;
        this.keeper = keeper;
        this.catalogue = catalogue;
        this.exposure = exposure;
    }

    /**
     * What is given away beside what the checkpoint has.
     *
     * @param ids devices that kubelet gave
     * @param promises that their pods have not had yet
     * @param unknown why that may not be all; nothing new can be had then
     */
    record Given(Collection<String> ids, List<AllocationClaim> promises, Optional<String> unknown) {}

    /** Hardware first, with the checkpoint before and after: of an instance that is being made it knows before that is there. */
    List<GpuOffer> read(Given given) throws DeviceException {
        Set<Holding> holdings = new LinkedHashSet<>(keeper.holdings());
        List<Gpu> gpus = devices.gpus();
        Map<Gpu, List<GpuInstance>> instances = new LinkedHashMap<>();
        Map<Gpu, String> lost = new HashMap<>();
        for (Gpu gpu : gpus) {
            try {
                instances.put(gpu, gpu.mode() == GpuMode.SLICES ? devices.instances(gpu.address()) : List.of());
            } catch (DeviceException e) {
                if (e.kind() != DeviceException.Kind.GPU_IS_LOST) {
                    throw e;
                }
                lost.put(gpu, String.valueOf(e.getMessage()));
                instances.put(gpu, List.of());
            }
        }
        holdings.addAll(keeper.holdings());
        List<GpuOffer> offers = new ArrayList<>();
        instances.forEach(
                (gpu, there) -> offers.add(offer(gpu, there, holdings, given, Optional.ofNullable(lost.get(gpu)))));
        return offers;
    }

    private GpuOffer offer(Gpu gpu, List<GpuInstance> there, Set<Holding> all, Given given, Optional<String> lost) {
        Map<String, PluginPlace> taken = new LinkedHashMap<>();
        Set<String> listed = new TreeSet<>();
        Set<String> promised = new TreeSet<>();
        Optional<String> closed = lost.or(() -> exposure.closed(gpu))
                .or(() -> gpu.mode() == GpuMode.SLICES
                        ? given.unknown()
                        : Optional.of(gpu.mode().text()));
        List<Holding> holdings = all.stream()
                .filter(holding -> holding.place().gpu().equals(gpu.address()))
                .toList();
        for (Holding holding : holdings) {
            PluginPlace place = PluginPlace.of(holding);
            taken.put(place.id(), place);
            if (!holding.claim().isOfPlugin()) {
                closed = closed.or(() -> Optional.of("claim " + holding.claim() + " has " + holding.place()));
            } else if (holding.keep()) {
                listed.add(place.id());
            }
        }
        for (GpuInstance instance : there) {
            if (holdings.stream().noneMatch(holding -> holding.place().fits(instance))) {
                Optional<PluginPlace> place = gpu.profile(instance.profileId())
                        .map(profile -> PluginPlace.of(gpu.address(), profile.name(), instance.start()));
                place.ifPresent(one -> taken.put(one.id(), one));
                if (place.isEmpty()) {
                    closed = closed.or(() -> Optional.of("somebody else has an instance of an unknown profile"));
                }
            }
        }
        for (String id : given.ids()) {
            PluginPlace.find(List.of(gpu), id).ifPresent(place -> {
                taken.put(id, place);
                listed.add(id);
            });
        }
        Optional<GpuTables> known = tables(gpu);
        for (AllocationClaim claim : given.promises()) {
            PluginPlace place = PluginPlace.of(gpu.address(), claim.profile(), claim.start());
            List<PluginPlace> with = new ArrayList<>(taken.values());
            with.add(place);
            // A promise that cannot be kept any more is not offered: its pod is told when it comes.
            if (claim.gpu().equals(gpu.uuid())
                    && known.filter(one -> one.layout(with).isPresent()).isPresent()) {
                taken.put(place.id(), place);
                listed.add(place.id());
                promised.add(place.id());
            }
        }
        return new GpuOffer(
                gpu,
                known,
                closed,
                lost.isEmpty() && exposure.healthy(gpu),
                List.copyOf(taken.values()),
                listed,
                promised);
    }

    private Optional<GpuTables> tables(Gpu gpu) {
        if (gpu.mode() != GpuMode.SLICES) {
            return Optional.empty();
        }
        return tables.computeIfAbsent(
                gpu.pciId() + " " + gpu.product() + " " + gpu.profiles(),
                key -> CatalogueCheck.of(catalogue, gpu).model().map(GpuTables::new));
    }
}
