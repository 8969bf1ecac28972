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
    /** Questions that are remembered of a node. */
    private static final int MOST_FOUND = 64;

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
    /** What is on the GPUs of a pool, as long as nothing changes there. */
    private final Map<String, Map<FleetGpu, GpuUse>> uses = new HashMap<>();
    /** What was found out for a node, as long as nothing changes there. */
    private final Map<String, Map<Object, FleetView.Found>> found = new HashMap<>();
    /** Pools in which something changed since conflicts were looked for, or in which there were some. */
    private final Set<String> suspects = new TreeSet<>();

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
        changed(name);
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
        changed(name);
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
            before.forEach(place -> {
                holders(place).remove(uid);
                changed(place.pool());
            });
        }
        now.forEach(place -> {
            holders(place).add(uid);
            changed(place.pool());
        });
    }

    private void changed(String pool) {
        uses.remove(pool);
        suspects.add(pool);
        Pool known = pools.get(pool);
        if (known != null) {
            found.remove(known.node());
        }
    }

    private Set<String> holders(Place place) {
        return holders.computeIfAbsent(place.pool(), pool -> new HashMap<>())
                .computeIfAbsent(place.device(), device -> new TreeSet<>());
    }

    /** Claims that have something that another claim has as well: UIDs, those of one place together. */
    public synchronized List<Set<String>> conflicts() {
        List<Set<String>> conflicts = new ArrayList<>();
        for (String name : List.copyOf(suspects)) {
            Pool pool = pools.get(name);
            List<Set<String>> own = pool == null
                    ? List.of()
                    : pool.gpus().stream()
                            .flatMap(gpu -> conflicts(name, gpu).stream())
                            .toList();
            conflicts.addAll(own);
            if (own.isEmpty()) {
                suspects.remove(name);
            }
        }
        return conflicts;
    }

    private List<Set<String>> conflicts(String pool, FleetGpu gpu) {
        List<Set<String>> conflicts = new ArrayList<>();
        List<FleetGpu.Slot> had = gpu.slots().stream()
                .filter(slot -> !holders(pool, slot.device().getName()).isEmpty())
                .toList();
        for (int i = 0; i < had.size(); i++) {
            Set<String> of = new TreeSet<>(holders(pool, had.get(i).device().getName()));
            for (int j = i + 1; j < had.size(); j++) {
                if ((had.get(i).window() & had.get(j).window()) != 0) {
                    of.addAll(holders(pool, had.get(j).device().getName()));
                }
            }
            if (of.size() > 1) {
                conflicts.add(of);
            }
        }
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
    public AllocationSearch.Answer place(List<PodDemand> pods, AllocationSearch.Room room) {
        return place(pods, room, Set.of());
    }

    /**
     * The same, as if some claims had nothing.
     *
     * @param without their UIDs
     */
    public synchronized AllocationSearch.Answer place(
            List<PodDemand> pods, AllocationSearch.Room room, Set<String> without) {
        return new AllocationSearch(new View(without), pods, room).find();
    }

    /** For searches, under the lock of the call. */
    private final class View implements FleetView {
        private final Set<String> without;

        View(Set<String> without) {
            this.without = without;
        }

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
        public Map<Object, Found> found(String node) {
            Map<Object, Found> own =
                    without.isEmpty() ? found.computeIfAbsent(node, name -> new HashMap<>()) : new HashMap<>();
            if (own.size() >= MOST_FOUND) {
                own.clear();
            }
            return own;
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
            return without.isEmpty()
                    ? uses.computeIfAbsent(gpu.pool(), pool -> new HashMap<>()).computeIfAbsent(gpu, this::read)
                    : read(gpu);
        }

        private GpuUse read(FleetGpu gpu) {
            Set<String> had = new HashSet<>();
            gpu.slots().forEach(slot -> {
                if (!without.containsAll(holders(gpu.pool(), slot.device().getName()))) {
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
