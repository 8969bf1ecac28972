package dev.sro.runtime.allocator;

import dev.sro.core.allocation.PlacedDevice;
import dev.sro.core.allocation.PodDemand;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What was moved in the last hour, the plan that is under way, and whom plans did not help. It is written down before a pod is evicted, so who starts anew,
 * or believes to lead beside another, neither evicts more than is allowed nor forgets whom room is kept for. Immutable.
 *
 * @param moved in the order in which they were written down
 * @param plans one, or none
 * @param failed plans that were given up a short while ago
 */
record MoveBook(List<Moved> moved, List<Plan> plans, List<Failed> failed) {
    static final MoveBook EMPTY = new MoveBook(List.of(), List.of(), List.of());

    /** By how much clocks of replicas, and of the API server, may differ. */
    static final Duration SKEW = Duration.ofMinutes(1);

    /** After a plan that was given up, for the same pod. */
    static final Duration BACK_OFF = Duration.ofMinutes(10);

    /** An hour of any clock is over when it is over by all of them. */
    private static final Duration HOUR = Duration.ofHours(1).plus(SKEW);

    /**
     * A pod that was evicted, or was about to be.
     *
     * @param at when, as ISO 8601 has it
     * @param pod {@code namespace/name}
     * @param controller UID of who makes the next one
     */
    record Moved(String at, String pod, String uid, String controller) {
        Instant when() {
            return Instant.parse(at);
        }
    }

    /**
     * Moves that make room.
     *
     * @param room the one that waits, or the first of the gang that does
     * @param others of the gang
     * @param steps in their order
     * @param until when all of it has to have happened
     */
    record Plan(Step room, List<Step> others, List<Step> steps, String until) {
        Plan {
            // Books of versions before this have none.
            others = List.copyOf(Objects.requireNonNullElse(others, List.of()));
            steps = List.copyOf(steps);
        }

        /** All who wait. */
        List<Step> seats() {
            return Stream.concat(Stream.of(room), others.stream()).toList();
        }

        /** What they get. */
        List<PlacedDevice> devices() {
            return seats().stream().flatMap(seat -> seat.to().stream()).toList();
        }

        /** Under which the room is kept for them. */
        String owner() {
            return KeptRooms.owner(room.who());
        }

        /** For people. */
        String name() {
            return room.who().equals(room.uid()) ? "pod " + room.key() : "gang " + room.who();
        }

        /** For people: where room is made. */
        String where() {
            List<String> nodes =
                    seats().stream().map(Step::node).distinct().sorted().toList();
            return (nodes.size() == 1 ? "node " : "nodes ") + String.join(", ", nodes);
        }

        Instant end() {
            return Instant.parse(until);
        }

        Plan until(Instant end) {
            return new Plan(room, others, steps, end.toString());
        }

        /** Whether it is this one, which may have got more time meanwhile. */
        boolean isSame(Plan other) {
            return room.equals(other.room()) && others.equals(other.others()) && steps.equals(other.steps());
        }
    }

    /**
     * A pod or gang that moves did not help.
     *
     * @param at since when it is known, as ISO 8601 has it
     * @param uid of the pod, or name of the gang with its namespace
     */
    record Failed(String at, String uid) {
        Instant when() {
            return Instant.parse(at);
        }
    }

    /**
     * A room that is kept.
     *
     * @param who UID of the pod that gets it, or of the controller whose next pod does; name of the gang with its namespace
     * @param next what that one asks for
     * @param from the node that the pod leaves; empty for the one that waits
     * @param to devices
     */
    record Step(String who, PodDemand next, String from, List<PlacedDevice> to) {
        Step {
            to = List.copyOf(to);
        }

        /** The pod that ends, or that waits. */
        String uid() {
            return next.uid();
        }

        String key() {
            return next.key();
        }

        String node() {
            return next.nodes().get(0);
        }

        /** Under which it is kept, if nobody of those who wait gets it. */
        String owner() {
            return KeptRooms.owner(next.uid());
        }
    }

    MoveBook {
        moved = List.copyOf(moved);
        plans = List.copyOf(plans);
        // Books of versions before this have none.
        failed = List.copyOf(Objects.requireNonNullElse(failed, List.of()));
    }

    Optional<Plan> plan() {
        return plans.stream().findFirst();
    }

    /**
     * This, whose times can be read.
     *
     * @throws java.time.DateTimeException if one cannot
     */
    MoveBook checked() {
        List<Moved> known =
                moved.stream().filter(one -> one.when().isAfter(Instant.MIN)).toList();
        List<Plan> under =
                plans.stream().filter(one -> one.end().isAfter(Instant.MIN)).toList();
        List<Failed> gave =
                failed.stream().filter(one -> one.when().isAfter(Instant.MIN)).toList();
        return new MoveBook(known, under, gave);
    }

    /** What counts still. */
    MoveBook at(Instant now) {
        return new MoveBook(
                moved.stream().filter(one -> one.when().plus(HOUR).isAfter(now)).toList(),
                plans,
                failed.stream()
                        .filter(one -> one.when().plus(BACK_OFF).isAfter(now))
                        .toList());
    }

    /** Whether as many were moved as may be. */
    boolean isFull(int perHour) {
        return moved.size() >= perHour;
    }

    boolean has(String uid) {
        return moved.stream().anyMatch(one -> one.uid().equals(uid));
    }

    /** Whether this plan is the one that is under way. */
    boolean has(Plan plan) {
        return plan().filter(plan::isSame).isPresent();
    }

    /** Whether moves did not help a pod, or gang, a short while ago. */
    boolean failed(String uid) {
        return failed.stream().anyMatch(one -> one.uid().equals(uid));
    }

    /** Whether a pod may have come in the place of one that was moved. */
    boolean isYoungerThanMoveOf(String controller, Instant created) {
        return moved.stream()
                .anyMatch(one -> one.controller().equals(controller)
                        && !created.isBefore(one.when().minus(SKEW)));
    }

    MoveBook with(Plan plan) {
        return new MoveBook(moved, List.of(plan), failed);
    }

    /** The last time counts of one that is written down more than once. */
    MoveBook with(Moved one, Plan plan) {
        List<Moved> all = new ArrayList<>(moved);
        all.removeIf(before -> before.uid().equals(one.uid()));
        all.add(one);
        return new MoveBook(all, List.of(plan), failed);
    }

    MoveBook without() {
        return new MoveBook(moved, List.of(), failed);
    }

    MoveBook with(Failed one) {
        List<Failed> all = new ArrayList<>(failed);
        all.add(one);
        return new MoveBook(moved, plans, all);
    }
}
