package dev.sro.core.engine.background;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.engine.port.LogReader;
import dev.sro.core.fixture.TestClock;
import dev.sro.core.probe.LogQuery;
import dev.sro.core.probe.LogRule;
import dev.sro.core.probe.LogState.Kind;
import dev.sro.core.probe.PodFacts;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class LogReadingsTest {

    private static final String REGEXP = "loaded \\d+";

    private final TestClock clock = new TestClock();
    private final Map<String, String> logs = new HashMap<>();
    private final List<String> reads = new ArrayList<>();
    private final List<String> changed = new ArrayList<>();
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private List<PodFacts> pods = List.of(pod("a", 0, "main", "side"));
    private boolean stopping;
    private final LogReadings book =
            new LogReadings(new LogAccess(this::read, this::execute, changed::add, clock), "gpu");

    private void execute(Runnable task) {
        if (stopping) {
            throw new RejectedExecutionException();
        }
        tasks.add(task);
    }

    private String read(String namespace, String pod, String container) throws IOException {
        reads.add(namespace + "/" + pod + "/" + container);
        String text = logs.getOrDefault(pod + "/" + container, "");
        if (text.equals("403")) {
            throw new LogReader.ForbiddenException("pods/log is forbidden");
        }
        if (text.equals("Error")) {
            throw new NoClassDefFoundError("some/Thing");
        }
        if (text.equals("500")) {
            throw new IOException("no answer");
        }
        return text;
    }

    private static PodFacts pod(String name, int restarts, String... containers) {
        return new PodFacts(
                "ns",
                name,
                "ds",
                "n",
                "Running",
                true,
                false,
                "",
                "",
                "",
                "uid-" + name,
                "",
                List.of(containers).stream()
                        .map(container -> new PodFacts.Container(container, restarts, true))
                        .toList(),
                restarts,
                "",
                "",
                Instant.EPOCH,
                Instant.EPOCH,
                Instant.EPOCH,
                Map.of());
    }

    /** One trip: asks for all pods, and lets all reads happen. */
    private Instant trip(boolean reached) {
        pods.forEach(pod -> ask(pod, reached));
        Instant next = settle();
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
        return next;
    }

    private Instant settle() {
        return book.settle(owner -> owner.equals("ds") ? pods : List.of());
    }

    private Kind ask(PodFacts pod, boolean reached) {
        return book.state(new LogQuery("ds", "ds", pod, new LogRule(REGEXP, ""), reached))
                .kind();
    }

    private Kind kind() {
        return ask(pods.get(0), false);
    }

    @Test
    void oneContainerThatMatchesIsEnoughAndNothingIsReadAgain() {
        assertThat(kind()).isEqualTo(Kind.UNREAD);
        logs.put("a/side", "x\nloaded 3\n");
        trip(false);
        assertThat(reads).containsExactlyInAnyOrder("ns/a/main", "ns/a/side");
        assertThat(changed).containsExactly("gpu");
        assertThat(kind()).isEqualTo(Kind.FOUND);
        reads.clear();
        logs.clear();
        for (int i = 0; i < 5; i++) {
            clock.advance(Duration.ofMinutes(1));
            assertThat(trip(false)).isEqualTo(Instant.MAX);
        }
        assertThat(reads).isEmpty();
        assertThat(kind()).isEqualTo(Kind.FOUND);
    }

    @Test
    void readsEverLaterUntilTheTextIsThere() {
        pods = List.of(pod("a", 0, "main"));
        trip(false);
        List<Long> waits = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            Instant next = trip(false);
            assertThat(kind()).isEqualTo(Kind.NOT_THERE);
            waits.add(Duration.between(clock.instant(), next).toSeconds());
            int before = reads.size();
            clock.advance(Duration.between(clock.instant(), next).minusMillis(1));
            trip(false);
            assertThat(reads).as("before its time").hasSize(before);
            clock.advance(Duration.ofMillis(1));
            trip(false);
        }
        assertThat(waits).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L, 60L);
    }

    @Test
    void aContainerThatWasStartedAgainHasAnotherLog() {
        logs.put("a/main", "loaded 3");
        trip(false);
        pods = List.of(pod("a", 1, "main", "side"));
        logs.clear();
        trip(false);
        assertThat(kind()).isEqualTo(Kind.NOT_THERE);
        logs.put("a/main", "loaded 4");
        clock.advance(Duration.ofSeconds(1));
        trip(false);
        assertThat(kind()).isEqualTo(Kind.FOUND);
    }

    @Test
    void whatWasReachedWhenItIsSeenFirstIsTakenAsItIs() {
        trip(true);
        assertThat(reads).isEmpty();
        assertThat(kind()).isEqualTo(Kind.FOUND);
        PodFacts other = pod("b", 0, "main");
        pods = List.of(pods.get(0), other);
        trip(true);
        assertThat(reads).as("a pod that came later").containsExactly("ns/b/main");
    }

    @Test
    void podsThatAreNotAskedForKeepWhatIsKnown() {
        logs.put("a/main", "loaded 3");
        trip(false);
        settle();
        settle();
        assertThat(kind()).isEqualTo(Kind.FOUND);
        pods = List.of();
        settle();
        assertThat(ask(pod("a", 0, "main"), false)).as("it was gone").isEqualTo(Kind.UNREAD);
    }

    @Test
    void saysWhyALogCannotBeReadAndTriesAgain() {
        pods = List.of(pod("a", 0, "main"));
        logs.put("a/main", "403");
        trip(false);
        assertThat(kind()).isEqualTo(Kind.FORBIDDEN);
        logs.put("a/main", "500");
        clock.advance(Duration.ofSeconds(1));
        trip(false);
        assertThat(kind()).isEqualTo(Kind.UNREADABLE);
        logs.put("a/main", "loaded 1");
        clock.advance(Duration.ofSeconds(2));
        trip(false);
        assertThat(kind()).isEqualTo(Kind.FOUND);
    }

    @Test
    void anErrorIsNotTheEndOfAllReads() {
        logs.put("a/main", "Error");
        trip(false);
        pods = List.of(pod("b", 0, "main"));
        logs.put("b/main", "loaded 1");
        trip(false);
        assertThat(kind()).isEqualTo(Kind.FOUND);
        pods = List.of(pod("a", 0, "main"));
        assertThat(kind()).isEqualTo(Kind.UNREAD);
    }

    @Test
    void aThousandPodsAreReadInSmallTasks() {
        List<PodFacts> many = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            many.add(pod("p" + i, 0, "main"));
        }
        pods = many;
        many.forEach(pod -> ask(pod, false));
        settle();
        assertThat(tasks).hasSize(1);
        tasks.remove().run();
        assertThat(reads).hasSizeLessThan(50);
        many.forEach(pod -> ask(pod, false));
        settle();
        assertThat(tasks).as("never two at a time").hasSize(1);
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
        assertThat(reads).hasSize(1_000);
    }

    @Test
    void readsThatNobodyTakesAreDueAgain() {
        stopping = true;
        pods = List.of(pod("a", 0, "main"));
        trip(false);
        assertThat(kind()).isEqualTo(Kind.UNREADABLE);
        stopping = false;
        logs.put("a/main", "loaded 1");
        clock.advance(Duration.ofSeconds(1));
        trip(false);
        assertThat(kind()).isEqualTo(Kind.FOUND);
    }

    @Test
    void keepsTheEndOfALogThatIsAskedForAndReadsItOnce() {
        StringBuilder log = new StringBuilder();
        for (int i = 1; i <= 40; i++) {
            log.append("line ").append(i).append('\n');
        }
        logs.put("a/main", log.toString());
        PodFacts pod = pod("a", 0, "main");
        assertThat(book.state(LogQuery.end("ds", pod)).detail()).isEmpty();
        trip(false);
        reads.clear();
        for (int i = 0; i < 3; i++) {
            assertThat(book.state(LogQuery.end("ds", pod)).detail())
                    .startsWith("line 26\n")
                    .endsWith("\nline 40");
            settle();
            clock.advance(Duration.ofMinutes(1));
        }
        assertThat(tasks).isEmpty();
    }

    @Test
    void cutsOnlyLinesThatAreLongerThanAMessage() {
        assertThat(LogReadings.end("")).isEmpty();
        assertThat(LogReadings.end("a\n" + "b".repeat(900) + "\nc\n\n")).isEqualTo("a\n" + "b".repeat(900) + "\nc");
        assertThat(LogReadings.end("first\n" + "b".repeat(2_000))).isEqualTo("b".repeat(1_000));
    }
}
