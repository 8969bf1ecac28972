package dev.sro.core.slicing;

import dev.sro.core.slicing.CandidateSearch.Place;
import dev.sro.core.slicing.MovePlan.ClaimMove;
import dev.sro.core.slicing.fleet.ModelFleet;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Placements and moves for trial, which can be taken back. What was placed or moved once stays: it is pinned until then. The caller holds
 * the allocator's lock. Not thread-safe.
 */
final class TrialPlacements {
    /** A claim as it was, and where it went. */
    record Moved(SliceClaim before, ClaimMove move) {}

    private final Registry registry;
    private final ClaimBook claims;
    private final List<SliceClaim> taken = new ArrayList<>();
    private final List<Moved> moved = new ArrayList<>();
    private final Set<Registry.Address> carriers = new HashSet<>();

    TrialPlacements(Registry registry, ClaimBook claims) {
        this.registry = registry;
        this.claims = claims;
    }

    /** Whether a slice was placed on this device. */
    boolean carries(ModelDevices pool, int number) {
        return carriers.contains(new Registry.Address(pool, number));
    }

    /** Places a slice where there is room. */
    void take(SliceRequest request, Place place) {
        SliceClaim piece = claim(request.claim(), place);
        occupy(piece);
        claims.put(piece);
        taken.add(piece);
        carriers.add(registry.address(piece.device()));
    }

    private static SliceClaim claim(String id, Place place) {
        ModelDevices pool = place.pool();
        int placement = ModelFleet.placement(place.slot());
        SliceDevice device = pool.device(ModelFleet.device(place.slot()));
        if (device == null) {
            throw new IllegalStateException("a place on a device that is gone");
        }
        return SliceClaim.builder()
                .id(id)
                .device(device.id())
                .profile(pool.geometry
                        .profile(pool.geometry.profileOf(placement))
                        .name())
                .start(pool.geometry.startOf(placement))
                .pinned(true)
                .build();
    }

    /** Takes a claim off its device; {@link #put} or {@link #putBack} has to follow. */
    void lift(SliceClaim claim) {
        Registry.Address address = registry.address(claim.device());
        address.pool().fleet().vacate(address.number(), ClaimBook.placement(address.pool(), claim));
        claims.remove(claim.id());
    }

    /** Puts a claim that was lifted where there is room. */
    void put(SliceClaim claim, Place place) {
        SliceClaim after = claim(claim.id(), place);
        occupy(after);
        claims.put(after);
        moved.add(new Moved(
                claim,
                new ClaimMove(
                        claim.id(), claim.profile(), claim.device(), claim.start(), after.device(), after.start())));
    }

    /** Puts a claim that was lifted back to where it was. */
    void putBack(SliceClaim claim) {
        occupy(claim);
        claims.put(claim);
    }

    /** Forgets the last moves but the first {@code keep}: their claims are lifted again. */
    void liftMovedSince(int keep) {
        while (moved.size() > keep) {
            SliceClaim at = claims.get(moved.remove(moved.size() - 1).move().claim());
            if (at != null) {
                lift(at);
            }
        }
    }

    /** Takes the last slice that was placed back. */
    void giveBackLast() {
        SliceClaim piece = taken.remove(taken.size() - 1);
        lift(piece);
        Registry.Address address = registry.address(piece.device());
        if (taken.stream().noneMatch(other -> other.device().equals(piece.device()))) {
            carriers.remove(address);
        }
    }

    List<Moved> moved() {
        return moved;
    }

    /** Takes everything back; what was moved is still told. */
    void undo() {
        taken.forEach(this::lift);
        moved.forEach(each -> {
            SliceClaim at = claims.get(each.move().claim());
            if (at != null) {
                lift(at);
            }
        });
        moved.forEach(each -> putBack(each.before()));
        taken.clear();
    }

    /** How many of the moves, from the first on, go to a place that is free by then. Once everything was taken back. */
    int oneByOne() {
        List<SliceClaim> gone = new ArrayList<>();
        for (Moved each : moved) {
            lift(each.before());
            SliceClaim after = SliceClaim.builder()
                    .from(each.before())
                    .device(each.move().toDevice())
                    .start(each.move().toStart())
                    .build();
            if (!fits(after)) {
                putBack(each.before());
                break;
            }
            putBack(after);
            gone.add(after);
        }
        gone.forEach(this::lift);
        for (int i = 0; i < gone.size(); i++) {
            putBack(moved.get(i).before());
        }
        return gone.size();
    }

    private boolean fits(SliceClaim claim) {
        Registry.Address address = registry.address(claim.device());
        return address.pool().fleet().fits(address.number(), ClaimBook.placement(address.pool(), claim));
    }

    private void occupy(SliceClaim claim) {
        Registry.Address address = registry.address(claim.device());
        if (!address.pool().fleet().occupy(address.number(), ClaimBook.placement(address.pool(), claim))) {
            throw new IllegalStateException("a place that was found free is not: " + claim);
        }
    }
}
