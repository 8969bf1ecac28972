package dev.sro.core.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.fixture.TestClock;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BackgroundLookupsTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final TestClock clock = new TestClock();
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final Map<String, Throwable> faults = new HashMap<>();
    private final Map<String, String> answers = new HashMap<>();
    private final List<String> looks = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private @Nullable Error refusal;
    private Runnable during = () -> {};
    private final BackgroundLookups<String, String> lookups = lookups(LookupPace.UNLIMITED, 1);

    private BackgroundLookups<String, String> lookups(int threads, int batch) {
        LookupPace pace = new LookupPace(
                Duration.ofSeconds(10), MINUTE, Duration.ofMinutes(5), threads, batch, Duration.ofHours(1));
        return new BackgroundLookups<>(new Looking(), this::execute, pace, clock, told::add);
    }

    private void execute(Runnable task) {
        if (refusal != null) {
            throw refusal;
        }
        tasks.add(task);
    }

    private final class Looking implements Lookup<String, String> {
        @Override
        public String look(String query) throws Exception {
            looks.add(query);
            during.run();
            Throwable fault = faults.get(query);
            if (fault instanceof Exception e) {
                throw e;
            }
            if (fault instanceof Error e) {
                throw e;
            }
            return answers.getOrDefault(query, "no");
        }

        @Override
        public String failed(String query, Throwable cause) {
            return cause instanceof TimeoutException || cause instanceof IOException
                    ? "no: " + cause.getMessage()
                    : "no: " + cause.getClass().getSimpleName();
        }

        @Override
        public boolean isSuccess(String query, String answer) {
            return !answer.startsWith("no");
        }
    }

    private Optional<String> ask(String query) {
        return lookups.start(query, "gpu", LookupOptions.ONCE).answer();
    }

    private void work() {
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
    }

    /** One trip of one that asks this; how many seconds later the next one has to be, or -1. */
    private long trip(String query) {
        ask(query);
        Instant next = lookups.settle("gpu", asked -> true);
        return next.equals(Instant.MAX)
                ? -1
                : Duration.between(clock.instant(), next).toSeconds();
    }

    @Test
    void whoeverAskedIsToldAndHasTheAnswer() {
        answers.put("a", "yes");
        assertThat(ask("a")).isEmpty();
        assertThat(lookups.start("a", "nic", LookupOptions.ONCE).answer()).isEmpty();
        work();
        assertThat(looks).containsExactly("a");
        assertThat(told).containsExactly("gpu", "nic");
        assertThat(ask("a")).contains("yes");
        assertThat(trip("a")).isEqualTo(-1);
    }

    @Test
    void whatIsNotThereIsLookedForEverLessOften() {
        List<Long> waits = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            trip("a");
            work();
            long wait = trip("a");
            waits.add(wait);
            clock.advance(Duration.ofSeconds(wait).minusMillis(1));
            trip("a");
            assertThat(tasks).as("before its time").isEmpty();
            clock.advance(Duration.ofMillis(1));
        }
        assertThat(waits).containsExactly(10L, 20L, 40L, 60L, 60L, 60L);
    }

    @Test
    void whateverIsThrownItIsTriedAgain() {
        for (Throwable fault : List.of(
                new IOException("away"),
                new IllegalStateException("bug"),
                new NoClassDefFoundError("x"),
                new StackOverflowError(),
                new OutOfMemoryError())) {
            faults.put("a", fault);
            trip("a");
            work();
            assertThat(ask("a").orElseThrow()).startsWith("no: ");
            long wait = trip("a");
            assertThat(wait).isBetween(1L, 60L);
            clock.advance(Duration.ofSeconds(wait));
        }
        faults.clear();
        answers.put("a", "yes");
        trip("a");
        work();
        assertThat(ask("a")).contains("yes");
        assertThat(told).hasSize(6);
    }

    @Test
    void aTaskThatNoThreadTakesIsTriedAgain() {
        for (Error fault : List.of(new OutOfMemoryError("unable to create native thread"), new InternalError())) {
            refusal = fault;
            trip("a");
            assertThat(ask("a")).contains("no: RejectedExecutionException");
            assertThat(told).containsExactly("gpu");
            told.clear();
            clock.advance(MINUTE);
        }
        refusal = null;
        answers.put("a", "yes");
        trip("a");
        work();
        assertThat(ask("a")).contains("yes");
    }

    @Test
    void oneThatTakesTooLongIsInterruptedAndTriedAgainAndItsAnswerCountsNoMore() {
        during = () -> {
            during = () -> {};
            clock.advance(Duration.ofMinutes(5));
            // Somebody else's trip, while this one is looking.
            assertThat(ask("a")).contains("no: no answer within 300 s");
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        };
        answers.put("a", "late");
        assertThat(trip("a")).as("wakes up for the deadline").isEqualTo(300);
        work();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(ask("a")).contains("no: no answer within 300 s");
        clock.advance(Duration.ofSeconds(10));
        trip("a");
        work();
        assertThat(ask("a")).contains("late");
    }

    @Test
    void aTaskThatNeverBeginsHoldsUpNothing() {
        trip("a");
        Runnable never = tasks.remove();
        clock.advance(Duration.ofMinutes(5));
        assertThat(trip("a")).isEqualTo(10);
        assertThat(ask("a")).contains("no: no answer within 300 s");
        clock.advance(Duration.ofSeconds(10));
        trip("a");
        never.run();
        assertThat(looks).as("it was given up").isEmpty();
        work();
        assertThat(looks).containsExactly("a");
    }

    @Test
    void aSuccessServesWhileItIsRefreshedInVain() {
        LookupOptions terms = LookupOptions.refreshed(MINUTE);
        answers.put("a", "yes");
        lookups.start("a", "gpu", terms);
        work();
        clock.advance(MINUTE);
        faults.put("a", new IOException("away"));
        lookups.start("a", "gpu", terms);
        work();
        assertThat(lookups.start("a", "gpu", terms).answer()).contains("yes");
        faults.clear();
        answers.put("a", "yes, newer");
        clock.advance(Duration.ofSeconds(10));
        lookups.start("a", "gpu", terms);
        work();
        assertThat(lookups.start("a", "gpu", terms).answer()).contains("yes, newer");
        assertThat(looks).hasSize(3);
    }

    @Test
    void anotherReasonIsOneToLookAtOnceEvenWhileALookIsUnderWay() {
        during = () -> {
            during = () -> {};
            lookups.ask("a", "gpu", new LookupOptions(Optional.empty(), Optional.empty(), "built"));
        };
        lookups.start("a", "gpu", LookupOptions.ONCE);
        work();
        answers.put("a", "yes");
        LookupOptions built = new LookupOptions(Optional.empty(), Optional.empty(), "built");
        lookups.start("a", "gpu", built);
        work();
        assertThat(lookups.start("a", "gpu", built).answer()).contains("yes");
    }

    @Test
    void oneTaskAtATimeDoesSoMuchAndLetsOthersHaveTheirTurn() {
        BackgroundLookups<String, String> one = lookups(1, 2);
        for (String query : List.of("a", "b", "c")) {
            one.ask(query, "gpu", LookupOptions.ONCE);
        }
        one.settle("gpu", query -> true);
        assertThat(tasks).hasSize(1);
        tasks.remove().run();
        assertThat(looks).hasSize(2);
        assertThat(told).containsExactly("gpu");
        assertThat(tasks).hasSize(1);
        work();
        assertThat(looks).containsExactlyInAnyOrder("a", "b", "c");
    }

    @Test
    void whatNobodyAsksIsForgotten() {
        trip("a");
        lookups.leave("gpu", 1);
        assertThat(lookups.size()).isZero();
        work();
        assertThat(looks).isEmpty();

        trip("b");
        during = () -> lookups.leave("gpu", 0);
        work();
        assertThat(lookups.size()).isZero();
        assertThat(told).isEmpty();

        trip("c");
        clock.advance(Duration.ofHours(2));
        trip("d");
        assertThat(lookups.contains("c")).as("after an hour").isFalse();
    }

    @Test
    void manyOnTheThreadThatAsksAreNotOneWithinTheOther() {
        LookupPace pace = new LookupPace(MINUTE, MINUTE, MINUTE, 1, 1, MINUTE);
        BackgroundLookups<String, String> direct =
                new BackgroundLookups<>(new Looking(), Runnable::run, pace, clock, told::add);
        for (int i = 0; i < 20_000; i++) {
            direct.ask("q" + i, "gpu", LookupOptions.ONCE);
        }
        direct.settle("gpu", query -> true);
        assertThat(looks).hasSize(20_000);
    }

    @Test
    void oneThatCannotBeToldHoldsUpNobody() {
        LookupPace pace = new LookupPace(MINUTE, MINUTE, MINUTE, 1, 1, MINUTE);
        BackgroundLookups<String, String> direct =
                new BackgroundLookups<>(new Looking(), Runnable::run, pace, clock, name -> {
                    told.add(name);
                    throw new AssertionError("x");
                });
        direct.ask("a", "gpu", LookupOptions.ONCE);
        direct.ask("a", "nic", LookupOptions.ONCE);
        direct.settle("gpu", query -> true);
        assertThat(told).containsExactly("gpu", "nic");
    }

    @Test
    void refusedTasksAreNoFault() {
        BackgroundLookups<String, String> stopped = new BackgroundLookups<>(
                new Looking(),
                task -> {
                    throw new RejectedExecutionException("stopped");
                },
                new LookupPace(MINUTE, MINUTE, MINUTE, 1, 1, MINUTE),
                clock,
                told::add);
        stopped.ask("a", "gpu", LookupOptions.ONCE);
        stopped.ask("b", "gpu", LookupOptions.ONCE);
        assertThat(stopped.settle("gpu", query -> true))
                .isEqualTo(clock.instant().plus(MINUTE));
        assertThat(stopped.peek("a")).contains("no: RejectedExecutionException");
        assertThat(stopped.peek("b")).contains("no: RejectedExecutionException");
    }
}
