package dev.sro.core.allocation;

import dev.sro.core.allocation.DeviceHolders.Place;
import dev.sro.core.dra.DraOptions;
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
    private final PlacementPolicies policies = new PlacementPolicies(this::stock);
    private final FleetPools pools = new FleetPools();
    private final DeviceHolders holders = new DeviceHolders();
    /** What is on the GPUs of a pool, as long as nothing changes there. */
    private final Map<String, Map<FleetGpu, GpuUse>> uses = new HashMap<>();
    /** What was found out for a node, as long as nothing changes there. */
    private final Map<String, Map<Object, FleetView.Found>> found = new HashMap<>();

    private final KeptPlaces kept = new KeptPlaces();
    /** Pools in which something changed since conflicts were looked for, or in which there were some. */
    private final Set<String> suspects = new TreeSet<>();

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
        pools.remove(name);
        if (slices.isEmpty()) {
            return "";
        }
        FleetPool now = FleetPool.read(name, slices, driver, catalogue, this::geometry);
        pools.put(name, now);
        changed(name);
        return now.problem();
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
        Set<Place> before = holders.places(uid);
        holders.put(uid, now).forEach(this::changed);
        boolean other = false;
        for (Place place : now) {
            other |= !before.contains(place)
                    && pools.cut(place)
                            .filter(cut -> policies.came(uid, cut.geometry(), cut.placement()))
                            .isPresent();
        }
        for (Place place : before) {
            other |= !now.contains(place)
                    && pools.cut(place)
                            .filter(cut -> policies.went(cut.geometry()))
                            .isPresent();
        }
        if (other) {
            found.clear();
        }
    }

    /** Tells how places are chosen that pods got none; whoever looks only what would be does not. */
    public synchronized void refused(List<PodDemand> pods) {
        if (RefusedDemands.count(pods, pools.all(), policies)) {
            found.clear();
        }
    }

    private PlacementPolicies.Stock stock(Geometry geometry) {
        View view = new View(Set.of(), "");
        List<FleetGpu> gpus = pools.gpus(geometry);
        int free = gpus.stream().mapToInt(gpu -> view.use(gpu).freeUnits()).sum();
        return new PlacementPolicies.Stock(
                gpus.size(), gpus.isEmpty() ? 0 : 1 - (double) free / ((long) gpus.size() * geometry.units()));
    }

    private void changed(String pool) {
        uses.remove(pool);
        suspects.add(pool);
        FleetPool known = pools.get(pool);
        if (known != null) {
            found.remove(known.node());
        }
    }

    /** Claims that have something that another claim has as well: UIDs, those of one place together. */
    public synchronized List<Set<String>> conflicts() {
        List<Set<String>> conflicts = new ArrayList<>();
        for (String name : List.copyOf(suspects)) {
            FleetPool pool = pools.get(name);
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
                .filter(slot -> !holders.of(pool, slot.device().getName()).isEmpty())
                .toList();
        for (int i = 0; i < had.size(); i++) {
            Set<String> of = new TreeSet<>(holders.of(pool, had.get(i).device().getName()));
            for (int j = i + 1; j < had.size(); j++) {
                if ((had.get(i).window() & had.get(j).window()) != 0) {
                    of.addAll(holders.of(pool, had.get(j).device().getName()));
                }
            }
            if (of.size() > 1) {
                conflicts.add(of);
            }
        }
        return conflicts;
    }

    /** UIDs of the claims that have something that overlaps with one of these devices. */
    public synchronized Set<String> inTheWay(List<PlacedDevice> devices) {
        Set<String> found = new TreeSet<>();
        for (PlacedDevice device : devices) {
            FleetPool pool = pools.get(device.pool());
            for (FleetGpu gpu : pool == null ? List.<FleetGpu>of() : pool.gpus()) {
                FleetGpu.Slot slot = gpu.slot(device.device());
                found.addAll(slot == null ? Set.of() : holders.inTheWay(gpu, slot));
            }
        }
        return found;
    }

    /** Memory units of what a claim has, as models count them; GPUs that cannot be cut count as one. */
    public synchronized int units(String claim) {
        return holders.places(claim).stream().mapToInt(this::units).sum();
    }

    private int units(Place place) {
        return pools.slots(place)
                .mapToInt(slot -> Integer.bitCount(slot.window()))
                .sum();
    }

    /** Memory units of a node that nobody has, and that are kept for nobody. */
    public synchronized int freeUnits(String node) {
        return NodeState.of(new View(Set.of(), ""), node).freeUnits();
    }

    /** Nodes of which something is given, sorted. */
    public synchronized List<String> nodes() {
        return pools.usable().map(FleetPool::node).distinct().sorted().toList();
    }

    /** The node of a claim's devices; empty if it has none that is known. */
    public synchronized Optional<String> node(String claim) {
        return holders.places(claim).stream()
                .flatMap(place -> Optional.ofNullable(pools.get(place.pool())).stream())
                .map(FleetPool::node)
                .min(Comparator.naturalOrder());
    }

    /**
     * Keeps places for somebody: nobody else is given what overlaps with them. They may be had by others still, and are to be had later.
     *
     * @param owner who is to get them; what was kept for it before is not any more
     */
    public synchronized void keep(String owner, List<PlacedDevice> devices) {
        letGo(owner);
        kept.put(owner, devices);
        devices.forEach(device -> changed(device.pool()));
    }

    /** Keeps nothing for somebody any more. */
    public synchronized void letGo(String owner) {
        kept.remove(owner).forEach(device -> changed(device.pool()));
    }

    /** What is kept for somebody; nothing for who has nothing kept. */
    public synchronized List<PlacedDevice> kept(String owner) {
        return kept.of(owner);
    }

    /**
     * Whether devices can be had, as if some claims had nothing.
     *
     * @param owner whose places that are kept do not count
     * @param without UIDs of the claims
     */
    public synchronized boolean canHave(String owner, List<PlacedDevice> devices, Set<String> without) {
        return KeptPlaces.canHave(new View(without, owner), devices);
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
    public AllocationSearch.Answer place(List<PodDemand> pods, AllocationSearch.Room room, Set<String> without) {
        return place("", pods, room, without);
    }

    /**
     * The same, for somebody for whom places are kept.
     *
     * @param owner whose places that are kept do not count; empty for nobody's
     */
    public synchronized AllocationSearch.Answer place(
            String owner, List<PodDemand> pods, AllocationSearch.Room room, Set<String> without) {
        return new AllocationSearch(new View(without, owner), AllocationSearch.widestFirst(pods), room).find();
    }

    /** The same, each pod in its turn: earlier ones choose first. */
    synchronized AllocationSearch.Answer placeInOrder(
            String owner, List<PodDemand> pods, AllocationSearch.Room room, Set<String> without) {
        return new AllocationSearch(new View(without, owner), pods, room).find();
    }

    /** The GPUs that count, with who has what of them; what is kept for this one does not count. Sorted by pool. */
    synchronized List<HeldGpu> held(String owner) {
        View view = new View(Set.of(), "");
        List<HeldGpu> held = new ArrayList<>();
        pools.usable()
                .forEach(pool -> pool.gpus().stream().filter(view::counts).forEach(gpu -> {
                    Map<String, Set<String>> devices = new TreeMap<>();
                    gpu.slots().stream()
                            .map(slot -> slot.device().getName())
                            .filter(device -> !holders.of(gpu.pool(), device).isEmpty())
                            .forEach(device -> devices.put(device, Set.copyOf(holders.of(gpu.pool(), device))));
                    held.add(new HeldGpu(
                            pool.node(), gpu, devices, !kept.names(gpu, owner).isEmpty()));
                }));
        return held;
    }

    /** For searches, under the lock of the call. */
    private final class View implements FleetView {
        private final Set<String> without;
        private final String owner;
        /** Pools in which it does not see what everybody sees, so that what was found out before does not hold. */
        private final Set<String> other = new HashSet<>();
        /** What was found out of their nodes. */
        private final Map<String, Map<Object, Found>> own = new HashMap<>();

        View(Set<String> without, String owner) {
            this.without = without;
            this.owner = owner;
            without.forEach(
                    claim -> holders.places(claim).stream().map(Place::pool).forEach(other::add));
            kept.of(owner).forEach(device -> other.add(device.pool()));
            other.forEach(pool ->
                    Optional.ofNullable(pools.get(pool)).ifPresent(known -> own.put(known.node(), new HashMap<>())));
        }

        @Override
        public List<FleetGpu> gpus(String node) {
            return pools.gpus(node).filter(this::counts).toList();
        }

        private boolean counts(FleetGpu gpu) {
            return gpu.without(taint).stream()
                    .noneMatch(device -> holders.of(gpu.pool(), device).isEmpty());
        }

        @Override
        public Map<Object, Found> found(String node) {
            Map<Object, Found> known = own.get(node);
            if (known == null) {
                known = found.computeIfAbsent(node, name -> new HashMap<>());
            }
            if (known.size() >= MOST_FOUND) {
                known.clear();
            }
            return known;
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
            return other.contains(gpu.pool())
                    ? read(gpu)
                    : uses.computeIfAbsent(gpu.pool(), pool -> new HashMap<>()).computeIfAbsent(gpu, this::read);
        }

        private GpuUse read(FleetGpu gpu) {
            Set<String> had = new HashSet<>();
            gpu.slots().forEach(slot -> {
                if (!without.containsAll(holders.of(gpu.pool(), slot.device().getName()))) {
                    had.add(slot.device().getName());
                }
            });
            return gpu.use(had, kept.names(gpu, owner));
        }

        @Override
        public Map<FleetGpu, List<Device>> devices(String claim, List<FleetGpu> gpus) {
            Map<FleetGpu, List<Device>> had = new HashMap<>();
            for (Place place : holders.places(claim)) {
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
