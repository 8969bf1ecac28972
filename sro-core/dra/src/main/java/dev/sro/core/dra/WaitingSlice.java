package dev.sro.core.dra;

import dev.sro.core.slicing.Decision;
import dev.sro.core.slicing.MovePlan;
import dev.sro.core.slicing.SliceAllocator;
import dev.sro.core.slicing.SliceClaim;
import dev.sro.core.slicing.SliceDevice;
import dev.sro.core.slicing.SliceRequest;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.catalogue.SliceProfile;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.pack.Feasibility;
import io.fabric8.kubernetes.api.model.resource.v1.Device;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Why a slice that a claim asks for is not had: out of what is published and what is allocated, of any driver. Immutable.
 *
 * @param reason proved to fit on no arrangement, or only not in one piece
 * @param text the same for people
 * @param certificates where no arrangement helps, for each model that offers the profile, where there is one
 * @param plan moves that make room, where few do
 */
public record WaitingSlice(
        Decision.Reason reason, String text, List<InfeasibilityCertificate> certificates, Optional<MovePlan> plan) {
    /** Copies the list. */
    public WaitingSlice {
        certificates = List.copyOf(certificates);
    }

    /**
     * Looks at a request for one slice.
     *
     * @param slices those of all pools that may serve it
     * @param allocated devices that claims have, as {@code pool/device}
     * @return empty if it fits as it is
     * @throws dev.sro.core.slicing.SliceException if no GPU offers the profile
     */
    public static Optional<WaitingSlice> explain(
            List<ResourceSlice> slices, Set<String> allocated, String profile, Catalogue catalogue) {
        SliceAllocator allocator = SliceAllocator.create();
        SliceReader reader = new SliceReader(catalogue, Optional.empty());
        SliceReader.pools(slices)
                .forEach((pool, all) ->
                        reader.gpus(pool, SliceReader.newest(all)).forEach(gpu -> add(allocator, gpu, allocated)));
        Decision decision = allocator.allocate(SliceRequest.of("waiting", profile));
        if (!(decision instanceof Decision.Refused refused)) {
            return Optional.empty();
        }
        List<InfeasibilityCertificate> certificates =
                refused.reason() == Decision.Reason.INFEASIBLE ? certificates(allocator, profile) : List.of();
        return Optional.of(new WaitingSlice(refused.reason(), refused.explanation(), certificates, refused.plan()));
    }

    /** Units that are held back are none that could be had; a GPU that a claim has as a whole has none. */
    private static void add(SliceAllocator allocator, AuditedGpu gpu, Set<String> allocated) {
        String pool = gpu.pool().substring(gpu.pool().indexOf(' ') + 1) + "/";
        if (gpu.whole().stream().anyMatch(device -> allocated.contains(pool + device.getName()))) {
            return;
        }
        DeviceModel model = gpu.geometry().model();
        Optional<DeviceModel> left = gpu.heldBack() == 0 ? Optional.of(model) : model.without(gpu.heldBack(), Map.of());
        left.ifPresent(usable -> {
            allocator.addDevice(SliceDevice.of(gpu.name(), usable, ""));
            gpu.placements().forEach((placement, devices) -> {
                for (Device device : devices) {
                    if (allocated.contains(pool + device.getName())) {
                        Geometry geometry = gpu.geometry();
                        allocator.adopt(SliceClaim.builder()
                                .id(pool + device.getName())
                                .device(gpu.name())
                                .profile(geometry.profile(geometry.profileOf(placement))
                                        .name())
                                .start(geometry.startOf(placement))
                                .build());
                    }
                }
            });
        });
    }

    private static List<InfeasibilityCertificate> certificates(SliceAllocator allocator, String profile) {
        Set<DeviceModel> models = new LinkedHashSet<>();
        allocator.devices().forEach(device -> models.add(device.model()));
        List<InfeasibilityCertificate> certificates = new ArrayList<>();
        for (DeviceModel model : models) {
            Optional<SliceProfile> wanted = model.profile(profile);
            if (wanted.isEmpty()) {
                continue;
            }
            Set<String> devices = new LinkedHashSet<>();
            allocator.devices().stream()
                    .filter(device -> device.model().equals(model))
                    .forEach(device -> devices.add(device.id()));
            Map<String, Long> counts = new TreeMap<>();
            allocator.claims().stream()
                    .filter(claim -> devices.contains(claim.device()))
                    .forEach(claim -> counts.merge(claim.profile(), 1L, Long::sum));
            InfeasibilityCertificate.of(
                            Feasibility.of(Geometry.of(model)),
                            counts,
                            wanted.get().name(),
                            devices.size())
                    .ifPresent(certificates::add);
        }
        return certificates;
    }
}
