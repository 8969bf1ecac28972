package dev.sro.core.slicing;

import dev.sro.core.slicing.MovePlan.ClaimMove;
import dev.sro.core.slicing.MovePlan.Room;
import dev.sro.core.slicing.defrag.Admission;
import dev.sro.core.slicing.defrag.Move;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Plans for claims out of plans for numbers, and their execution. */
final class Relocations {
    private final Registry registry;
    private final ClaimBook claims;

    Relocations(Registry registry, ClaimBook claims) {
        this.registry = registry;
        this.claims = claims;
    }

    /** The cheapest plan that admits a request that any device of a pool may serve; empty if there is none. */
    Optional<MovePlan> admit(List<Candidates.Offer> offers, int maxMoves) {
        MovePlan best = null;
        for (Candidates.Offer offer : offers) {
            Pool pool = offer.pool();
            Admission admission =
                    pool.defragmenter().admit(pool.fleet(), claims.disruption(pool), offer.profile(), maxMoves);
            if (admission.admits()
                    && (best == null || admission.moves().size() < best.moves().size())) {
                Room room = new Room(name(pool, admission.device()), pool.geometry.startOf(admission.placement()));
                best = new MovePlan(
                        moves(pool, admission.moves()), Optional.of(room), admission.sequential(), admission.minimal());
            }
        }
        return Optional.ofNullable(best);
    }

    private List<ClaimMove> moves(Pool pool, List<Move> moves) {
        return moves.stream()
                .map(move -> {
                    SliceClaim claim = claims.at(pool, move.device(), move.placement());
                    return new ClaimMove(
                            claim.id(),
                            claim.profile(),
                            claim.device(),
                            claim.start(),
                            name(pool, move.toDevice()),
                            pool.geometry.startOf(move.toPlacement()));
                })
                .toList();
    }

    private static String name(Pool pool, int number) {
        SliceDevice device = pool.device(number);
        if (device == null) {
            throw new IllegalStateException(
                    "a plan names device " + number + " of " + pool.model.key() + ", which is gone");
        }
        return device.id();
    }

    /** Moves every claim of a plan, or none. */
    void apply(MovePlan plan) {
        List<SliceClaim> before = new ArrayList<>();
        for (ClaimMove move : plan.moves()) {
            SliceClaim claim = claims.get(move.claim());
            if (claim == null || !claim.device().equals(move.fromDevice()) || claim.start() != move.fromStart()) {
                throw stale("claim " + move.claim() + " is not on " + move.fromDevice() + " at " + move.fromStart()
                        + " any more");
            }
            if (!claim.movable()) {
                throw stale("claim " + move.claim() + " must not be moved");
            }
            before.add(claim);
        }
        before.forEach(this::vacate);
        List<SliceClaim> after = new ArrayList<>();
        for (int i = 0; i < before.size(); i++) {
            ClaimMove move = plan.moves().get(i);
            SliceClaim moved = SliceClaim.builder()
                    .from(before.get(i))
                    .device(move.toDevice())
                    .start(move.toStart())
                    .build();
            if (!occupy(moved)) {
                after.forEach(this::vacate);
                before.forEach(this::occupy);
                throw stale("the place of claim " + move.claim() + " on " + move.toDevice() + " at " + move.toStart()
                        + " is taken");
            }
            after.add(moved);
        }
        // All old places first: one claim may take the place of another.
        before.forEach(claim -> claims.remove(claim.id()));
        after.forEach(claims::put);
    }

    private static SliceException stale(String why) {
        return new SliceException(SliceException.Code.STALE_PLAN, "plan: " + why + "; make a new one");
    }

    private void vacate(SliceClaim claim) {
        Registry.Address address = registry.address(claim.device());
        address.pool().fleet().release(address.number(), ClaimBook.placement(address.pool(), claim));
    }

    private boolean occupy(SliceClaim claim) {
        Registry.Address address = registry.address(claim.device());
        int placement = ClaimBook.placement(address.pool(), claim);
        return placement >= 0 && address.pool().fleet().occupy(address.number(), placement);
    }
}
