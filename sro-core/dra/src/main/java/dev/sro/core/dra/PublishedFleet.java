package dev.sro.core.dra;

import dev.sro.core.slicing.SliceAllocator;
import dev.sro.core.slicing.SliceClaim;
import dev.sro.core.slicing.SliceDevice;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.catalogue.SliceProfile;
import dev.sro.core.slicing.geometry.Geometry;
import io.fabric8.kubernetes.api.model.resource.v1.Device;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceTaint;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The GPUs of a cluster as ResourceSlices of any driver publish them, with who has what of them. Immutable but for the objects of the API in it,
 * which nobody changes.
 */
public final class PublishedFleet {
    /** The address of a device as Kubernetes has it; what our own driver called it before there was one. */
    private static final List<String> ADDRESSES = List.of("pciBusID", "parent");

    private final List<Gpu> gpus;
    private final List<String> unknown;
    private final Map<String, List<Gpu>> byNode = new TreeMap<>();
    /** Where each is among all, by id: who asks about one node does not look at the others. */
    private final Map<String, Integer> positions = new HashMap<>();

    private PublishedFleet(List<Gpu> gpus, List<String> unknown) {
        this.gpus = List.copyOf(gpus);
        this.unknown = List.copyOf(unknown);
        for (int i = 0; i < gpus.size(); i++) {
            byNode.computeIfAbsent(gpus.get(i).node(), node -> new ArrayList<>())
                    .add(gpus.get(i));
            positions.put(gpus.get(i).id(), i);
        }
    }

    /**
     * A device of a slice.
     *
     * @param pool name of the pool
     * @param name within the pool
     */
    public record Key(String driver, String pool, String name) {}

    /**
     * A slice that a claim has.
     *
     * @param holder who has it
     * @param device name in the pool
     * @param profile as the model has it; empty for the whole GPU
     * @param start first memory unit
     */
    public record Use(String holder, String device, String profile, int start) {}

    /**
     * A place that is offered.
     *
     * @param profile as the model has it; empty for the whole GPU
     * @param start first memory unit
     */
    public record Place(String profile, int start, Device device) {}

    /**
     * One GPU.
     *
     * @param id node and address, unique among all
     * @param node that carries it; empty for devices of no node
     * @param address of PCI, or the name of the counter set
     * @param uuid of the driver; empty where it is not published
     * @param model of the catalogue
     * @param usable what can be had of it beside what claims have; empty for nothing
     * @param closedUnits memory units that nobody has and nobody can have: a slice of somebody else, a GPU that is closed, ill or lost
     * @param taints of its devices, as {@code key=value:effect}
     * @param uses what claims have
     * @param places what is offered, in the order in which a scheduler tries it
     */
    public record Gpu(
            String id,
            String node,
            String driver,
            String address,
            String uuid,
            DeviceModel model,
            Optional<DeviceModel> usable,
            int closedUnits,
            List<String> taints,
            List<Use> uses,
            List<Place> places) {
        /** Copies the lists. */
        public Gpu {
            taints = List.copyOf(taints);
            uses = List.copyOf(uses);
            places = List.copyOf(places);
        }

        /** Whether nothing of it is had and nothing can be had. */
        public boolean closed() {
            return usable.isEmpty();
        }

        /** Memory units that claims have. */
        public int usedUnits() {
            return uses.stream()
                    .mapToInt(use -> use.profile().isEmpty()
                            ? model.memoryUnits()
                            : model.profile(use.profile())
                                    .map(SliceProfile::size)
                                    .orElse(0))
                    .sum();
        }
    }

    /**
     * Reads slices. Of each pool the newest generation counts; what is no partitionable GPU is skipped.
     *
     * @param holders who has which device
     */
    public static PublishedFleet of(List<ResourceSlice> slices, Map<Key, String> holders, Catalogue catalogue) {
        SliceReader reader = new SliceReader(catalogue, Optional.empty());
        List<Gpu> gpus = new ArrayList<>();
        SliceReader.pools(slices).values().forEach(pool -> {
            List<ResourceSlice> newest = SliceReader.newest(pool);
            String driver = newest.get(0).getSpec().getDriver();
            String name = newest.get(0).getSpec().getPool().getName();
            String node = newest.stream()
                    .map(slice -> slice.getSpec().getNodeName())
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse("");
            reader.gpus(name, newest).forEach(gpu -> gpus.add(gpu(gpu, node, driver, holders)));
        });
        gpus.sort(Comparator.comparing(Gpu::node).thenComparing(Gpu::address).thenComparing(Gpu::driver));
        return new PublishedFleet(gpus, reader.unknown());
    }

