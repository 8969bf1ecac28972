package dev.sro.core.slicing.simulate;

import dev.sro.core.slicing.defrag.AdmissionPlan;
import dev.sro.core.slicing.defrag.Defragmenter;
import dev.sro.core.slicing.defrag.Disruption;
import dev.sro.core.slicing.defrag.Move;
import dev.sro.core.slicing.fleet.ModelFleet;
import dev.sro.core.slicing.pack.Feasibility;
import java.util.List;

/** Moves slices so that a request that is stuck fits. */
@FunctionalInterface
public interface RoomMaker {
    /** Never moves anything. */
    RoomMaker NONE = (fleet, profile) -> List.of();

    /**
     * Rearranges {@code fleet} so that a slice of {@code profile} fits, and answers the moves it made, each slice at most once; empty, and no
     * change, if it does not make room.
     */
    List<Move> makeRoom(ModelFleet fleet, int profile);

    /** Moves at most {@code maxMoves} slices, the fewest that make room; all are stopped before the first is started. */
    static RoomMaker byDefragmenter(Feasibility feasibility, int maxMoves) {
        Defragmenter planner = Defragmenter.of(feasibility);
        return (fleet, profile) -> {
            AdmissionPlan plan = planner.admit(fleet, Disruption.equal(), profile, maxMoves);
            for (Move move : plan.moves()) {
                fleet.vacate(move.device(), move.placement());
            }
            for (Move move : plan.moves()) {
                if (!fleet.occupy(move.toDevice(), move.toPlacement())) {
                    throw new IllegalStateException("a planned move is not legal: " + move);
                }
            }
            return plan.moves();
        };
    }
}
