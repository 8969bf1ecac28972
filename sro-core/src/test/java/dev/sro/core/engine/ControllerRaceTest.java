package dev.sro.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.fixture.RandomThreads;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The queue of reconciles under threads that interleave at random: after the last change of a name it is reconciled once more,
 * never by two at once, whatever reconciles throw and executors refuse.
 */
final class ControllerRaceTest {

    private static final int FEW = 400;
    private static final int MANY = Integer.getInteger("sro.race.interleavings", 500);
    private static final List<String> NAMES = List.of("a", "b");
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    /** One interleaving. What threads share of it is touched between two pauses only, and so by one at a time. */
    private static final class Run {
        private final RandomThreads threads;
        private final Map<String, Integer> changes = new HashMap<>();
        private final Map<String, Integer> reconciled = new HashMap<>();
        private final Set<String> running = new HashSet<>();
        private final List<Runnable> timers = new ArrayList<>();
        private final Controller controller;
        private int refusals;

        Run(long seed) {
            threads = new RandomThreads(seed);
            controller = new Controller(this::reconcile, this::execute, (delay, task) -> schedule(task), clock());
        }

        /** Reads the time where a lock is held. */
        private Clock clock() {
            return new Clock() {
                @Override
                public Instant instant() {
                    threads.pause();
                    return NOW;
                }

                @Override
                public ZoneOffset getZone() {
                    return ZoneOffset.UTC;
                }

                @Override
                public Clock withZone(java.time.ZoneId zone) {
                    return this;
                }
            };
        }

        private void execute(Runnable task) {
            threads.pause();
            if (refusals < 3 && threads.draw(10) == 0) {
                refusals++;
                throw new RejectedExecutionException("full");
            }
            threads.start(task);
            threads.pause();
        }

        private Runnable schedule(Runnable task) {
            threads.pause();
            synchronized (timers) {
                timers.add(task);
            }
            return () -> {
                synchronized (timers) {
                    timers.remove(task);
                }
            };
        }

        private Optional<Instant> reconcile(String name, Runnable looking) {
            threads.pause();
            if (threads.draw(2) == 0) {
                looking.run();
                threads.pause();
            }
            synchronized (this) {
                assertThat(running.add(name)).as("two at once for " + name).isTrue();
                reconciled.put(name, changes.getOrDefault(name, 0));
            }
            threads.pause();
            synchronized (this) {
                running.remove(name);
            }
            return switch (threads.draw(8)) {
                case 0 -> throw new IllegalStateException("a defect in a reconcile");
                case 1 -> throw new AssertionError("an Error in a reconcile");
                case 2, 3 -> Optional.of(NOW.plusSeconds(5));
                default -> Optional.empty();
            };
        }

        private void change(String name) {
            synchronized (this) {
                changes.merge(name, 1, Integer::sum);
            }
            threads.pause();
            controller.request(name);
        }

        private List<Runnable> due() {
            synchronized (timers) {
                List<Runnable> due = List.copyOf(timers);
                timers.clear();
                return due;
            }
        }

        void live() {
            for (String name : NAMES) {
                for (int thread = 0; thread < 2; thread++) {
                    threads.start(() -> {
                        for (int i = 0; i < 3; i++) {
                            change(name);
                            threads.pause();
                        }
                    });
                }
            }
            threads.start(() -> {
                for (int i = 0; i < 3; i++) {
                    due().forEach(Runnable::run);
                    threads.pause();
                }
            });
            threads.run();
            // What was put off comes, and nothing else.
            for (int i = 0; i < 100 && !timers.isEmpty() && !changes.equals(reconciled); i++) {
                due().forEach(task -> threads.start(task));
                threads.run();
            }
            assertThat(reconciled).as("what reconciles saw last").isEqualTo(changes);
            assertThat(running).isEmpty();
        }
    }

    private static void interleave(long first, int count) {
        for (long seed = first; seed < first + count; seed++) {
            try {
                new Run(seed).live();
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }

    @Test
    void noChangeIsLostAndNoNameHasTwoWorkers() {
        interleave(1, FEW);
    }

    @Test
    @Tag("slow")
    void norInManyMoreInterleavings() {
        interleave(100_000, MANY);
    }
}
