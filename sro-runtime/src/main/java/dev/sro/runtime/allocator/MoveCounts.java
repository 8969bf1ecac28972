package dev.sro.runtime.allocator;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** How many pods were moved, and what became of plans, for Prometheus. Thread-safe. */
final class MoveCounts {
    /** Pods that were evicted so that others have room. */
    static final String MOVES = "sro_allocator_moves_total";

    /** Plans that are over. */
    static final String PLANS = "sro_allocator_move_plans_total";

    private final Map<Outcome, Long> plans = new EnumMap<>(Outcome.class);
    private long moves;

    /** What became of a plan. */
    enum Outcome {
        /** The pod has its slices, and so have those that came in the place of others. */
        DONE,
        /** The pod has its slices, but another one did not come in the place of each that was moved. */
        LATE,
        /** The pod waits still. */
        GIVEN_UP;

        private String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    MoveCounts() {
        for (Outcome outcome : Outcome.values()) {
            plans.put(outcome, 0L);
        }
    }

    synchronized void moved() {
        moves++;
    }

    synchronized void plan(Outcome outcome) {
        plans.merge(outcome, 1L, Long::sum);
    }

    synchronized long moves() {
        return moves;
    }

    synchronized long plans(Outcome outcome) {
        return plans.getOrDefault(outcome, 0L);
    }

    /** In the text format of Prometheus. */
    synchronized String text() {
        StringBuilder text = new StringBuilder();
        text.append("# HELP ").append(MOVES).append(" Pods that were evicted so that others have room.\n");
        text.append("# TYPE ").append(MOVES).append(" counter\n");
        text.append(MOVES).append(' ').append(moves).append('\n');
        text.append("# HELP ").append(PLANS).append(" Plans of moves that are over, by outcome.\n");
        text.append("# TYPE ").append(PLANS).append(" counter\n");
        plans.forEach((outcome, count) -> text.append(PLANS)
                .append("{outcome=\"")
                .append(outcome.label())
                .append("\"} ")
                .append(count)
                .append('\n'));
        return text.toString();
    }
}
