package dev.sro.runtime.allocator;

import dev.sro.runtime.allocator.MoveBook.Moved;
import dev.sro.runtime.allocator.MoveBook.Plan;
import dev.sro.runtime.allocator.MoveBook.Step;
import dev.sro.runtime.allocator.MoveCounts.Outcome;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Has the pods of a plan move, one after the other: each is evicted when the one before it has its new place, if that leads to room by what is known at
 * that moment. Not thread-safe.
 */
final class MoveSteps {
    /** How long each step may take, beside the time that its pod has to end. */
    static final Duration PATIENCE = Duration.ofMinutes(10);

    /** Between two attempts; a budget of disruptions does not come back sooner. */
    private static final Duration EACH = Duration.ofSeconds(5);

    private static final long GRACE = 30;

    private final KubernetesClient client;
    private final BooleanSupplier leads;
    private final int movesPerHour;
    private final MoveLedger ledger;
    private final MoveChecks checks;
    private final KeptRooms rooms;
    private final PodEvents events;
    private final PodEviction eviction;
    private final ObjectBook<Pod> pods;
    private final MoveCounts counts;
    private Instant next = Instant.MIN;
    private String held = "";
    private Optional<Plan> last = Optional.empty();

    /** How far a plan is. */
    sealed interface Progress {
        /** It goes on, perhaps for longer than before. */
        record Goes(Plan plan) implements Progress {}

        /** It is over. */
        record Over(Outcome outcome, String text) implements Progress {}
    }

    MoveSteps(
            KubernetesClient client,
            BooleanSupplier leads,
            int movesPerHour,
            MoveLedger ledger,
            MoveChecks checks,
            KeptRooms rooms,
            PodEvents events,
            PodEviction eviction,
            ObjectBook<Pod> pods,
            MoveCounts counts) {
        this.client = client;
        this.leads = leads;
        this.movesPerHour = movesPerHour;
        this.ledger = ledger;
        this.checks = checks;
        this.rooms = rooms;
        this.events = events;
        this.eviction = eviction;
        this.pods = pods;
        this.counts = counts;
    }

    /** Does what can be done now. */
    Progress advance(Plan plan, Set<String> waiting, UnitPlacer.Nodes known) {
        if (last.filter(plan::isSame).isEmpty()) {
            held = "";
            next = Instant.MIN;
        }
        last = Optional.of(plan);
        Map<String, Pod> byUid = pods.byUid();
        boolean late = !plan.end().isAfter(known.now());
        for (Step seat : plan.seats()) {
            Pod room = byUid.get(seat.uid());
            if (room == null && mayBeThere(seat)) {
                return new Progress.Goes(plan);
            }
            if (room == null || AllocationMarks.done(room)) {
                String gone = plan.seats().size() == 1 ? "the pod" : "pod " + seat.key() + " of the gang";
                return over(Outcome.GIVEN_UP, gone + " that waited is gone");
            }
        }
        if (plan.seats().stream().noneMatch(seat -> waiting.contains(seat.uid()))) {
            return has(plan, byUid, late);
        }
        if (late) {
            return over(
                    Outcome.GIVEN_UP,
                    "no room was made by moves in the time that they may take" + (held.isEmpty() ? "" : ": " + held));
        }
        for (Step step : plan.steps()) {
            if (stays(byUid.get(step.uid()))) {
                return next.isAfter(known.now()) ? new Progress.Goes(plan) : move(plan, step, known);
            }
            if (rooms.isKept(step.owner())) {
                held = "no pod has come in the place of pod " + step.key();
                return new Progress.Goes(plan);
            }
        }
        return new Progress.Goes(plan);
    }

    private Progress over(Outcome outcome, String text) {
        held = "";
        next = Instant.MIN;
        return new Progress.Over(outcome, text);
    }

