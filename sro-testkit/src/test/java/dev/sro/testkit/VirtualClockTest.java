package dev.sro.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class VirtualClockTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final VirtualClock clock = VirtualClock.stepped(START);
    private final List<String> ran = new ArrayList<>();

    @Test
    void timersRunInDueOrderAtTheirOwnTime() {
        clock.schedule(START.plusSeconds(20), () -> ran.add("late@" + clock.now()));
        clock.schedule(START.plusSeconds(10), () -> ran.add("early@" + clock.now()));
        clock.schedule(START.plusSeconds(10), () -> ran.add("second@" + clock.now()));

        clock.advance(Duration.ofSeconds(30));

        assertThat(ran)
                .containsExactly(
                        "early@2026-01-01T00:00:10Z", "second@2026-01-01T00:00:10Z", "late@2026-01-01T00:00:20Z");
        assertThat(clock.now()).isEqualTo(START.plusSeconds(30));
    }

    @Test
    void aTimerMadeByATimerRunsInTheSameAdvanceWhenItIsDue() {
        clock.after(Duration.ofSeconds(1), () -> clock.after(Duration.ofSeconds(1), () -> ran.add("chained")));

        clock.advance(Duration.ofSeconds(2));

        assertThat(ran).containsExactly("chained");
    }

    @Test
    void aCancelledTimerNeverRunsAndIsNotTheNextDue() {
        VirtualClock.Timer timer = clock.after(Duration.ofSeconds(1), () -> ran.add("no"));
        clock.after(Duration.ofSeconds(5), () -> ran.add("yes"));
        timer.cancel();

        assertThat(clock.nextDue()).contains(START.plusSeconds(5));
        clock.advance(Duration.ofSeconds(9));
        assertThat(ran).containsExactly("yes");
    }

    @Test
    void timeStandsStillUntilItIsAdvanced() {
        assertThat(clock.runDue()).isFalse();
        assertThat(clock.instant()).isEqualTo(START);
        assertThatThrownBy(() -> clock.advance(Duration.ofSeconds(-1))).isInstanceOf(IllegalArgumentException.class);
    }
}
