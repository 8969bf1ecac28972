package dev.sro.runtime.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The histories of {@link MakeRoomHistoryTest}, in which for a while two allocators believe to lead, and one is held up before a write until the other one
 * has looked. Their clocks differ by up to a minute. Both together move no more pods in an hour than may be; one plan is under way at a time, none is run
 * twice, and nothing is kept for one that is over.
 *
 * <p>{@code -Dsro.leaders.histories=N} plays so many, from {@code -Dsro.leaders.first=N} on, {@code -Dsro.leaders.seed=N} one.
 */
class MakeRoomLeadersTest {
    private static final int FAST = 4;
    private static final int SLOW = 12;
    private static final int CYCLES = 2;

    @Test
    void someHistories() {
        play(Integer.getInteger("sro.leaders.histories", FAST));
    }

    @Test
    @Tag("slow")
    void manyHistories() {
        play(Integer.getInteger("sro.leaders.histories", SLOW));
    }

    private static void play(int count) {
        Long only = Long.getLong("sro.leaders.seed");
        long first = only == null ? Long.getLong("sro.leaders.first", 1) : only;
        int moved = 0;
        int forGangs = 0;
        for (long seed = first; seed < first + (only == null ? count : 1); seed++) {
            try {
                MoveHistory history = new MoveHistory(seed, CYCLES, true);
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