    /** Who has not been moved by then need not move. */
    private Progress has(Plan plan, Map<String, Pod> byUid, boolean late) {
        plan.steps().stream().filter(step -> stays(byUid.get(step.uid()))).forEach(step -> rooms.letGo(step.owner()));
        List<String> open = plan.steps().stream()
                .filter(step -> rooms.isKept(step.owner()))
                .map(Step::key)
                .toList();
        if (open.isEmpty()) {
            return over(Outcome.DONE, "");
        }
        return late
                ? over(Outcome.LATE, "it has room, but no pods have come in the place of " + String.join(", ", open))
                : new Progress.Goes(plan);
    }

    private static boolean stays(@Nullable Pod pod) {
        return pod != null && pod.getMetadata().getDeletionTimestamp() == null && !AllocationMarks.done(pod);
    }

    private Progress move(Plan plan, Step step, UnitPlacer.Nodes known) {
        next = known.now().plus(EACH);
        Pod pod;
        List<Pod> rooms = new ArrayList<>();
        try {
            pod = get(step);
            for (Step seat : plan.seats()) {
                Optional.ofNullable(get(seat)).filter(MoveSteps::stays).ifPresent(rooms::add);
            }
        } catch (KubernetesClientException e) {
            held = "the API server does not say how pods are: " + e.getMessage();
            return new Progress.Goes(plan);
        }
        if (pod == null || !stays(pod) || rooms.size() < plan.seats().size()) {
            // A watch will tell.
            return new Progress.Goes(plan);
        }
        Optional<String> against = checks.against(plan, step, pod, rooms, known);
        return against.<Progress>map(why -> over(Outcome.GIVEN_UP, "moves were given up: " + why))
                .orElseGet(() -> new Progress.Goes(evict(plan, step, pod, known.now())));
    }

    /** Another replica may have seen a pod of which no watch has told here. */
    private boolean mayBeThere(Step step) {
        try {
            return get(step) != null;
        } catch (KubernetesClientException e) {
            return true;
        }
    }

    private @Nullable Pod get(Step step) {
        int slash = step.key().indexOf('/');
        Pod pod = client.pods()
                .inNamespace(step.key().substring(0, slash))
                .withName(step.key().substring(slash + 1))
                .get();
        if (pod == null || !pod.getMetadata().getUid().equals(step.uid())) {
            return null;
        }
        pods.seen(pod);
        return pod;
    }

    /** Writes it down first, so that what is lost with this process counts as done. */
    private Plan evict(Plan plan, Step step, Pod pod, Instant now) {
        Optional<MoveLedger.Entry> entry = ledger.read();
        if (entry.isEmpty()) {
            return plan;
        }
        MoveBook book = entry.get().book().at(now);
        if (!book.has(plan)) {
            held = "another replica has ended this plan";
            return plan;
        }
        boolean again = book.has(step.uid());
        boolean full = !again && book.isFull(movesPerHour);
        Optional<PodEviction.Refused> no = full ? Optional.empty() : eviction.tryAll(List.of(pod));
        if (full || no.isPresent()) {
            held = no.map(PodEviction.Refused::why)
                    .orElse("no more than " + movesPerHour + " pods may be moved in an hour (--moves-per-hour)");
            return plan;
        }
        Long grace = pod.getSpec().getTerminationGracePeriodSeconds();
        Plan longer = again ? plan : plan.until(now.plus(PATIENCE).plusSeconds(grace == null ? GRACE : grace));
        // Again with each attempt, as the hour begins when the pod goes, and only while the plan is there.
        Moved moved = new Moved(now.toString(), step.key(), step.uid(), step.who());
        if (!ledger.write(entry.get(), book.with(moved, longer))) {
            return plan;
        }
        if (leads.getAsBoolean()) {
            evict(longer, step, pod);
        }
        return longer;
    }

    private void evict(Plan plan, Step step, Pod pod) {
        Optional<PodEviction.Refused> no = eviction.evict(pod);
        if (no.isPresent()) {
            held = no.get().why();
            return;
        }
        held = "";
        counts.moved();
        events.tell(
                pod,
                "SlicesMoved",
                "its slices on node " + step.from() + " make room for " + plan.name()
                        + "; the pod in its place gets others on node " + step.node());
    }
}
