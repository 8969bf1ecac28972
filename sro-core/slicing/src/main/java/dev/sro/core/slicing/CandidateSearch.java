package dev.sro.core.slicing;

import dev.sro.core.slicing.fleet.ModelFleet;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.policy.PolicyTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Finds, for one request, the pools and devices that may serve it, and among them the slot that the policy prefers. */
final class CandidateSearch {
    /** A slot of a pool. */
    record Place(ModelDevices pool, long slot) {}

    /** A pool that knows the profile, with the profile's index there. */
    record Offer(ModelDevices pool, int profile) {}

    /** More occupancies than a table of a policy has. */
    private static final int ORDER_BITS = 16;

    private final Registry registry;

    CandidateSearch(Registry registry) {
        this.registry = registry;
    }

    /** Pools that have the profile, in the order of the policy, then in the order in which they were added. */
    List<Offer> offers(SliceRequest request) {
        List<Offer> offers = offers(request.profile());
        request.model()
                .ifPresent(model ->
                        offers.removeIf(offer -> !offer.pool.model.key().equals(model)));
        return offers;
    }

    private List<Offer> offers(String name) {
        List<Offer> offers = new ArrayList<>();
        for (ModelDevices pool : registry.pools()) {
            int profile = pool.model.indexOf(name);
            if (profile >= 0) {
                offers.add(new Offer(pool, profile));
            }
        }
        if (offers.size() > 1) {
            offers.sort(Comparator.comparingDouble(this::cost));
        }
        return offers;
    }

    /** What {@link #preference} goes by. */
    PreferenceBasis basis(String profile) {
        return new PreferenceBasis(offers(profile).stream()
                .map(offer -> offer.pool.fleet().policy())
                .toList());
    }

    private double cost(Offer offer) {
        Geometry geometry = offer.pool.geometry;
        double share = (double) geometry.sizeOf(offer.profile) / geometry.units();
        return registry.policy().modelCost(share, offer.pool.freeShare());
    }

    /** The preferred slot of the first offer that has one; null if none has. */
    @Nullable Place find(SliceRequest request, List<Offer> offers) {
        if (registry.policy().emptiestNodeFirst()
                && request.device().isEmpty()
                && request.node().isEmpty()) {
            return onEmptiestNode(request, offers);
        }
        for (Offer offer : offers) {
            long slot = anyDevice(request)
                    ? offer.pool.fleet().decide(offer.profile)
                    : best(offer, request, number -> true);
            if (slot != ModelFleet.NO_SLOT) {
                return new Place(offer.pool, slot);
            }
        }
        return null;
    }

    /** The place of the preferred slot in the order of the policy, models first; empty if there is none. */
    OptionalInt preference(SliceRequest request, List<Offer> offers) {
        for (int at = 0; at < offers.size(); at++) {
            Offer offer = offers.get(at);
            long slot = best(offer, request, number -> true);
            if (slot != ModelFleet.NO_SLOT) {
                ModelFleet fleet = offer.pool.fleet();
                int occupancy = fleet.occupancyOf(ModelFleet.device(slot));
                return OptionalInt.of((at << ORDER_BITS) + fleet.policy().order(occupancy, offer.profile));
            }
        }
        return OptionalInt.empty();
    }

    /** The preferred slot among devices that fulfil the request and {@code also}; null if there is none. */
    @Nullable Place find(SliceRequest request, List<Offer> offers, Also also) {
        for (Offer offer : offers) {
            long slot = best(offer, request, number -> also.test(offer.pool, number));
            if (slot != ModelFleet.NO_SLOT) {
                return new Place(offer.pool, slot);
            }
        }
        return null;
    }

    private @Nullable Place onEmptiestNode(SliceRequest request, List<Offer> offers) {
        Place best = null;
        long most = -1;
        for (String node : registry.nodesByAge()) {
            Place place = find(SliceRequest.builder().from(request).node(node).build(), offers, (pool, number) -> true);
            if (place != null) {
                long share = registry.freePercent(node, place);
                if (share > most) {
                    most = share;
                    best = place;
                }
            }
        }
        return best;
    }

    /** A condition on a device of a pool. */
    @FunctionalInterface
    interface Also {
        boolean test(ModelDevices pool, int number);
    }

    /** Whether every device of a pool that offers the profile will do. */
    static boolean anyDevice(SliceRequest request) {
        return request.device().isEmpty()
                && request.node().isEmpty()
                && request.labels().isEmpty()
                && request.topologyGroup().isEmpty();
    }

    /** Tells the policy of a grant, and whether the claim had been refused before. */
    void countGrant(SliceRequest request, ModelDevices pool, int profile) {
        pool.fleet().countGrant(profile);
        if (registry.recentRefusals().hadWaited(request.claim())) {
            pool.fleet().countWaited();
        }
    }

    /**
     * Tells policies of a refusal. A claim that asks again is one request, and work that waits. What a constraint rules out says nothing of
     * how full the fleet is.
     */
    void countRefusal(SliceRequest request, List<Offer> offers) {
        if (!anyDevice(request)) {
            return;
        }
        if (registry.recentRefusals().isFirst(request.claim())) {
            offers.forEach(offer -> offer.pool().fleet().countRefusal(offer.profile()));
        } else {
            offers.forEach(offer -> offer.pool().fleet().countRefusedAgain());
        }
    }

    private long best(Offer offer, SliceRequest request, IntPredicate also) {
        ModelFleet fleet = offer.pool.fleet();
        PolicyTable policy = fleet.policy();
        long best = ModelFleet.NO_SLOT;
        int least = Integer.MAX_VALUE;
        for (int number : numbers(offer.pool, request)) {
            if (fleet.cordoned(number) || !fulfils(offer.pool.device(number), request) || !also.test(number)) {
                continue;
            }
            int occupancy = fleet.occupancyOf(number);
            int rank = policy.rank(occupancy, offer.profile);
            if (rank == PolicyTable.NONE) {
                continue;
            }
            int order = policy.tieEnd(offer.profile, rank);
            if (order < least) {
                least = order;
                best = ModelFleet.slot(number, policy.placement(occupancy, offer.profile));
            }
        }
        return best;
    }

    /** Numbers that may fulfil the request, ascending: those of a node or group where it names one, else all. */
    int[] numbers(ModelDevices pool, SliceRequest request) {
        return registry.numbers(pool, request.device(), request.node(), request.topologyGroup());
    }

    /** Whether a device fulfils the constraints, whatever it carries. */
    static boolean fulfils(@Nullable SliceDevice device, SliceRequest request) {
        return device != null
                && request.device().map(device.id()::equals).orElse(true)
                && request.node().map(device.node()::equals).orElse(true)
                && request.topologyGroup().map(device.topologyGroup()::equals).orElse(true)
                && contains(device.labels(), request.labels());
    }

    private static boolean contains(Map<String, String> labels, Map<String, String> wanted) {
        return labels.entrySet().containsAll(wanted.entrySet());
    }
}
