package dev.sro.runtime.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Pods that come and go, faults and restarts: what the extender or the gate has given holds, nothing is had twice, lost or left over.
 *
 * <p>{@code -Dsro.slices.histories=N} plays so many of each, {@code -Dsro.slices.first=N} others, {@code -Dsro.slices.seed=N} one.
 */
class SliceSchedulerHistoryTest {
    private static final int FAST = 4;
    private static final int SLOW = 40;

    @ParameterizedTest(name = "gates {0}")
    @ValueSource(booleans = {false, true})
    void noSliceIsHadTwiceAndNoneIsLostInSomeHistories(boolean gates) {
        play(FAST, gates);
    }

    @ParameterizedTest(name = "gates {0}")
    @ValueSource(booleans = {false, true})
    @Tag("slow")
    void noSliceIsHadTwiceAndNoneIsLostInManyHistories(boolean gates) {
        play(Integer.getInteger("sro.slices.histories", SLOW), gates);
    }

    private static void play(int count, boolean gates) {
        Long only = Long.getLong("sro.slices.seed");
        long first = only == null ? Long.getLong("sro.slices.first", 1) : only;
        long placed = 0;
        for (long seed = first; seed < first + (only == null ? count : 1); seed++) {
            try (PlacementHistory history = new PlacementHistory(seed, gates)) {
                history.play();
                placed += history.placed();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("history " + seed + ": " + e.getMessage(), e);
            }
        }
        assertThat(placed).as("pods with slices in the end").isPositive();
    }
}
