package dev.sro.core.placement;

import java.util.List;

/**
 * What became of a demand. Immutable.
 *
 * @param slices one for each profile of the demand, in its order; empty if it was refused
 * @param refusal why not, for people; empty if it was not refused
 */
public record Placement(List<PlacedSlice> slices, String refusal) {
    /** Copies the list. */
    public Placement {
        slices = List.copyOf(slices);
    }

    static Placement refused(String why) {
        return new Placement(List.of(), why);
    }

    /** Whether all slices are had. */
    public boolean granted() {
        return refusal.isEmpty();
    }

    /** The node that all of them are on. */
    public String node() {
        return slices.isEmpty() ? "" : slices.get(0).node();
    }
}
