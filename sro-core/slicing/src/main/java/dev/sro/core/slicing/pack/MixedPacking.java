package dev.sro.core.slicing.pack;

import java.util.List;

/**
 * Devices to take of several models, and the places of instances on them. Immutable.
 *
 * @param verdict how good this is
 * @param packings one for each model, in the order in which models were added; none if nothing was found
 * @param shares instances of each demand, in the order given, by model
 * @param cost price of all devices in use; 0 if nothing was found
 * @param lowerBound a cost that no way to carry the demands goes below; proved
 */
public record MixedPacking(
        Verdict verdict, List<Packing> packings, List<List<Long>> shares, long cost, long lowerBound) {
    /** The certainty of a result. */
    public enum Verdict {
        /** Proved: nothing costs less. */
        OPTIMAL,
        /** Something may cost less, but not less than the lower bound. */
        WITHIN_BOUND,
        /** Proved: the devices in stock can not carry the demands. */
        INFEASIBLE,
        /** Nothing was found in the steps allowed, and nothing was proved. */
        NOT_FOUND
    }

    /** Copies the lists. */
    public MixedPacking {
        packings = List.copyOf(packings);
        shares = shares.stream().map(List::copyOf).toList();
    }

    /** Whether every instance has a place. */
    public boolean found() {
        return verdict == Verdict.OPTIMAL || verdict == Verdict.WITHIN_BOUND;
    }

    /** The cost above the lower bound; 0 proves that the packing is optimal. */
    public long gap() {
        return found() ? cost - lowerBound : 0;
    }
}
