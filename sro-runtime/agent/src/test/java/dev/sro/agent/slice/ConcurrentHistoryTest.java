package dev.sro.agent.slice;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The promises of {@link SliceKeeper} hold while everything happens at once. {@code -Dsro.agent.histories=20000} plays more histories,
 * {@code -Dsro.agent.first} others, {@code -Dsro.agent.seed} one. In every other one calls that kubelet gave up come to claims that were
 * allocated anew since.
 */
class ConcurrentHistoryTest {
    private static final int CALLS = 40;

    /** Threads of a history mostly wait for each other. */
    private static final int SIDE_BY_SIDE = 6;

    private final AtomicLong points = new AtomicLong();
    private final AtomicLong effects = new AtomicLong();
    private final AtomicLong kills = new AtomicLong();
    private final AtomicLong prepared = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong switches = new AtomicLong();
    private final Map<Long, AssertionError> failures = new ConcurrentSkipListMap<>();

    private static ConcurrentHistory history(long seed) {
        return new ConcurrentHistory(seed, CALLS, seed % 2 != 0);
    }

    @Test
    void whatKubeletWasToldHoldsWhileThreadsInterleave() throws InterruptedException {
        Long one = Long.getLong("sro.agent.seed");
        int histories = one == null ? Integer.getInteger("sro.agent.histories", 300) : 1;
        long first = one == null ? Long.getLong("sro.agent.first", 0) : one;
        ExecutorService players = Executors.newFixedThreadPool(SIDE_BY_SIDE);
        for (long i = first; i < first + histories; i++) {
            long seed = i;
            players.execute(() -> play(seed));
        }
        players.shutdown();
        assertThat(players.awaitTermination(1, TimeUnit.HOURS)).isTrue();
        System.out.printf(
                "%d histories of threads: %d points, %d effects, %d kills, %d prepared, %d refused, %d modes%n",
                histories, points.get(), effects.get(), kills.get(), prepared.get(), refused.get(), switches.get());
        for (AssertionError shown : failures.values()) {
            throw new AssertionError(
                    "seeds " + failures.keySet() + ", the first of them:\n" + shown.getMessage(), shown);
        }
        if (one == null) {
            assertThat(kills.get())
                    .as("histories that kill nothing prove nothing")
                    .isGreaterThan(histories / 4);
            assertThat(prepared.get()).isGreaterThan(4L * histories);
        }
    }

    private void play(long seed) {
        ConcurrentHistory history = history(seed);
        try {
            history.run();
        } catch (AssertionError | RuntimeException e) {
            failures.put(seed, new AssertionError("seed " + seed + ": " + e.getMessage() + "\n" + history.story(), e));
        }
        points.addAndGet(history.points());
        effects.addAndGet(history.effects());
        kills.addAndGet(history.kills);
        prepared.addAndGet(history.prepared);
        refused.addAndGet(history.refused);
        switches.addAndGet(history.switches);
    }

    /** Without that, a seed that fails says nothing. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aSeedIsOneHistory(long seed) {
        assertThat(told(seed)).isEqualTo(told(seed));
    }

    private static String told(long seed) {
        ConcurrentHistory history = history(seed);
        try {
            history.run();
        } catch (AssertionError e) {
            return history.story() + e.getMessage();
        }
        return history.story();
    }
}
