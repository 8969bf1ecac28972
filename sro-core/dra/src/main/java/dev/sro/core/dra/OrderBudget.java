package dev.sro.core.dra;

/**
 * How many writes of orders a node may make for what comes and goes on it: a pod comes and goes once, so that with six uses for a write there is at
 * most one write for three pods. Some are saved up for busy moments. Immutable.
 *
 * @param saved writes that may be made at once; negative after a write of several slices
 */
public record OrderBudget(double saved) {
    /** So many claims come or go for each write. */
    public static final int USES = 6;

    private static final double MOST = 4;

    /** With all that can be saved up. */
    public static OrderBudget full() {
        return new OrderBudget(MOST);
    }

    /** After so many claims came or went. */
    public OrderBudget earned(int uses) {
        return new OrderBudget(Math.min(MOST, saved + (double) uses / USES));
    }

    /** After so many slices were written. */
    public OrderBudget spent(int writes) {
        return new OrderBudget(saved - writes);
    }

    /** Whether an order may be written. */
    public boolean allows() {
        return saved >= 1;
    }
}
