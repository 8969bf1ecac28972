package dev.sro.runtime.allocator;

import dev.sro.core.allocation.PlacedDevice;
import dev.sro.core.allocation.PodDemand;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What was moved in the last hour, and the plan that is under way. It is written down before a pod is evicted, so who starts anew neither evicts more than is
 * allowed nor forgets whom room is kept for. Immutable.
 *
 * @param moved the oldest first
 * @param plans one, or none
 */
record MoveBook(List<Moved> moved, List<Plan> plans) {
    static final MoveBook EMPTY = new MoveBook(List.of(), List.of());

    private static final Duration HOUR = Duration.ofHours(1);

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
     * @param room the one that waits
     * @param steps in their order
     * @param until when all of it has to have happened
     */
    record Plan(Step room, List<Step> steps, String until) {
        Plan {
            steps = List.copyOf(steps);
        }

        Instant end() {
            return Instant.parse(until);
        }

        Plan until(Instant end) {
            return new Plan(room, steps, end.toString());
        }
    }

    /**
     * A room that is kept.
     *
     * @param who UID of the pod that gets it, or of the controller whose next pod does
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

        /** Under which it is kept. */
        String owner() {
            return KeptRooms.owner(next.uid());
        }
    }

    MoveBook {
        moved = List.copyOf(moved);
        plans = List.copyOf(plans);
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
        return new MoveBook(known, under);
    }

    /** Those of the last hour alone. */
    MoveBook at(Instant now) {
        return new MoveBook(
                moved.stream().filter(one -> one.when().plus(HOUR).isAfter(now)).toList(), plans);
    }

    /** When the next one may be moved, if as many as are allowed were; empty if one may now. */
    Optional<Instant> next(int perHour) {
        return moved.size() < perHour
                ? Optional.empty()
                : Optional.of(
                        perHour == 0
                                ? Instant.MAX
                                : moved.get(moved.size() - perHour).when().plus(HOUR));
    }

    boolean has(String uid) {
        return moved.stream().anyMatch(one -> one.uid().equals(uid));
    }

    /** Whether a pod may have come in the place of one that was moved. */
    boolean isYoungerThanMoveOf(String controller, Instant created) {
        return moved.stream()
                .anyMatch(one -> one.controller().equals(controller)
                        && !created.isBefore(one.when().minus(Duration.ofMinutes(1))));
    }

    MoveBook with(Moved one, Plan plan) {
        List<Moved> all = new ArrayList<>(moved);
        all.add(one);
        return new MoveBook(all, List.of(plan));
    }

    MoveBook without() {
        return new MoveBook(moved, List.of());
    }
}
