package dev.sro.runtime.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random histories with moves: pods with and without a controller, with and without leave to move and budgets, come and go, writes fail, allocators are
 * killed and started. No place is had twice, no more pods go in an hour than may, nobody goes who may not, and each eviction led to the start of the pod
 * that waited or was said to have failed.
 *
 * <p>{@code -Dsro.moves.histories=N} plays so many, {@code -Dsro.moves.seed=N} one.
 */
class MakeRoomHistoryTest {
    private static final int FAST = 2;
    private static final int SLOW = 12;
    private static final int CYCLES = 3;

    @Test
    void someHistories() {
        play(Integer.getInteger("sro.moves.histories", FAST));
    }

    @Test
    @Tag("slow")
    void manyHistories() {
        play(Integer.getInteger("sro.moves.histories", SLOW));
    }

    private static void play(int count) {
        Long only = Long.getLong("sro.moves.seed");
        int moved = 0;
        int forGangs = 0;
        for (long seed = only == null ? 1 : only; seed <= (only == null ? count : only); seed++) {
            try {
                MoveHistory history = new MoveHistory(seed, CYCLES, false);
                moved += history.play();
                forGangs += history.movedForGangs();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("history " + seed + ": " + e.getMessage(), e);
            }
        }
        assertThat(moved).as("pods that were moved").isPositive();
        assertThat(count < SLOW || forGangs > 0).as("some of them for gangs").isTrue();
    }
}
