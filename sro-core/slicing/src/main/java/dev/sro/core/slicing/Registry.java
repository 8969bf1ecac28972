package dev.sro.core.slicing;

import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.fleet.ModelFleet;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.policy.PlacementPolicy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** Devices by name, node and topology group, and their pools. Not thread-safe. */
final class Registry {
    /** The place of a device. */
    record Address(ModelDevices pool, int number) {}

    private final PlacementPolicy policy;
    private final Map<DeviceModel, ModelDevices> pools = new LinkedHashMap<>();
    private final Map<String, Address> devices = new LinkedHashMap<>();
    private final Map<String, List<Address>> nodes = new LinkedHashMap<>();
    private final Map<String, List<Address>> groups = new HashMap<>();

    private final RecentRefusals recentRefusals;

    Registry(PlacementPolicy policy) {
        this(policy, new RecentRefusals());
    }

    private Registry(PlacementPolicy policy, RecentRefusals recentRefusals) {
        this.policy = policy;
        this.recentRefusals = recentRefusals;
    }

    Registry copy() {
        Registry copy = new Registry(policy, recentRefusals.copy());
        Map<ModelDevices, ModelDevices> twins = new HashMap<>();
        pools.forEach((model, pool) -> {
            ModelDevices twin = pool.copy();
            copy.pools.put(model, twin);
            twins.put(pool, twin);
        });
        devices.forEach((id, address) -> {
            ModelDevices twin = twins.getOrDefault(address.pool, address.pool);
            SliceDevice device = twin.device(address.number);
            if (device != null) {
                copy.index(device, new Address(twin, address.number));
            }
        });
        return copy;
    }

    PlacementPolicy policy() {
        return policy;
    }

    RecentRefusals recentRefusals() {
        return recentRefusals;
    }

    Collection<ModelDevices> pools() {
        return pools.values();
    }

    void add(SliceDevice device) {
        if (devices.containsKey(device.id())) {
            throw new SliceException(
                    SliceException.Code.DUPLICATE_DEVICE, "device " + device.id() + ": is there already");
        }
        ModelDevices pool = pools.computeIfAbsent(device.model(), model -> new ModelDevices(model, policy));
        index(device, new Address(pool, pool.add(device)));
    }

    private void index(SliceDevice device, Address address) {
        devices.put(device.id(), address);
        nodes.computeIfAbsent(device.node(), node -> new ArrayList<>()).add(address);
        groups.computeIfAbsent(device.topologyGroup(), group -> new ArrayList<>())
                .add(address);
    }

    void remove(String id) {
        Address address = address(id);
        SliceDevice device = device(id);
        devices.remove(id);
        nodes.getOrDefault(device.node(), new ArrayList<>()).remove(address);
        groups.getOrDefault(device.topologyGroup(), new ArrayList<>()).remove(address);
        address.pool.remove(address.number);
    }

    Address address(String id) {
        Address address = devices.get(id);
        if (address == null) {
            throw new SliceException(SliceException.Code.UNKNOWN_DEVICE, "device " + id + ": there is no such device");
        }
        return address;
    }

    SliceDevice device(String id) {
        Address address = address(id);
        SliceDevice device = address.pool.device(address.number);
        if (device == null) {
            throw new IllegalStateException("device " + id + " is indexed but gone");
        }
        return device;
    }

    /** In the order in which devices were added. */
    List<Address> addresses() {
        return List.copyOf(devices.values());
    }

    /** In the order in which they were added. */
    List<SliceDevice> all() {
        return devices.keySet().stream().map(this::device).toList();
    }

    /** Numbers of a pool, ascending, narrowed by the strictest of the given names. */
    int[] numbers(ModelDevices pool, Optional<String> device, Optional<String> node, Optional<String> group) {
        if (device.isPresent()) {
            Address address = devices.get(device.get());
            return address == null || address.pool != pool ? new int[0] : new int[] {address.number};
        }
        if (node.isPresent() || group.isPresent()) {
            List<Address> named = node.isPresent()
                    ? nodes.getOrDefault(node.get(), List.of())
                    : groups.getOrDefault(group.orElse(""), List.of());
            return named.stream()
                    .filter(address -> address.pool == pool)
                    .mapToInt(Address::number)
                    .sorted()
                    .toArray();
        }
        return IntStream.range(0, pool.numbers()).toArray();
    }

    /** The devices of a node or topology group. */
    List<Address> scope(boolean byNode, String name) {
        return List.copyOf((byNode ? nodes : groups).getOrDefault(name, List.of()));
    }

    /** Names of nodes that carry devices, in the order in which they came. */
    List<String> nodesByAge() {
        return nodes.entrySet().stream()
                .filter(entry -> !entry.getValue().isEmpty())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Free units of a node in whole percent, once {@code place} is taken. */
    long freePercent(String node, CandidateSearch.Place place) {
        Geometry taken = place.pool().geometry;
        long free = -taken.sizeOf(taken.profileOf(ModelFleet.placement(place.slot())));
        long all = 0;
        for (Address address : nodes.getOrDefault(node, List.of())) {
            all += address.pool.geometry.units();
            free += address.pool.geometry.freeUnits(address.pool.fleet().occupancyOf(address.number));
        }
        return 100 * free / all;
    }

    /** Names of nodes, or of topology groups, that carry devices; sorted; the empty name is none. */
    List<String> scopes(boolean byNode) {
        TreeSet<String> names = new TreeSet<>();
        (byNode ? nodes : groups).forEach((name, addresses) -> {
            if (!name.isEmpty() && !addresses.isEmpty()) {
                names.add(name);
            }
        });
        return List.copyOf(names);
    }
}
