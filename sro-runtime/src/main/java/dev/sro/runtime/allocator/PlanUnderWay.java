package dev.sro.runtime.allocator;

import dev.sro.core.allocation.PlacedDevice;
import dev.sro.runtime.allocator.MoveBook.Failed;
import dev.sro.runtime.allocator.MoveBook.Plan;
import dev.sro.runtime.allocator.MoveBook.Step;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The plan that is under way, and the rooms that are kept for it. What the {@link MoveLedger} has is what holds, this is a copy: another replica that
 * believes to lead may begin a plan, go on with this one or end it. Not thread-safe.
 */
final class PlanUnderWay {
    /** Between two looks into the ledger while there is a plan, and while there is none. */
    private static final Duration OFTEN = Duration.ofSeconds(5);

    private static final Duration SELDOM = Duration.ofSeconds(30);

    /** So long rooms are kept after the time of a plan, for which it is ended. */
    private static final Duration AFTER = Duration.ofSeconds(30);

    private final MoveLedger ledger;
    private final KeptRooms rooms;
    private final ObjectBook<Pod> pods;
    private Optional<Plan> plan = Optional.empty();
    /** Whether the ledger was read since this leads, and since a write of which nobody knows whether it counts. */
    private boolean known;

    private Instant next = Instant.MIN;

    PlanUnderWay(MoveLedger ledger, KeptRooms rooms, ObjectBook<Pod> pods) {
        this.ledger = ledger;
        this.rooms = rooms;
        this.pods = pods;
    }

    Optional<Plan> plan() {
        return plan;
    }

    /** Whether it is known what is under way. */
    boolean isKnown() {
        return known;
    }

    /** Forgets it; rooms are the caller's matter. */
    void forget() {
        plan = Optional.empty();
        known = false;
    }

    /** Reads it, if that was not done a short while ago. */
    void inform(Instant now) {
        if (known && next.isAfter(now)) {
            return;
        }
        ledger.read().ifPresent(entry -> {
            known = true;
            follows(entry.book());
        });
        next = now.plus(plan.isPresent() ? OFTEN : SELDOM);
    }

    /** Takes over what the ledger has; whether there is a plan. */
    boolean follows(MoveBook book) {
        if (!plan.filter(book::has).isPresent()) {
            drop();
        }
        Optional<Plan> before = plan;
        plan = book.plan();
        plan.filter(found -> !plan.equals(before)).ifPresent(found -> keep(found, before.isEmpty()));
        return plan.isPresent();
    }

    /** Begins one; whether it is written down. */
    boolean begin(MoveLedger.Entry entry, MoveBook book, Plan begun) {
        if (!ledger.write(entry, book.with(begun))) {
            // It may be there nevertheless.
            known = false;
            return false;
        }
        plan = Optional.of(begun);
        keep(begun, true);
        return true;
    }

    /** Has got more time, perhaps. */
    void goesOn(Plan longer) {
        if (plan.isPresent() && !plan.get().equals(longer)) {
            plan = Optional.of(longer);
            keep(longer, false);
        }
    }

    /**
     * Ends it.
     *
     * @param done whether it has helped
     * @return whether the ledger has it no more; if not, it is to be tried again
     */
    boolean end(Plan current, boolean done, Instant now) {
        Optional<MoveLedger.Entry> entry = ledger.read();
        if (entry.isEmpty()) {
            return false;
        }
        MoveBook book = entry.get().book().at(now);
        if (book.has(current)) {
            MoveBook without = book.without();
            MoveBook after = done
                    ? without
                    : without.with(new Failed(now.toString(), current.room().who()));
            if (!ledger.write(entry.get(), after)) {
                return false;
            }
        }
        drop();
        next = Instant.MIN;
        return true;
    }

    private void drop() {
        plan.ifPresent(gone -> {
            gone.steps().forEach(step -> rooms.letGo(step.owner()));
            rooms.letGo(gone.owner());
        });
        plan = Optional.empty();
    }

    /** @param all also what is kept no more */
    private void keep(Plan found, boolean all) {
        Map<String, Pod> byUid = pods.byUid();
        for (Step step : found.steps()) {
            if (all || rooms.isKept(step.owner())) {
                keep(found, step.owner(), List.of(step), byUid);
            }
        }
        if (all || rooms.isKept(found.owner())) {
            keep(found, found.owner(), found.seats(), byUid);
        }
    }

    private void keep(Plan found, String owner, List<Step> steps, Map<String, Pod> byUid) {
        List<KeptRooms.Seat> seats = new ArrayList<>();
        List<PlacedDevice> devices = new ArrayList<>();
        for (Step step : steps) {
            Optional<Pod> pod = Optional.ofNullable(byUid.get(step.uid())).map(KeptRooms::unbound);
            seats.add(new KeptRooms.Seat(step.next(), pod));
            devices.addAll(step.to());
        }
        rooms.keep(
                KeptRooms.Kept.promised(
                        owner, steps.get(0).who(), seats, found.end().plus(AFTER)),
                devices);
    }
}
