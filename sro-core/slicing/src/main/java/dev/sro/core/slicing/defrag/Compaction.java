package dev.sro.core.slicing.defrag;

import java.util.List;

/**
 * A plan that frees devices. Immutable.
 *
 * @param moves in an order in which every step is legal, except the last {@link #stopFirst()}
 * @param stopFirst how many moves at the end are legal only if all of them are stopped before the first is started
 * @param devicesBefore devices in use before; cordoned ones are not counted
 * @param devicesAfter devices in use afterwards
 * @param fewest no plan, however many moves it has, ends with fewer
 * @param cost sum of the costs of the moves
 * @param bound no plan that frees as many devices costs less
 */
public record Compaction(
        List<Move> moves, int stopFirst, int devicesBefore, int devicesAfter, long fewest, long cost, long bound) {
    /** Copies the list. */
    public Compaction {
        moves = List.copyOf(moves);
    }

    /** The cost above the bound; 0 proves that the plan is optimal for the devices that it frees. */
    public long gap() {
        return cost - bound;
    }
}
