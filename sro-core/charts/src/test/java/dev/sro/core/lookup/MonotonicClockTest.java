package dev.sro.core.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.fixture.TestClock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class MonotonicClockTest {

    private final TestClock wall = new TestClock();
    private final Instant start = wall.instant();
    private long nanos = -5;
    private final MonotonicClock clock = MonotonicClock.of(wall, () -> nanos);

    private void pass(Duration time) {
        wall.advance(time);
        nanos += time.toNanos();
    }

    @Test
    void goesWithTheWallClock() {
        assertThat(clock.instant()).isEqualTo(start);
        pass(Duration.ofSeconds(3));
        assertThat(clock.instant()).isEqualTo(start.plusSeconds(3));
    }

    @Test
    void goesOnWhereTheWallClockIsSetBack() {
        pass(Duration.ofSeconds(3));
        wall.advance(Duration.ofHours(-2));
        assertThat(clock.instant()).isEqualTo(start.plusSeconds(3));
        pass(Duration.ofSeconds(4));
        assertThat(clock.instant()).isEqualTo(start.plusSeconds(7));
        wall.advance(Duration.ofHours(2));
        assertThat(clock.instant()).as("when it is set right").isEqualTo(start.plusSeconds(7));
    }

    @Test
    void followsAWallClockThatIsSetForward() {
        wall.advance(Duration.ofDays(1));
        assertThat(clock.instant()).isEqualTo(start.plus(Duration.ofDays(1)));
        wall.advance(Duration.ofDays(-1));
        pass(Duration.ofSeconds(1));
        assertThat(clock.instant()).isEqualTo(start.plus(Duration.ofDays(1)).plusSeconds(1));
    }
}
