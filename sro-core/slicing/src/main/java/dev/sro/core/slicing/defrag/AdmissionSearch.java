package dev.sro.core.slicing.defrag;

import java.util.List;

/** Raises the limits of cost and moves step by step until a plan is found: the first one is the cheapest. */
final class AdmissionSearch {
    /** Plans of equal cost that are compared: simulations with twice as many make no fewer moves. */
    private static final int PLANS = 4;

    private final LeavingCandidates candidates;
    private final int maxMoves;
    private final ExchangeSearch search;

    AdmissionSearch(LeavingCandidates candidates, int profile, int maxMoves, long steps) {
        this.candidates = candidates;
        this.maxMoves = maxMoves;
        this.search = new ExchangeSearch(candidates, profile, PLANS, steps);
    }

    AdmissionPlan run() {
        AdmissionPlan unordered = null;
        long cost = 1;
        boolean plain = candidates.classes.plain();
        while (cost < Long.MAX_VALUE && search.complete()) {
            // Every move costs at least 1, so up to the limit of moves the next limit of cost is the next number.
            long next = cost < maxMoves ? cost + 1 : Long.MAX_VALUE;
            for (int moves = plain ? (int) cost : 1; moves <= Math.min(maxMoves, cost); moves++) {
                boolean good = search.run(cost, moves, 0);
                List<Move> found = search.found();
                if (good && found != null) {
                    return plan(found, true, unordered == null && search.complete());
                }
                List<Move> fallback = search.fallback();
                if (unordered == null && fallback != null) {
                    unordered = plan(fallback, false, search.complete());
                }
                next = Math.min(next, search.nextCost() == Long.MAX_VALUE ? next : cost + search.nextCost());
            }
            cost = next;
        }
        if (unordered != null) {
            return unordered;
        }
        return AdmissionPlan.not(
                AdmissionPlan.Verdict.BEYOND_LIMIT,
                search.complete()
                        ? "enough room in sum, but no " + maxMoves + " moves make it fit"
                        : "enough room in sum, but no plan was found in the steps allowed");
    }

    private AdmissionPlan plan(List<Move> steps, boolean sequential, boolean minimal) {
        Move last = steps.get(steps.size() - 1);
        List<Move> moves = steps.subList(0, steps.size() - 1);
        return new AdmissionPlan(
                AdmissionPlan.Verdict.MOVES,
                moves,
                last.toDevice(),
                last.toPlacement(),
                cost(moves),
                sequential,
                minimal,
                "");
    }

    private long cost(List<Move> moves) {
        long sum = 0;
        for (Move move : moves) {
            sum += candidates.classes.costOf(move.device(), move.placement());
        }
        return sum;
    }
}
