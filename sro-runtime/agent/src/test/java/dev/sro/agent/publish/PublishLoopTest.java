package dev.sro.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When the publisher is called; time and thread are the test's. */
class PublishLoopTest {
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final List<String> calls = new ArrayList<>();
    private final List<String> log = new ArrayList<>();
    private final Scheduled executor = new Scheduled();
    private String fault = "";
    private Optional<Instant> again = Optional.empty();

    private final PublishLoop loop = new PublishLoop(
            (at, look) -> {
                calls.add(look ? "look" : "changed");
                if (fault.equals("defect")) {
                    throw new IllegalStateException(fault);
                }
                if (!fault.isEmpty()) {
                    throw new IOException(fault);
                }
                return again;
            },
            executor,
            new Clock() {
                @Override
                public Instant instant() {
                    return now;
                }

                @Override
                public ZoneId getZone() {
                    return ZoneOffset.UTC;
                }

                @Override
                public Clock withZone(ZoneId zone) {
                    return this;
                }
            },
            log::add);

    @AfterEach
    void close() {
        executor.shutdownNow();
    }

    /** Keeps what is to be done, and does it when the test says so. */
    private static final class Scheduled extends ScheduledThreadPoolExecutor {
        private record Entry(Runnable command, Duration delay, ScheduledFuture<?> future) {}

        private final List<Entry> entries = new ArrayList<>();

        Scheduled() {
            super(1);
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
            ScheduledFuture<?> future = super.schedule(() -> {}, 1, TimeUnit.DAYS);
            entries.add(new Entry(command, Duration.of(delay, unit.toChronoUnit()), future));
            return future;
        }

        /** Does what is next, and says how long it had to wait. */
        Duration next() {
            entries.removeIf(entry -> entry.future().isCancelled());
            assertThat(entries).hasSize(1);
            Entry entry = entries.remove(0);
            entry.command().run();
            return entry.delay();
        }

        boolean idle() {
            return entries.stream().allMatch(entry -> entry.future().isCancelled());
        }
    }

    @Test
    void whatChangesWhileACallWaitsIsOneCall() {
        loop.changed();
        loop.changed();
        loop.look();
        assertThat(executor.next()).isZero();
        assertThat(calls).containsExactly("look");
        assertThat(executor.idle()).isTrue();
    }

    @Test
    void itComesAgainWhenItWasToldToAndEarlierIfSomethingChanges() {
        again = Optional.of(now.plusSeconds(30));
        loop.changed();
        executor.next();
        assertThat(loop.hasPublished()).isTrue();
        again = Optional.empty();
        now = now.plusSeconds(10);
        loop.changed();
        assertThat(executor.next()).isZero();
        assertThat(calls).hasSize(2);
        assertThat(executor.idle()).isTrue();
    }

    @Test
    void afterFailuresItWaitsLongerEachTimeAndLooksWhereALookFailed() {
        fault = "the API server says 503";
        loop.look();
        assertThat(loop.hasPublished()).isFalse();
        List<Long> waits = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            waits.add(executor.next().toSeconds());
        }
        assertThat(waits).containsExactly(0L, 1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L);
        assertThat(calls).hasSize(9).containsOnly("look");
        assertThat(log).first().isEqualTo("not published, again in 1 s: the API server says 503");
        assertThat(loop.hasPublished()).isFalse();

        fault = "";
        executor.next();
        assertThat(executor.idle()).isTrue();
        fault = "defect";
        loop.changed();
        executor.next();
        assertThat(executor.next()).as("after a success from the beginning").isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void whenTheAgentEndsNothingIsBegunAnyMore() {
        ScheduledThreadPoolExecutor ended = new ScheduledThreadPoolExecutor(1);
        ended.shutdownNow();
        PublishLoop last = new PublishLoop((at, look) -> Optional.empty(), ended, Clock.systemUTC(), log::add);
        assertThatCode(last::changed).doesNotThrowAnyException();
    }
}
