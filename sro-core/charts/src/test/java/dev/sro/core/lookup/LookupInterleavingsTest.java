package dev.sro.core.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.fixture.TestClock;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Histories that are drawn at random: trips of several special resources, tasks that run whenever they like, look-ups in the middle of
 * which all of that goes on, answers, exceptions, errors, refusals, hangs, special resources that go. Each step is atomic for the
 * look-ups, as their lock makes it, so that every order of them is one that threads could have.
 */
class LookupInterleavingsTest {

    private static final List<String> NAMES = List.of("gpu", "nic", "fpga");
    private static final List<String> QUERIES = List.of("a", "b", "c", "d");
    private static final Duration DEADLINE = Duration.ofMinutes(2);

    private final class History {
        private final long seed;
        private final Random random;
        private final TestClock clock = new TestClock();
        private final List<Runnable> tasks = new ArrayList<>();
        /** When the look-ups began that are under way. */
        private final Map<String, List<Instant>> looking = new HashMap<>();

        private final List<String> twice = new ArrayList<>();
        /** A special resource has one trip at a time. */
        private final Set<String> travelling = new HashSet<>();

        /** Who wants what; what a trip of each asks for. */
        private final Map<String, Set<String>> wants = new HashMap<>();
        /** When each comes again, by its own wake-up or because it was told. */
        private final Map<String, Instant> wakeUps = new HashMap<>();

        private final BackgroundLookups<String, String> lookups;
        private boolean calm;
        private int depth;

        History(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
            LookupPace pace = new LookupPace(
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(20),
                    DEADLINE,
                    random.nextBoolean() ? 1 : LookupPace.UNLIMITED,
                    1 + random.nextInt(3),
                    Duration.ofDays(1));
            this.lookups = new BackgroundLookups<>(new Looking(), this::execute, pace, clock, this::told);
        }

        private Set<String> wanted(String name) {
            return wants.computeIfAbsent(name, unused -> new HashSet<>());
        }

        private void execute(Runnable task) {
            int kind = calm ? 9 : random.nextInt(10);
            if (kind == 0) {
                throw new RejectedExecutionException("stopping");
            } else if (kind == 1) {
                throw new OutOfMemoryError("unable to create native thread");
            } else if (kind == 2) {
                task.run();
            } else if (kind == 3) {
                // As a pool does that has queued the task when it fails to make another thread.
                tasks.add(task);
                throw new OutOfMemoryError("unable to create native thread");
            } else {
                tasks.add(task);
            }
        }

        private void told(String name) {
            wakeUps.put(name, clock.instant());
        }

        private final class Looking implements Lookup<String, String> {
            @Override
            public String look(String query) throws Exception {
                Instant began = clock.instant();
                List<Instant> others = looking.computeIfAbsent(query, unused -> new ArrayList<>());
                others.stream()
                        .filter(other -> other.plus(DEADLINE).isAfter(began))
                        .forEach(other -> twice.add(query));
                others.add(began);
                try {
                    depth++;
                    if (!calm && depth < 4) {
                        for (int steps = random.nextInt(4); steps > 0; steps--) {
                            step();
                        }
                    }
                    return answer(query);
                } finally {
                    depth--;
                    others.remove(began);
                }
            }

            private String answer(String query) throws IOException, InterruptedException {
                switch (calm ? 9 : random.nextInt(10)) {
                    case 0 -> throw new IOException("away");
                    case 1 -> throw new NoClassDefFoundError("x");
                    case 2 -> throw new IllegalStateException("bug");
                    case 3 -> throw new InterruptedException("stopped");
                    case 4, 5 -> {
                        return "no";
                    }
                    default -> {
                        return "yes " + query;
                    }
                }
            }

            @Override
            public String failed(String query, Throwable cause) {
                if (!calm && random.nextInt(8) == 0) {
                    throw new AssertionError("no answer at all");
                }
                return cause instanceof TimeoutException ? "no time" : "no";
            }

