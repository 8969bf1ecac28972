package dev.sro.core.slicing;

import dev.sro.core.slicing.CandidateSearch.Offer;
import dev.sro.core.slicing.CandidateSearch.Place;
import dev.sro.core.slicing.fleet.ModelFleet;
import dev.sro.core.slicing.geometry.Geometry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes room for one slice of a gang beside those that are placed, with few moves, on the fleet itself: see {@link TrialPlacements}. */
final class GangRoom {
    /** Ways to evict that are tried, the cheapest first. */
    private static final int MOST_WAYS = 256;

    private final CandidateSearch candidates;
    private final ClaimBook claims;
    private final Relocations relocations;
    private final TrialPlacements trials;
    private final int most;

    GangRoom(CandidateSearch candidates, ClaimBook claims, Relocations relocations, TrialPlacements trials, int most) {
        this.candidates = candidates;
        this.claims = claims;
        this.relocations = relocations;
        this.trials = trials;
        this.most = most;
    }

    /** By the planner for single requests; takes the room. Null, and no change, if it finds none. */
    @Nullable Place byPlan(SliceRequest request) {
        Relocations.Relocation found = relocations.find(request, candidates.offers(request), most);
        if (found == null) {
            return null;
        }
        List<SliceClaim> lifted = new ArrayList<>();
        for (MovePlan.ClaimMove move : found.plan().moves()) {
            SliceClaim claim = claims.get(move.claim());
            if (claim == null) {
                throw new IllegalStateException("a plan names claim " + move.claim() + ", which is gone");
            }
            trials.lift(claim);
            lifted.add(claim);
        }
        for (int i = 0; i < lifted.size(); i++) {
            trials.put(lifted.get(i), found.to().get(i));
        }
        trials.take(request, found.room());
        return found.room();
    }

    /** Claims of one device that make way for a slice. */
    private record Way(Place room, List<SliceClaim> evicted, long cost) {}

    /**
     * By evicting claims of one device, which go wherever the constraints of the gang's request allow, whatever the gang wants of its own slices;
     * takes the room. Null, and no change, if there is none.
     *
     * @param wide the request as it was made
     * @param narrow the same where this slice of the gang has to be
     * @param apart whether devices that carry a slice of the gang are out of the question
     */
    @Nullable Place byEviction(SliceRequest wide, SliceRequest narrow, boolean apart) {
        List<Way> ways = new ArrayList<>();
        for (Offer offer : candidates.offers(narrow)) {
            ways(offer, narrow, apart, ways);
        }
        ways.sort(Comparator.comparingLong(Way::cost).thenComparingInt(way -> way.evicted.size()));
        for (Way way : ways.subList(0, Math.min(MOST_WAYS, ways.size()))) {
            if (evict(way, wide, narrow)) {
                return way.room;
            }
        }
        return null;
    }

    private void ways(Offer offer, SliceRequest request, boolean apart, List<Way> ways) {
        ModelDevices pool = offer.pool();
        Set<List<Object>> seen = new HashSet<>();
        for (int number : candidates.numbers(pool, request)) {
            if (pool.fleet().cordoned(number)
                    || !CandidateSearch.fulfils(pool.device(number), request)
                    || (apart && trials.carries(pool, number))) {
                continue;
            }
            int layout = pool.fleet().layoutOf(number);
            List<SliceClaim> movable = new ArrayList<>();
            List<Object> key = new ArrayList<>(List.of(layout));
            for (long rest = pool.geometry.placementsOf(layout); rest != 0; rest &= rest - 1) {
                SliceClaim claim = claims.at(pool, number, Long.numberOfTrailingZeros(rest));
                key.add(claim.movable() ? claim.disruptionCost() : 0);
                if (claim.movable()) {
                    movable.add(claim);
                }
            }
            // Devices that carry the same at the same price make the same ways.
            if (seen.add(key)) {
                ways(offer, number, movable, ways);
            }
        }
    }

    private void ways(Offer offer, int number, List<SliceClaim> movable, List<Way> ways) {
        ModelDevices pool = offer.pool();
        Geometry geometry = pool.geometry;
        for (int set = 1; set < 1 << movable.size(); set++) {
            if (Integer.bitCount(set) > most) {
                continue;
            }
            int layout = pool.fleet().layoutOf(number);
            List<SliceClaim> evicted = new ArrayList<>();
            long cost = 0;
            for (int i = 0; i < movable.size(); i++) {
                if ((set >>> i & 1) != 0) {
                    evicted.add(movable.get(i));
                    cost += movable.get(i).disruptionCost();
                    layout = geometry.toggle(layout, ClaimBook.placement(pool, movable.get(i)));
                }
            }
            for (int k = geometry.firstPlacement(offer.profile());
                    k < geometry.firstPlacement(offer.profile() + 1);
                    k++) {
                if (geometry.add(geometry.occupancyOf(layout), k) != Geometry.ILLEGAL) {
                    ways.add(new Way(new Place(pool, ModelFleet.slot(number, k)), evicted, cost));
                }
            }
        }
    }

    private boolean evict(Way way, SliceRequest wide, SliceRequest narrow) {
        int before = trials.moved().size();
        way.evicted.forEach(trials::lift);
        trials.take(narrow, way.room);
        for (SliceClaim claim : widestFirst(way)) {
            Place to = elsewhere(claim, wide, way.room);
            if (to == null) {
                trials.liftMovedSince(before);
                trials.giveBackLast();
                way.evicted.forEach(trials::putBack);
                return false;
            }
            trials.put(claim, to);
        }
        return true;
    }

    private static List<SliceClaim> widestFirst(Way way) {
        ModelDevices pool = way.room.pool();
        return way.evicted.stream()
                .sorted(Comparator.comparingInt(claim -> -pool.geometry.sizeOf(pool.model.indexOf(claim.profile()))))
                .toList();
    }

    // Rather on another device: this one may have to take more of the gang.
    private @Nullable Place elsewhere(SliceClaim claim, SliceRequest wide, Place room) {
        SliceRequest request = SliceRequest.builder()
                .from(wide)
                .claim(claim.id())
                .profile(claim.profile())
                .model(room.pool().model.key())
                .build();
        List<Offer> offers = candidates.offers(request);
        int device = ModelFleet.device(room.slot());
        Place other = candidates.find(request, offers, (pool, number) -> number != device);
        return other != null ? other : candidates.find(request, offers, (pool, number) -> true);
    }
}
