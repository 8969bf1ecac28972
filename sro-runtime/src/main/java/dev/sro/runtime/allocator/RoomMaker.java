package dev.sro.runtime.allocator;

import dev.sro.core.allocation.RoomPlan;
import dev.sro.runtime.allocator.MakeRoom.Mode;
import dev.sro.runtime.allocator.MoveBook.Plan;
import dev.sro.runtime.allocator.MoveBook.Step;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes room for pods and gangs that wait by having others move that may: says which moves would, or has them made, one plan at a time and one pod after the other.
 * What is under way is kept by the {@link MoveLedger}. Not thread-safe.
 */
final class RoomMaker {
    private static final Logger LOG = LoggerFactory.getLogger(RoomMaker.class);

    /** Between two looks for one pod, as each takes many searches. */
    private static final Duration EACH = Duration.ofSeconds(30);

    private static final int MOST_LOOKS = 3;
    private static final int MOST_REFUSALS = 5;

    private final MakeRoom settings;
    private final MoveLedger ledger;
    private final RoomPlanner planner;
    private final MoveSteps steps;
    private final KeptRooms rooms;
    private final PodEvents events;
    private final PodEviction eviction;
    private final ObjectBook<Pod> pods;
    private final MoveCounts counts;
    /** Since when pods wait for room, and when each is looked at next. */
    private final Map<String, Instant> since = new HashMap<>();

    private final Map<String, Instant> notBefore = new HashMap<>();
    private final PlanUnderWay under;
    /** What is over and was said to be, until that is written down. */
    private Optional<Ended> ended = Optional.empty();

    private record Ended(Plan plan, MoveSteps.Progress.Over over) {}

    RoomMaker(
            MakeRoom settings,
            MoveLedger ledger,
            RoomPlanner planner,
            MoveSteps steps,
            KeptRooms rooms,
            PodEvents events,
            PodEviction eviction,
            ObjectBook<Pod> pods,
            MoveCounts counts) {
        this.settings = settings;
        this.ledger = ledger;
        this.planner = planner;
        this.steps = steps;
        this.rooms = rooms;
        this.events = events;
        this.eviction = eviction;
        this.pods = pods;
        this.counts = counts;
        this.under = new PlanUnderWay(ledger, rooms, pods);
    }

    /** Whether somebody is being moved, or was to be. */
    boolean isBusy() {
        return under.plan().isPresent();
    }

    /** Forgets what was under way, as somebody else goes on with it. */
    void forget() {
        under.forget();
        ended = Optional.empty();
        rooms.clear();
    }

    /** Learns what is under way, so that nobody is given what is kept. To be called before each look. */
    void inform(Instant now) {
        if (settings.mode() == Mode.EVICT) {
            under.inform(now);
            ended = ended.filter(
                    known -> under.plan().filter(known.plan()::isSame).isPresent());
        }
    }

    /**
     * Goes on with what is under way, or looks whether somebody can be helped.
     *
     * @param full who found no room in this look and may be helped, the first ones first
     * @param waiting UIDs of all that wait, and names of their gangs
     * @param ends who ends anyway
     */
    void look(List<FullUnit> full, Set<String> waiting, UnitPlacer.Nodes known, Supplier<SlicePreemption> ends) {
        since.keySet().retainAll(waiting);
        notBefore.keySet().retainAll(waiting);
        full.forEach(each -> since.putIfAbsent(each.unit().name(), known.now()));
        if (!settings.on() || (settings.mode() == Mode.EVICT && !under.isKnown())) {
            return;
        }
        if (isBusy()) {
            under.plan().ifPresent(found -> advance(found, waiting, known));
            return;
        }
        int looks = 0;
        for (FullUnit each : full) {
            if (!isBusy() && looks < MOST_LOOKS && isDue(each, known.now())) {
                looks++;
                notBefore.put(each.unit().name(), known.now().plus(EACH));
                if (!rooms.leaving(each.owner(), known.room(), () -> ends.get().endsMakeRoom(each.demands()))) {
                    help(each, known);
                }
            }
        }
        under.plan().ifPresent(begun -> advance(begun, waiting, known));
    }

    private boolean isDue(FullUnit each, Instant now) {
        String uid = each.unit().name();
        return each.demands().haveNothing()
                && !rooms.isPromised(each.owner())
                && !since.getOrDefault(uid, now).plus(settings.after()).isAfter(now)
                && !notBefore.getOrDefault(uid, now).isAfter(now);
    }