            @Override
            public boolean isSuccess(String query, String answer) {
                return answer.startsWith("yes");
            }
        }

        private void trip(String name) {
            if (!travelling.add(name)) {
                told(name);
                return;
            }
            wakeUps.remove(name);
            for (String query : wanted(name)) {
                if (random.nextBoolean()) {
                    lookups.ask(query, name, terms());
                } else {
                    lookups.start(query, name, terms());
                }
            }
            Instant next = lookups.settle(name, query -> true);
            lookups.leave(name, 2);
            if (!next.equals(Instant.MAX)) {
                wakeUps.merge(name, next, (one, other) -> one.isBefore(other) ? one : other);
            }
            travelling.remove(name);
        }

        private LookupOptions terms() {
            return seed % 3 == 0 ? LookupOptions.refreshed(Duration.ofMinutes(10)) : LookupOptions.ONCE;
        }

        private String any(List<String> all) {
            return all.get(random.nextInt(all.size()));
        }

        private void step() {
            switch (random.nextInt(9)) {
                case 0, 1 -> change(any(NAMES), any(QUERIES), true);
                case 2 -> change(any(NAMES), any(QUERIES), false);
                case 3 -> {
                    String name = any(NAMES);
                    if (!travelling.contains(name)) {
                        wanted(name).clear();
                        lookups.leave(name, 0);
                    }
                }
                case 4 -> clock.advance(Duration.ofSeconds(random.nextInt(40)));
                case 5 -> due();
                default -> work();
            }
        }

        private void change(String name, String query, boolean wanted) {
            if (travelling.contains(name)) {
                return;
            }
            if (wanted) {
                wanted(name).add(query);
            } else {
                wanted(name).remove(query);
            }
            trip(name);
        }

        private void work() {
            if (!tasks.isEmpty()) {
                tasks.remove(random.nextInt(tasks.size())).run();
            }
        }

        private void due() {
            for (String name : NAMES) {
                Instant at = wakeUps.get(name);
                if (at != null && !at.isAfter(clock.instant())) {
                    trip(name);
                }
            }
        }

        void run() {
            for (int i = 0; i < 60; i++) {
                step();
            }
            calm = true;
            boolean unused = Thread.interrupted();
            // Some tasks are lost for ever, as a thread that hangs would lose them.
            tasks.removeIf(task -> random.nextInt(5) == 0);
            settleDown();
            for (String name : NAMES) {
                for (String query : wanted(name)) {
                    assertThat(lookups.peek(query))
                            .as("seed %s: %s of %s", seed, query, name)
                            .contains("yes " + query);
                }
            }
            assertThat(twice).as("seed %s: looked up twice at once", seed).isEmpty();
            Set<String> wanted = new HashSet<>();
            wants.values().forEach(wanted::addAll);
            assertThat(lookups.size())
                    .as("seed %s: nothing is left that nobody asks", seed)
                    .isEqualTo(wanted.size());
        }

        /** Only wake-ups and what is told make a trip, as in an operator, until a whole deadline has passed a few times. */
        private void settleDown() {
            Instant end = clock.instant().plus(Duration.ofMinutes(30));
            while (clock.instant().isBefore(end)) {
                due();
                while (!tasks.isEmpty()) {
                    work();
                    due();
                }
                clock.advance(Duration.ofSeconds(1));
            }
            // What nobody asked any more is dropped by trips, which do happen.
            for (int i = 0; i < 3; i++) {
                NAMES.forEach(this::trip);
                while (!tasks.isEmpty()) {
                    work();
                }
            }
        }
    }

    private void histories(long first, int count) {
        for (long seed = first; seed < first + count; seed++) {
            new History(seed).run();
        }
    }

    @Test
    void whoeverAsksGetsAnAnswerAndNothingIsLeftWhateverTheOrder() {
        histories(1, 1_000);
    }

    @Test
    @Tag("slow")
    void whoeverAsksGetsAnAnswerInThousandsOfOrders() {
        histories(1_000, 20_000);
    }
}
