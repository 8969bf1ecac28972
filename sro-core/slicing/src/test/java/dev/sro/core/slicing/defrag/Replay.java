package dev.sro.core.slicing.defrag;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.slicing.fixture.ListFleet;
import dev.sro.core.slicing.geometry.Geometry;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Does the moves of a plan on a copy of a fleet and fails at the first that is not legal. */
final class Replay {
    private Replay() {}

    /** Moves one by one, except the last {@code stopFirst}, which are all stopped before the first is started. */
    static ListFleet of(ListFleet fleet, List<Move> moves, int stopFirst) {
        ListFleet copy = fleet.copy();
        Set<List<Integer>> moved = new HashSet<>();
        int single = moves.size() - stopFirst;
        for (Move move : moves.subList(0, single)) {
            start(copy, stop(fleet, copy, moved, move));
        }
        List<Move> rest = moves.subList(single, moves.size());
        rest.forEach(move -> stop(fleet, copy, moved, move));
        rest.forEach(move -> start(copy, move));
        return copy;
    }

    /** As {@link #of}, but an instance may be put down on the way, so that the place it leaves need not be its first. */
    static ListFleet withDetours(ListFleet fleet, List<Move> moves, int stopFirst) {
        ListFleet copy = fleet.copy();
        int single = moves.size() - stopFirst;
        for (int i = 0; i < moves.size(); i++) {
            Move move = moves.get(i);
            assertThat(fleet.geometry().holds(copy.layoutOf(move.device()), move.placement()))
                    .isTrue();
            copy.toggle(move.device(), move.placement());
            if (i < single) {
                start(copy, move);
            }
        }
        moves.subList(single, moves.size()).forEach(move -> start(copy, move));
        return copy;
    }

    private static Move stop(ListFleet fleet, ListFleet copy, Set<List<Integer>> moved, Move move) {
        Geometry geometry = fleet.geometry();
        // It was there from the start, so nothing moves twice.
        assertThat(geometry.holds(fleet.layoutOf(move.device()), move.placement()))
                .as("%s was there at first", move)
                .isTrue();
        assertThat(moved.add(List.of(move.device(), move.placement())))
                .as("%s moves once", move)
                .isTrue();
        assertThat(geometry.holds(copy.layoutOf(move.device()), move.placement()))
                .isTrue();
        assertThat(geometry.profileOf(move.placement())).isEqualTo(geometry.profileOf(move.toPlacement()));
        assertThat(fleet.cordoned(move.device()) || fleet.cordoned(move.toDevice()))
                .isFalse();
        copy.toggle(move.device(), move.placement());
        return move;
    }

    private static void start(ListFleet copy, Move move) {
        assertThat(copy.geometry().holds(copy.layoutOf(move.toDevice()), move.toPlacement()))
                .as("place of %s is free", move)
                .isFalse();
        copy.toggle(move.toDevice(), move.toPlacement());
    }
}
