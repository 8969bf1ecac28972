package dev.sro.core.slicing;

import dev.sro.core.slicing.MovePlan.ClaimMove;
import dev.sro.core.slicing.MovePlan.Room;
import dev.sro.core.slicing.defrag.AdmissionPlan;
import dev.sro.core.slicing.defrag.Compaction;
import dev.sro.core.slicing.defrag.Move;
import dev.sro.core.slicing.fleet.FleetView;
import dev.sro.core.slicing.fleet.ModelFleet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Plans for claims out of plans for numbers, and their execution. */
final class Relocations {
    static final Comparator<MovePlan> CHEAPER = Comparator.comparingLong(MovePlan::cost)
            .thenComparingInt(plan -> plan.moves().size());

    private final Registry registry;
    private final ClaimBook claims;

    Relocations(Registry registry, ClaimBook claims) {
        this.registry = registry;
        this.claims = claims;
    }

    /** A plan, with where its moves and the request go in numbers. */
    record Relocation(MovePlan plan, List<CandidateSearch.Place> to, CandidateSearch.Place room) {}

    /** The cheapest plan within the limit that admits a request; moves stay on devices that fulfil its constraints. */
    Optional<MovePlan> admit(SliceRequest request, List<CandidateSearch.Offer> offers, int maxMoves) {
        Relocation found = find(request, offers, maxMoves);
        return found == null ? Optional.empty() : Optional.of(found.plan);
    }

    /** As {@link #admit}; null if there is no plan. */
    @Nullable Relocation find(SliceRequest request, List<CandidateSearch.Offer> offers, int maxMoves) {
        Relocation best = null;
        for (CandidateSearch.Offer offer : offers) {
            ModelDevices pool = offer.pool();
            AdmissionPlan admission = pool.defragmenter()
                    .admit(allowed(pool, request), claims.disruption(pool), offer.profile(), maxMoves);
            if (admission.admits()) {
                MovePlan plan = admission(pool, admission);
                if (best == null || CHEAPER.compare(plan, best.plan) < 0) {
                    best = found(pool, admission, plan);
                }
            }
        }
        return best;
    }

    private static Relocation found(ModelDevices pool, AdmissionPlan admission, MovePlan plan) {
        return new Relocation(
                plan,
                admission.moves().stream()
                        .map(move ->
                                new CandidateSearch.Place(pool, ModelFleet.slot(move.toDevice(), move.toPlacement())))
                        .toList(),
                new CandidateSearch.Place(pool, ModelFleet.slot(admission.device(), admission.placement())));
    }

    private MovePlan admission(ModelDevices pool, AdmissionPlan admission) {
        Room room = new Room(name(pool, admission.device()), pool.geometry.startOf(admission.placement()));
        return new MovePlan(
                moves(pool, admission.moves()),
                admission.sequential() ? 0 : admission.moves().size(),
                List.of(room),
                admission.cost(),
                admission.minimal());
    }

    // Nobody keeps what a claim once asked for, so a claim that leaves the devices asked for might not be allowed where
    // it
    // goes; those are cordoned for the planner.
    private static FleetView allowed(ModelDevices pool, SliceRequest request) {
        if (CandidateSearch.anyDevice(request)) {
            return pool.fleet();
        }
        ModelFleet narrowed = pool.fleet().copy();
        for (int number = 0; number < pool.numbers(); number++) {
            if (!CandidateSearch.fulfils(pool.device(number), request)) {
                narrowed.cordon(number, true);
            }
        }
        return narrowed;
    }

    /** Frees devices, pool by pool, until the budget is spent. */
    List<CompactionPlan> compact(Predicate<ModelDevices> wanted, long budget) {
        if (budget < 0) {
            throw new SliceException(SliceException.Code.INVALID_REQUEST, "budget " + budget + " is negative");
        }
        List<CompactionPlan> plans = new ArrayList<>();
        long left = budget;
        for (ModelDevices pool : registry.pools()) {
            if (wanted.test(pool)) {
                CompactionPlan plan = compact(pool, left);
                left -= plan.plan().cost();
                plans.add(plan);
            }
        }
        return plans;
    }

    private CompactionPlan compact(ModelDevices pool, long budget) {
        Compaction plan = pool.defragmenter().compact(pool.fleet(), claims.disruption(pool), budget);
        return new CompactionPlan(
                pool.model.key(),
                new MovePlan(moves(pool, plan.moves()), plan.stopFirst(), List.of(), plan.cost(), plan.gap() == 0),
                plan.devicesBefore(),
                plan.devicesAfter(),
                plan.fewest(),
                plan.bound());
    }

    private List<ClaimMove> moves(ModelDevices pool, List<Move> moves) {
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

    private static String name(ModelDevices pool, int number) {
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
        address.pool().fleet().vacate(address.number(), ClaimBook.placement(address.pool(), claim));
    }

    private boolean occupy(SliceClaim claim) {
        Registry.Address address = registry.address(claim.device());
        int placement = ClaimBook.placement(address.pool(), claim);
        return placement >= 0 && address.pool().fleet().occupy(address.number(), placement);
    }
}
