package dev.sro.core.slicing.defrag;

import java.util.List;

/**
 * A plan that admits one request. Immutable.
 *
 * @param verdict what was found
 * @param moves the instances to move first; in an order in which every step is legal if {@link #sequential()}
 * @param device where the request then goes, or -1
 * @param placement the placement that it gets, or -1
 * @param cost sum of the costs of the moved instances
 * @param sequential false if all moved instances have to be stopped before the first is started
 * @param minimal whether it is proved that no plan costs less and, of those that cost the same, none moves fewer
 * @param reason for people, where the request is not admitted; empty otherwise
 */
public record AdmissionPlan(
        Verdict verdict,
        List<Move> moves,
        int device,
        int placement,
        long cost,
        boolean sequential,
        boolean minimal,
        String reason) {
    /** The kind of result. */
    public enum Verdict {
        /** The request fits as it is. */
        DIRECT,
        /** The request fits after some moves. */
        MOVES,
        /** Proved: no moves, however many, admit it. */
        INFEASIBLE,
        /** No plan within the limits; with more moves there may be one. */
        BEYOND_LIMIT
    }

    /** Copies the list. */
    public AdmissionPlan {
        moves = List.copyOf(moves);
    }

    /** Whether the plan admits the request. */
    public boolean admits() {
        return device >= 0;
    }

    static AdmissionPlan not(Verdict verdict, String reason) {
        return new AdmissionPlan(verdict, List.of(), -1, -1, 0, true, verdict == Verdict.INFEASIBLE, reason);
    }
}
