package dev.sro.core.allocation;

import dev.sro.core.dra.DraOptions;
import dev.sro.core.dra.PublishedFleet;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.geometry.Geometry;
import io.fabric8.kubernetes.api.model.resource.v1.Device;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The devices of one driver in a cluster, and which claims have them. It is told what the API server has, and answers where claims can go. All of it
 * can be made again from slices and claims.
 *
 * <p>A GPU counts only while each of its devices that nobody has bears the allocator's taint: of others a scheduler may take what is given here. A pool
 * counts only while it is complete. Thread-safe; each call is atomic.
 */
public final class AllocationFleet {
    private final String driver;
    private final String taint;
    private final Catalogue catalogue;
    private final Map<DeviceModel, Geometry> geometries = new HashMap<>();
    private final PlacementPolicies policies = new PlacementPolicies();
    private final Map<String, Pool> pools = new TreeMap<>();
    /** Devices by the UID of the claim that has them. */
    private final Map<String, Set<Place>> claims = new HashMap<>();
    /** Claims by pool and device. */
    private final Map<String, Map<String, Set<String>>> holders = new HashMap<>();

    private final Map<String, Set<String>> poolsOfNode = new HashMap<>();

    /** A device. */
    private record Place(String pool, String device) {}

    /**
     * A pool as it is published.
     *
     * @param problem why nothing of it is given; empty if it is
     */
    private record Pool(String node, List<FleetGpu> gpus, String problem) {}

    /** One without nodes. */
    public AllocationFleet(String driver, Catalogue catalogue) {
        this.driver = driver;
        this.taint = DraOptions.allocatorTaint(driver);
        this.catalogue = catalogue;
    }

    /** Name of the driver. */
    public String driver() {
        return driver;
    }

    /**
     * Says what is published of a pool now, empty for nothing.
     *
     * @return what a person should know; empty for nothing
     */
    public synchronized String pool(String name, List<ResourceSlice> slices) {
        Pool before = pools.remove(name);
        if (before != null) {
            poolsOfNode.computeIfPresent(before.node(), (node, own) -> {
                own.remove(name);
                return own.isEmpty() ? null : own;
            });
        }
        if (slices.isEmpty()) {
            return "";
        }
        Pool now = read(name, slices);
        pools.put(name, now);
        poolsOfNode.computeIfAbsent(now.node(), node -> new TreeSet<>()).add(name);
        return now.problem();
    }

    private Pool read(String name, List<ResourceSlice> slices) {
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
        published.gpus().forEach(gpu -> gpus.add(new FleetGpu(gpu, name, this::geometry)));
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
        return new Pool(node, gpus, problem);
    }

    private Geometry geometry(DeviceModel model) {
        return geometries.computeIfAbsent(model, Geometry::of);
    }

    /** Notes what a claim has now. */
    public synchronized void claim(ResourceClaim claim) {
        String uid = claim.getMetadata().getUid();
        Set<Place> now = new HashSet<>();
        for (DeviceRequestAllocationResult result : Allocations.results(claim)) {
            if (driver.equals(result.getDriver()) && !Boolean.TRUE.equals(result.getAdminAccess())) {
                now.add(new Place(result.getPool(), result.getDevice()));
            }
        }
        put(uid, now);
    }

    /** Notes that a claim is gone. */
    public synchronized void gone(String uid) {
        put(uid, Set.of());
    }

    /** Takes devices for claims of which nobody knows yet whether they are written. */
    public synchronized void reserve(Collection<PlacedDevice> devices) {
        Map<String, Set<Place>> byClaim = new HashMap<>();
        devices.forEach(device -> byClaim.computeIfAbsent(device.claim(), uid -> new HashSet<>())
                .add(new Place(device.pool(), device.device())));
        byClaim.forEach(this::put);
    }

    private void put(String uid, Set<Place> now) {
        Set<Place> before = now.isEmpty() ? claims.remove(uid) : claims.put(uid, now);
        if (before != null) {
            before.forEach(place -> holders(place).remove(uid));
        }
        now.forEach(place -> holders(place).add(uid));
    }

