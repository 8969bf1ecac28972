package dev.sro.core.slicing;

import dev.sro.core.slicing.MovePlan.Room;
import dev.sro.core.slicing.fleet.ModelFleet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Plans moves for gangs that are stuck. Slices go one after the other, widest first, each with the fewest moves that {@link GangRoom} finds
 * for it; on one node, topology group or device that is tried for those with the most free units. So what a plan says holds, but not
 * every gang that moves could admit gets a plan, and none is called the cheapest.
 */
final class GangRelocations {
    /** Nodes, groups or devices that are tried. */
    static final int MOST_SCOPES = 32;

    private final Registry registry;
    private final CandidateSearch candidates;
    private final ClaimBook claims;
    private final Relocations relocations;

    GangRelocations(Registry registry, CandidateSearch candidates, ClaimBook claims, Relocations relocations) {
        this.registry = registry;
        this.candidates = candidates;
        this.claims = claims;
        this.relocations = relocations;
    }

    /** A plan with rooms in the order of the requests and at most {@code movesEach} moves for each of them; empty if none was found. */
    Optional<MovePlan> admit(List<SliceRequest> requests, Spread spread, int movesEach) {
        MovePlan best = null;
        for (List<SliceRequest> narrowed : narrowed(requests, spread)) {
            Attempt attempt = new Attempt(requests, narrowed, spread, movesEach);
            MovePlan plan = attempt.run() ? attempt.plan() : null;
            if (plan != null && (best == null || Relocations.CHEAPER.compare(plan, best) < 0)) {
                best = plan;
            }
        }
        return Optional.ofNullable(best);
    }

    private List<List<SliceRequest>> narrowed(List<SliceRequest> requests, Spread spread) {
        if (spread == Spread.ANYWHERE || spread == Spread.DIFFERENT_DEVICES) {
            return List.of(requests);
        }
        List<String> names = spread == Spread.SAME_DEVICE
                ? registry.all().stream().map(SliceDevice::id).toList()
                : registry.scopes(spread == Spread.SAME_NODE);
        return names.stream()
                .filter(name -> requests.stream().allMatch(request -> allows(request, spread, name)))
                .sorted(Comparator.comparingLong(name -> -freeUnits(spread, name)))
                .limit(MOST_SCOPES)
                .map(name -> requests.stream()
                        .map(request -> within(request, spread, name))
                        .toList())
                .toList();
    }

    private boolean allows(SliceRequest request, Spread spread, String name) {
        return switch (spread) {
            case SAME_DEVICE -> CandidateSearch.fulfils(registry.device(name), request);
            case SAME_NODE -> request.node().map(name::equals).orElse(true);
            case SAME_TOPOLOGY_GROUP ->
                request.topologyGroup().map(name::equals).orElse(true);
            case ANYWHERE, DIFFERENT_DEVICES -> true;
        };
    }

    private static SliceRequest within(SliceRequest request, Spread spread, String name) {
        SliceRequest.Builder builder = SliceRequest.builder().from(request);
        return switch (spread) {
            case SAME_DEVICE -> builder.device(name).build();
            case SAME_NODE -> builder.node(name).build();
            case SAME_TOPOLOGY_GROUP -> builder.topologyGroup(name).build();
            case ANYWHERE, DIFFERENT_DEVICES -> request;
        };
    }

    private long freeUnits(Spread spread, String name) {
        List<Registry.Address> addresses = spread == Spread.SAME_DEVICE
                ? List.of(registry.address(name))
                : registry.scope(spread == Spread.SAME_NODE, name);
        return addresses.stream()
                .filter(address -> !address.pool().fleet().cordoned(address.number()))
                .mapToLong(address ->
                        address.pool().geometry.freeUnits(address.pool().fleet().occupancyOf(address.number())))
                .sum();
    }

    /** Places and moves on the fleet itself, and takes everything back at the end. */
    private final class Attempt {
        private final List<SliceRequest> requests;
        private final List<SliceRequest> narrowed;
        private final boolean apart;
        private final TrialPlacements trials;
        private final GangRoom room;
        private final Room[] rooms;

        Attempt(List<SliceRequest> requests, List<SliceRequest> narrowed, Spread spread, int movesEach) {
            this.requests = requests;
            this.narrowed = narrowed;
            this.apart = spread == Spread.DIFFERENT_DEVICES;
            this.trials = new TrialPlacements(registry, claims);
            this.room = new GangRoom(candidates, claims, relocations, trials, movesEach);
            this.rooms = new Room[requests.size()];
        }

        boolean run() {
            try {
                for (int i : GangPlacer.widestFirst(requests, candidates)) {
                    if (!place(i)) {
                        return false;
                    }
                }
                return true;
            } finally {
                trials.undo();
            }
        }

        private boolean place(int i) {
            SliceRequest request = narrowed.get(i);
            List<CandidateSearch.Offer> offers = candidates.offers(request);
            CandidateSearch.Place place = apart
                    ? candidates.find(request, offers, (pool, number) -> !trials.carries(pool, number))
                    : candidates.find(request, offers);
            if (place != null) {
                trials.take(request, place);
            } else {
                place = !apart && request.equals(requests.get(i))
                        ? room.byPlan(request)
                        : room.byEviction(requests.get(i), request, apart);
            }
            if (place == null) {
                return false;
            }
            ModelDevices pool = place.pool();
            SliceDevice device = pool.device(ModelFleet.device(place.slot()));
            rooms[i] = new Room(
                    device == null ? "" : device.id(), pool.geometry.startOf(ModelFleet.placement(place.slot())));
            return true;
        }

        /** Once everything was taken back. */
        MovePlan plan() {
            List<MovePlan.ClaimMove> moves = new ArrayList<>();
            long cost = 0;
            for (TrialPlacements.Moved moved : trials.moved()) {
                moves.add(moved.move());
                cost += moved.before().disruptionCost();
            }
            return new MovePlan(moves, moves.size() - trials.oneByOne(), List.of(rooms), cost, false);
        }
    }
}
