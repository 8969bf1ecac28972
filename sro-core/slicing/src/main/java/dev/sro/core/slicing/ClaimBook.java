package dev.sro.core.slicing;

import dev.sro.core.slicing.defrag.Disruption;
import dev.sro.core.slicing.fleet.ModelFleet;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Claims by name and by place. Reading by name is thread-safe; all else belongs to whoever holds the lock. */
final class ClaimBook {
    private final Registry registry;
    private final Map<String, SliceClaim> byName = new ConcurrentHashMap<>();
    private final Map<ModelDevices, Map<Long, String>> byPlace = new HashMap<>();
    /** Claims that do not move, or at a price, by name. */
    private final TreeMap<String, SliceClaim> special = new TreeMap<>();

    ClaimBook(Registry registry) {
        this.registry = registry;
    }

    @Nullable SliceClaim get(String id) {
        return byName.get(id);
    }

    boolean contains(String id) {
        return byName.containsKey(id);
    }

    Collection<SliceClaim> all() {
        return byName.values();
    }

    /** Adds a claim, or puts it in the place of the one of that name; the fleet is the caller's business. */
    void put(SliceClaim claim) {
        remove(claim.id());
        byName.put(claim.id(), claim);
        Registry.Address address = registry.address(claim.device());
        byPlace.computeIfAbsent(address.pool(), pool -> new HashMap<>()).put(slot(address, claim), claim.id());
        if (!claim.movable() || claim.disruptionCost() != 1) {
            special.put(claim.id(), claim);
        }
    }

    void remove(String id) {
        SliceClaim claim = byName.remove(id);
        if (claim != null) {
            Registry.Address address = registry.address(claim.device());
            byPlace.getOrDefault(address.pool(), new HashMap<>()).remove(slot(address, claim));
            special.remove(id);
        }
    }

    /** The claim at a placement of a device of a pool. */
    SliceClaim at(ModelDevices pool, int device, int placement) {
        String id = byPlace.getOrDefault(pool, Map.of()).get(ModelFleet.slot(device, placement));
        SliceClaim claim = id == null ? null : byName.get(id);
        if (claim == null) {
            throw new IllegalStateException("nobody holds placement " + placement + " of device " + device + " of "
                    + pool.model.key() + ", but it is taken");
        }
        return claim;
    }

    /** The costs of moving the claims of a pool. */
    Disruption disruption(ModelDevices pool) {
        Disruption.Builder builder = Disruption.builder();
        for (SliceClaim claim : special.values()) {
            Registry.Address address = registry.address(claim.device());
            if (address.pool() == pool) {
                int placement = ModelFleet.placement(slot(address, claim));
                if (claim.movable()) {
                    builder.cost(address.number(), placement, claim.disruptionCost());
                } else {
                    builder.pin(address.number(), placement);
                }
            }
        }
        return builder.build();
    }

    /** The placement that a claim has, or would have, on a device's model; -1 if the model does not offer it. */
    static int placement(ModelDevices pool, SliceClaim claim) {
        int profile = pool.model.indexOf(claim.profile());
        return profile < 0 ? -1 : pool.geometry.placement(profile, claim.start());
    }

    private static long slot(Registry.Address address, SliceClaim claim) {
        return ModelFleet.slot(address.number(), placement(address.pool(), claim));
    }
}