    private Set<String> holders(Place place) {
        return holders.computeIfAbsent(place.pool(), pool -> new HashMap<>())
                .computeIfAbsent(place.device(), device -> new TreeSet<>());
    }

    /** Claims that have something that another claim has as well: UIDs, those of one place together. */
    public synchronized List<Set<String>> conflicts() {
        List<Set<String>> conflicts = new ArrayList<>();
        pools.forEach((name, pool) -> pool.gpus().forEach(gpu -> {
            List<FleetGpu.Slot> had = gpu.slots().stream()
                    .filter(slot -> !holders(name, slot.device().getName()).isEmpty())
                    .toList();
            for (int i = 0; i < had.size(); i++) {
                Set<String> of = new TreeSet<>(holders(name, had.get(i).device().getName()));
                for (int j = i + 1; j < had.size(); j++) {
                    if ((had.get(i).window() & had.get(j).window()) != 0) {
                        of.addAll(holders(name, had.get(j).device().getName()));
                    }
                }
                if (of.size() > 1) {
                    conflicts.add(of);
                }
            }
        }));
        return conflicts;
    }

    private Set<String> holders(String pool, String device) {
        return holders.getOrDefault(pool, Map.of()).getOrDefault(device, Set.of());
    }

    /** Nodes of which something is given, sorted. */
    public synchronized List<String> nodes() {
        return pools.values().stream()
                .filter(pool -> pool.problem().isEmpty())
                .map(Pool::node)
                .distinct()
                .sorted()
                .toList();
    }

    /** The node of a claim's devices; empty if it has none that is known. */
    public synchronized Optional<String> node(String claim) {
        return claims.getOrDefault(claim, Set.of()).stream()
                .flatMap(place -> Optional.ofNullable(pools.get(place.pool())).stream())
                .map(Pool::node)
                .min(Comparator.naturalOrder());
    }

    /**
     * Where pods can go, all of them or none. Changes nothing.
     *
     * @param room of nodes beside devices
     */
    public synchronized AllocationSearch.Answer place(List<PodDemand> pods, AllocationSearch.Room room) {
        return new AllocationSearch(new View(), pods, room).find();
    }

    /** For searches, under the lock of the call. */
    private final class View implements FleetView {
        @Override
        public List<FleetGpu> gpus(String node) {
            List<FleetGpu> gpus = new ArrayList<>();
            for (String name : poolsOfNode.getOrDefault(node, Set.of())) {
                Pool pool = pools.get(name);
                if (pool != null && pool.problem().isEmpty()) {
                    pool.gpus().stream().filter(this::kept).forEach(gpus::add);
                }
            }
            return gpus;
        }

        private boolean kept(FleetGpu gpu) {
            return gpu.without(taint).stream()
                    .noneMatch(device -> holders(gpu.pool(), device).isEmpty());
        }

        @Override
        public PlacementPolicies policies() {
            return policies;
        }

        @Override
        public String taint() {
            return taint;
        }

        @Override
        public GpuUse use(FleetGpu gpu) {
            Set<String> had = new HashSet<>();
            gpu.slots().forEach(slot -> {
                if (!holders(gpu.pool(), slot.device().getName()).isEmpty()) {
                    had.add(slot.device().getName());
                }
            });
            return gpu.use(had);
        }

        @Override
        public Map<FleetGpu, List<Device>> devices(String claim, List<FleetGpu> gpus) {
            Map<FleetGpu, List<Device>> had = new HashMap<>();
            for (Place place : claims.getOrDefault(claim, Set.of())) {
                for (FleetGpu gpu : gpus) {
                    FleetGpu.Slot slot = gpu.pool().equals(place.pool()) ? gpu.slot(place.device()) : null;
                    if (slot != null) {
                        had.computeIfAbsent(gpu, known -> new ArrayList<>()).add(slot.device());
                    }
                }
            }
            return had;
        }
    }
}