    private static Gpu gpu(AuditedGpu read, String node, String driver, Map<Key, String> holders) {
        Geometry geometry = read.geometry();
        List<Use> uses = new ArrayList<>();
        int used = 0;
        for (Device device : read.whole()) {
            String holder = holders.get(new Key(driver, read.pool(), device.getName()));
            if (holder != null) {
                uses.add(new Use(holder, device.getName(), "", 0));
                used = (1 << geometry.units()) - 1;
            }
        }
        Map<String, Place> places = new LinkedHashMap<>();
        read.whole().forEach(device -> places.put(device.getName(), new Place("", 0, device)));
        for (Map.Entry<Integer, List<Device>> placement : read.placements().entrySet()) {
            String profile =
                    geometry.profile(geometry.profileOf(placement.getKey())).name();
            int start = geometry.startOf(placement.getKey());
            for (Device device : placement.getValue()) {
                places.put(device.getName(), new Place(profile, start, device));
                String holder = holders.get(new Key(driver, read.pool(), device.getName()));
                if (holder != null) {
                    uses.add(new Use(holder, device.getName(), profile, start));
                    used |= geometry.windowOf(placement.getKey());
                }
            }
        }
        uses.sort(Comparator.comparingInt(Use::start).thenComparing(Use::holder));
        int closed = read.heldBack() & ~used;
        String address = address(places.values(), read.name());
        boolean whole = uses.stream().anyMatch(use -> use.profile().isEmpty());
        Optional<DeviceModel> usable = whole ? Optional.empty() : without(geometry.model(), closed);
        return new Gpu(
                (node.isEmpty() ? driver : node) + "/" + address,
                node,
                driver,
                address,
                attribute(places.values(), "parentUUID").orElse(""),
                geometry.model(),
                usable,
                Integer.bitCount(closed),
                taints(places.values()),
                uses,
                List.copyOf(places.values()));
    }

    private static Optional<DeviceModel> without(DeviceModel model, int closed) {
        return closed == 0 ? Optional.of(model) : model.without(closed, Map.of());
    }

    private static String address(Collection<Place> places, String name) {
        return ADDRESSES.stream()
                .flatMap(attribute -> attribute(places, attribute).stream())
                .findFirst()
                .orElse(name.substring(name.lastIndexOf(' ') + 1));
    }

    /** Of the first place, as all of a GPU have the same. */
    private static Optional<String> attribute(Collection<Place> places, String name) {
        return places.stream()
                .limit(1)
                .flatMap(place -> SliceReader.text(place.device(), name).stream())
                .findFirst();
    }

    private static List<String> taints(Collection<Place> places) {
        Set<String> taints = new TreeSet<>();
        for (Place place : places) {
            for (DeviceTaint taint : place.device().getTaints()) {
                String value = taint.getValue() == null || taint.getValue().isEmpty() ? "" : "=" + taint.getValue();
                taints.add(taint.getKey() + value + ":" + taint.getEffect());
            }
        }
        return List.copyOf(taints);
    }

    /** By node and address. */
    public List<Gpu> gpus() {
        return gpus;
    }

    /** Nodes that publish GPUs, by name. */
    public Set<String> nodes() {
        return Collections.unmodifiableSet(byNode.keySet());
    }

    /** Drivers that publish GPUs, by name. */
    public Set<String> drivers() {
        return gpus.stream().map(Gpu::driver).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Those of one node, by address. */
    public List<Gpu> gpus(String node) {
        return Collections.unmodifiableList(byNode.getOrDefault(node, List.of()));
    }

    /** Devices that could not be taken for any model of the catalogue. */
    public List<String> unknown() {
        return unknown;
    }

    /**
     * An allocator in the state of some of these GPUs, for trying what would happen. Claims have the name of their holder, with a number where
     * one has several.
     *
     * @param labels of each GPU, by id; those that are not in it are left out
     */
    public SliceAllocator allocator(Map<String, Map<String, String>> labels) {
        return allocator(labels, Map.of());
    }

    /**
     * The same, where some places that nobody has are out of reach.
     *
     * @param barred those, by id of the GPU
     */
    public SliceAllocator allocator(Map<String, Map<String, String>> labels, Map<String, List<Place>> barred) {
        SliceAllocator allocator = SliceAllocator.create();
        Set<String> names = new HashSet<>();
        for (Gpu gpu : chosen(labels.keySet())) {
            Optional<DeviceModel> model = gpu.usable()
                    .flatMap(usable -> BarredPlaces.without(gpu, usable, barred.getOrDefault(gpu.id(), List.of())));
            if (model.isEmpty()) {
                continue;
            }
            allocator.addDevice(SliceDevice.builder()
                    .id(gpu.id())
                    .model(model.get())
                    .node(gpu.node())
                    .labels(labels.getOrDefault(gpu.id(), Map.of()))
                    .build());
            for (Use use : gpu.uses()) {
                allocator.adopt(SliceClaim.builder()
                        .id(unique(names, use.holder()))
                        .device(gpu.id())
                        .profile(use.profile())
                        .start(use.start())
                        .build());
            }
        }
        return allocator;
    }

    /** In the order of all. */
    private List<Gpu> chosen(Set<String> ids) {
        return ids.stream()
                .flatMap(id -> Optional.ofNullable(positions.get(id)).stream())
                .sorted()
                .map(gpus::get)
                .toList();
    }

    /** An allocator in the state of all of them. */
    public SliceAllocator allocator() {
        Map<String, Map<String, String>> all = new TreeMap<>();
        gpus.forEach(gpu -> all.put(gpu.id(), Map.of()));
        return allocator(all);
    }

    private static String unique(Set<String> names, String name) {
        String made = name;
        for (int number = 2; !names.add(made); number++) {
            made = name + " (" + number + ")";
        }
        return made;
    }
}
