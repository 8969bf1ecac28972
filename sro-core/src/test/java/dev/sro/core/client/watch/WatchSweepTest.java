package dev.sro.core.client.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What was asked for before a doubt and not since is let go of, once, and nothing else. */
class WatchSweepTest {

    private final List<Runnable> due = new ArrayList<>();
    private final List<Long> sweeps = new ArrayList<>();
    private boolean fails;

    private final WatchSweep sweep = new WatchSweep(
            (delay, task) -> {
                due.add(task);
                return () -> due.remove(task);
            },
            since -> {
                sweeps.add(since);
                if (fails) {
                    throw new IllegalStateException("a watch cannot be closed");
                }
            });

    private void timePasses() {
        List<Runnable> now = List.copyOf(due);
        due.clear();
        now.forEach(Runnable::run);
    }

    @Test
    void withoutADoubtNothingIsSwept() {
        assertThat(due).isEmpty();
        assertThat(sweep.now()).isZero();
    }

    @Test
    void whatIsAskedForAfterADoubtIsNotedWithIt() {
        long before = sweep.now();
        sweep.doubt();
        assertThat(sweep.now()).isGreaterThan(before);
        timePasses();
        assertThat(sweeps).containsExactly(sweep.now());
        assertThat(due).as("once").isEmpty();
    }

    @Test
    void aDoubtWhileOneIsWaitedForIsWaitedForAgain() {
        sweep.doubt();
        long first = sweep.now();
        sweep.doubt();
        assertThat(due).hasSize(1);

        timePasses();
        assertThat(sweeps).as("by the first alone").containsExactly(first);
        timePasses();
        assertThat(sweeps).containsExactly(first, sweep.now());
        assertThat(due).isEmpty();
    }

    @Test
    void aSweepThatFailsIsNotTheLastOne() {
        fails = true;
        sweep.doubt();
        assertThatThrownBy(this::timePasses).hasMessageContaining("cannot be closed");
        fails = false;
        sweep.doubt();
        timePasses();
        assertThat(sweeps).containsExactly(1L, 2L);
    }

    @Test
    void afterTheEndNothingIsSwept() {
        sweep.doubt();
        sweep.close();
        assertThat(due).isEmpty();
        sweep.doubt();
        assertThat(due).isEmpty();
    }
}