    private void help(FullUnit each, UnitPlacer.Nodes known) {
        Pod pod = each.first().pod();
        if (settings.mode() == Mode.REPORT) {
            say(pod, find(each, known, MoveBook.EMPTY, Map.of(), RoomPlanner.MOST_GANG_MOVES));
            return;
        }
        Optional<MoveLedger.Entry> entry = ledger.read();
        if (entry.isEmpty()) {
            return;
        }
        MoveBook book = entry.get().book().at(known.now());
        if (under.follows(book) || book.failed(each.unit().name())) {
            return;
        }
        Map<String, String> refused = new LinkedHashMap<>();
        for (int attempt = 0; attempt < MOST_REFUSALS; attempt++) {
            RoomPlanner.Finding found = find(each, known, book, refused, Math.max(1, settings.movesPerHour()));
            if (found.plan().isEmpty()) {
                say(pod, found);
                return;
            }
            Optional<PodEviction.Refused> no = eviction.tryAll(pods(found.plan().get()));
            if (no.isEmpty()) {
                begin(each, found, entry.get(), known.now());
                return;
            }
            refused.put(no.get().pod().getMetadata().getUid(), no.get().why());
        }
        events.tell(
                pod,
                "SlicesMovable",
                "pods that would have to move may not now: " + String.join("; ", refused.values()));
    }

    /** As if nothing were held for it. */
    private RoomPlanner.Finding find(
            FullUnit each, UnitPlacer.Nodes known, MoveBook book, Map<String, String> refused, int most) {
        return rooms.leaving(
                each.owner(), known.room(), () -> planner.find(each.demands(), known, book, refused, most));
    }

    private List<Pod> pods(RoomPlan found) {
        Map<String, Pod> known = pods.byUid();
        return found.moves().stream()
                .flatMap(move -> Optional.ofNullable(known.get(move.pod().next().uid())).stream())
                .toList();
    }

    private void say(Pod pod, RoomPlanner.Finding found) {
        if (!found.text().isEmpty()) {
            events.tell(pod, "SlicesMovable", found.text());
        }
    }

    private void begin(FullUnit each, RoomPlanner.Finding finding, MoveLedger.Entry entry, Instant now) {
        MoveBook book = entry.book().at(now);
        RoomPlan found = finding.plan().orElseThrow();
        int left = settings.movesPerHour() - book.moved().size();
        if (found.moves().size() > left) {
            events.tell(
                    each.first().pod(),
                    "SlicesMovable",
                    finding.text() + "; " + settings.movesPerHour()
                            + " pods may be moved in an hour (--moves-per-hour), "
                            + book.moved().size() + " were");
            return;
        }
        Map<String, Pod> known = pods.byUid();
        List<Step> moves = new ArrayList<>();
        for (RoomPlan.PodMove move : found.moves()) {
            Pod pod = known.get(move.pod().next().uid());
            Optional<String> controller = pod == null ? Optional.empty() : KeptRooms.controller(pod);
            if (controller.isEmpty()) {
                return;
            }
            moves.add(new Step(
                    controller.get(),
                    KeptRooms.at(move.pod().next(), move.node()),
                    move.pod().node(),
                    move.to()));
        }
        List<Step> seats = found.seats().stream()
                .map(seat -> new Step(each.unit().name(), KeptRooms.at(seat.pod(), seat.node()), "", seat.devices()))
                .toList();
        String until = now.plus(MoveSteps.PATIENCE).toString();
        if (under.begin(entry, book, new Plan(seats.get(0), seats.subList(1, seats.size()), moves, until))) {
            events.tell(each.first().pod(), "SlicesMoving", finding.text());
        }
    }

    private void advance(Plan current, Set<String> waiting, UnitPlacer.Nodes known) {
        MoveSteps.Progress progress =
                ended.<MoveSteps.Progress>map(Ended::over).orElseGet(() -> steps.advance(current, waiting, known));
        if (progress instanceof MoveSteps.Progress.Goes goes) {
            under.goesOn(goes.plan());
        } else if (progress instanceof MoveSteps.Progress.Over over) {
            end(current, over, known.now());
        }
    }

    /** Said before it is written down: who is killed in between has the next one say it again. */
    private void end(Plan current, MoveSteps.Progress.Over over, Instant now) {
        boolean done = over.outcome() == MoveCounts.Outcome.DONE;
        if (ended.isEmpty()) {
            ended = Optional.of(new Ended(current, over));
            counts.plan(over.outcome());
            Pod pod = pods.byUid().get(current.room().uid());
            if (pod != null && !done) {
                events.tell(pod, "SlicesNotMoved", over.text());
            }
            LOG.atInfo().log("moves for {}: {} {}", current.name(), over.outcome(), over.text());
        }
        notBefore.put(current.room().who(), now.plus(MoveBook.BACK_OFF));
        if (under.end(current, done, now)) {
            ended = Optional.empty();
        }
    }
}
