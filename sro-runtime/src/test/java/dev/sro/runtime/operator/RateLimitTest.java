package dev.sro.runtime.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RateLimitTest {
    private static final long TENTH = TimeUnit.MILLISECONDS.toNanos(100);

    private final AtomicLong now = new AtomicLong(-1_000);
    private final RateLimit limit = new RateLimit(10, 3, now::get);

    @Test
    void letsABurstThroughAndSpreadsWhatFollows() {
        assertThat(limit.take()).isZero();
        assertThat(limit.take()).isZero();
        assertThat(limit.take()).isZero();
        assertThat(limit.take()).isEqualTo(TENTH);
        assertThat(limit.take()).isEqualTo(2 * TENTH);

        now.addAndGet(2 * TENTH);

        assertThat(limit.take()).isEqualTo(TENTH);
    }

    @Test
    void aPauseGivesNoMoreThanTheBurst() {
        now.addAndGet(1_000 * TENTH);
        for (int i = 0; i < 3; i++) {
            assertThat(limit.take()).isZero();
        }
        assertThat(limit.take()).isEqualTo(TENTH);
    }

    @Test
    void whoDoesNotWaitTakesNoPlace() {
        for (int i = 0; i < 3; i++) {
            assertThat(limit.tryTake()).isTrue();
        }
        assertThat(limit.tryTake()).isFalse();
        assertThat(limit.tryTake()).isFalse();
        now.addAndGet(TENTH);
        assertThat(limit.tryTake()).isTrue();
        assertThat(limit.tryTake()).isFalse();
    }

    @Test
    void aPauseThatTheServerAsksForHoldsUpEverything() {
        limit.pause(20 * TENTH);
        assertThat(limit.take()).isEqualTo(20 * TENTH);
        assertThat(limit.tryTake()).isFalse();
        limit.pause(TENTH);
        now.addAndGet(19 * TENTH);
        assertThat(limit.take()).isEqualTo(TENTH);
        now.addAndGet(TENTH);
        assertThat(limit.take()).isZero();
    }

    @Test
    void refusesARateThatLetsNothingThrough() {
        assertThatThrownBy(() -> new RateLimit(0, 1, now::get)).hasMessageContaining("rate 0.0");
        assertThatThrownBy(() -> new RateLimit(1, 0, now::get)).hasMessageContaining("burst 0");
    }
}
