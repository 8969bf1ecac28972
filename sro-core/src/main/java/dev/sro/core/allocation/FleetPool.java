package dev.sro.core.allocation;

import dev.sro.core.dra.PublishedFleet;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.geometry.Geometry;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * A pool as it is published. Immutable but for what its GPUs remember.
 *
 * @param node empty if its slices name none
 * @param problem why nothing of it is given; empty if it is
 */
record FleetPool(String node, List<FleetGpu> gpus, String problem) {
    /** @param slices one at least; those of the newest generation count */
    static FleetPool read(
            String name,
            List<ResourceSlice> slices,
            String driver,
            Catalogue catalogue,
            Function<DeviceModel, Geometry> geometries) {
        long newest = slices.stream()
                .mapToLong(slice -> slice.getSpec().getPool().getGeneration())
                .max()
                .orElse(0);
        List<ResourceSlice> current = slices.stream()
                .filter(slice -> slice.getSpec().getPool().getGeneration() == newest)
                .toList();
        String node = current.stream()
                .map(slice -> slice.getSpec().getNodeName())
                .filter(Objects::nonNull)
                .findFirst()
                .orElse("");
        PublishedFleet published = PublishedFleet.of(current, Map.of(), catalogue);
        List<FleetGpu> gpus = new ArrayList<>();
        published.gpus().forEach(gpu -> gpus.add(new FleetGpu(gpu, name, geometries)));
        current.stream()
                .flatMap(slice -> slice.getSpec().getDevices().stream())
                .filter(device -> device.getConsumesCounters().isEmpty())
                .forEach(device -> gpus.add(new FleetGpu(node, name, driver, device)));
        long count = current.get(0).getSpec().getPool().getResourceSliceCount();
        String problem = node.isEmpty()
                ? "pool " + name + ": its ResourceSlices have no spec.nodeName: nothing of it is given"
                : current.size() == count
                        ? ""
                        : "pool " + name + ": " + current.size() + " of " + count + " ResourceSlices of generation "
                                + newest + " are there: nothing of it is given until all are";
        return new FleetPool(node, gpus, problem);
    }
}
