package dev.sro.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Nothing ever waits for a restart. To see one history again: {@code -Dsro.oracle.seed=N} (or several: {@code N,M}), and
 * {@code -Dsro.oracle.wide=true} if it is a wide one, without some of its steps:
 * {@code -Dsro.oracle.without=3,5}; to have it made shorter: {@code -Dsro.oracle.shrink=true}. To run more of them: {@code
 * -Dsro.oracle.histories=20000}, from {@code -Dsro.oracle.first=N} on.
 */
final class RestartOracleTest {

    /** With the cases that found something, over forty in each build. */
    private static final int FEW = 24;

    private static final int FEW_WIDE = 10;

    private static final int FEW_LIMITED = 4;

    /**
     * Three dozen in the slow group, as the whole has to fit into an hour on a slow machine: a wide one takes three times as long as
     * another. Five thousand were lived through on one commit, and any number is to be had by the property.
     */
    private static final int MANY = Integer.getInteger("sro.oracle.histories", 14);

    private static final int MANY_LIMITED = Integer.getInteger("sro.oracle.histories", 6);
    private static final int MANY_WIDE = Integer.getInteger("sro.oracle.histories", 6);
    private static final long FIRST = Long.getLong("sro.oracle.first", 20_001);
    private static final long FIRST_LIMITED = Long.getLong("sro.oracle.first", 40_001);
    private static final long FIRST_WIDE = Long.getLong("sro.oracle.first", 30_001);

    /** Failures after which it is time to look at them. */
    private static final int ENOUGH = Integer.getInteger("sro.oracle.enough", 10);

    /** After how many histories a report says how far it is. */
    private static final int TOLD = 100;

    /** Where failures are told as they are found, for long runs; nowhere unless set. */
    private static final String REPORT = System.getProperty("sro.oracle.report", "");

    @TempDir
    static Path folder;

    /** How many histories are lived through at a time. */
    private static final int THREADS =
            Integer.getInteger("sro.oracle.threads", Runtime.getRuntime().availableProcessors());

    private static OracleCharts.Shelf shelf;

    /** One for each history that is lived through. */
    private static final BlockingQueue<OracleRegistry> REGISTRIES = new LinkedBlockingQueue<>();

    private final KubernetesSerialization serialization = new KubernetesSerialization();

    @BeforeAll
    static void charts() throws IOException {
        shelf = new OracleCharts.Shelf(folder);
        for (int i = 0; i < THREADS; i++) {
            REGISTRIES.add(new OracleRegistry(Files.createDirectory(folder.resolve("registry-" + i))));
        }
    }

    @AfterAll
    static void close() {
        REGISTRIES.forEach(OracleRegistry::close);
    }

    /** What there is in a history. */
    private enum Ground {
        PLAIN,
        /** With preflights, modules, builds, webhooks, clocks that are set and two operators at a time. */
        WIDE,
        /** The operator has the rights of an installation, recipes are applied by accounts, and rights come and go. */
        LIMITED
    }

    @Test
    void someHistoriesNeedNoRestart() {
        String asked = System.getProperty("sro.oracle.seed", "");
        Ground ground = Boolean.getBoolean("sro.oracle.wide")
                ? Ground.WIDE
                : Boolean.getBoolean("sro.oracle.limited") ? Ground.LIMITED : Ground.PLAIN;
        if (asked.isEmpty()) {
            check(LongStream.rangeClosed(1, FEW).boxed().toList(), Ground.PLAIN);
            return;
        }
        if (asked.contains(",")) {
            check(Arrays.stream(asked.split(",")).map(Long::valueOf).toList(), ground);
            return;
        }
        long only = Long.parseLong(asked);
        Set<Integer> without = numbers(System.getProperty("sro.oracle.without", ""));
        if (Boolean.getBoolean("sro.oracle.shrink")) {
            without = shorter(only, without, ground);
        }
        List<String> found = run(only, without, ground);
        assertThat(found).as("without " + without).isEmpty();
    }

    @Test
    void someWideHistoriesNeedNoRestart() {
        check(LongStream.rangeClosed(1, FEW_WIDE).boxed().toList(), Ground.WIDE);
    }

    /** Histories that found something, as long as they are lived through as they were then. */
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "7, 'waited for ever for what became ready before it was told of'",
        "10, 'watched pod templates that nobody needed any more'",
        "23, 'wrote the same status once a second: null against an empty list'",
        "25, 'wrote an object once a minute whose kind was not served any more'",
        "26, 'watched ConfigMaps that nobody needed any more'",
        "7382, 'looked once a second for what it had not asked for any more'"
    })
    void whatWasFoundStaysMended(long seed, String what) {
        assertThat(run(seed, Set.of(), Ground.PLAIN)).as(what).isEmpty();
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "151, 'was woken for a chart that somebody else had asked for in its name'",
        "6154, 'did not write down that nobody needs an image, as a pool was in trouble'",
        "7904, 'checked nothing again that the operator before it had checked'",
        "8590, 'watched a definition that had come'",
        "9345, 'wrote a label of others once a minute'"
    })
    void whatWasFoundInWideOnesStaysMended(long seed, String what) {
        assertThat(run(seed, Set.of(), Ground.WIDE)).as(what).isEmpty();
    }

    @Test
    @Tag("slow")
    void manyHistoriesNeedNoRestart() {
        check(LongStream.range(FIRST, FIRST + MANY).boxed().toList(), Ground.PLAIN);
    }

    @Test
    @Tag("slow")
    void manyWideHistoriesNeedNoRestart() {
        check(LongStream.range(FIRST_WIDE, FIRST_WIDE + MANY_WIDE).boxed().toList(), Ground.WIDE);
    }

    @Test
    void someHistoriesWithFewRightsNeedNoRestart() {
        check(LongStream.rangeClosed(1, FEW_LIMITED).boxed().toList(), Ground.LIMITED);
    }

    @Test
    @Tag("slow")
    void manyHistoriesWithFewRightsNeedNoRestart() {
        check(
                LongStream.range(FIRST_LIMITED, FIRST_LIMITED + MANY_LIMITED)
                        .boxed()
                        .toList(),
                Ground.LIMITED);
    }

    private static Set<Integer> numbers(String list) {
        return Arrays.stream(list.split(","))
                .filter(number -> !number.isBlank())
                .map(number -> Integer.valueOf(number.trim()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private void check(Collection<Long> seeds, Ground ground) {
        Map<Long, String> failed = new ConcurrentSkipListMap<>();
        Queue<Long> left = new ConcurrentLinkedQueue<>(seeds);
        Runnable some = () -> {
            for (Long seed = left.poll(); seed != null && failed.size() < ENOUGH; seed = left.poll()) {
                List<String> found = run(seed, Set.of(), ground);
                if (!found.isEmpty()) {
                    failed.put(seed, String.join("\n  ", found));
                    report(String.join("\n  ", found));
                }
                int ended = seeds.size() - left.size();
                if (ended % TOLD == 0) {
                    report(ended + " of " + seeds.size() + " begun, " + failed.size() + " failed");
                }
            }
        };
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                running.add(threads.submit(some));
            }
            for (Future<?> one : running) {
                one.get();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } finally {
            threads.shutdownNow();
        }
        assertThat(failed).as("failed seeds: " + failed.keySet()).isEmpty();
        assertThat(left).as("all were lived through").isEmpty();
    }

    private static synchronized void report(String text) {
        if (!REPORT.isEmpty()) {
            try {
                Files.writeString(Path.of(REPORT), text + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** The story, then what is wrong; empty if nothing is. */
    private List<String> run(long seed, Set<Integer> without, Ground ground) {
        OracleRegistry registry = Objects.requireNonNull(REGISTRIES.poll(), "a registry for each thread");
        try (OracleHistory history = new OracleHistory(
                seed,
                without,
                shelf,
                ground == Ground.WIDE ? registry : null,
                ground == Ground.LIMITED,
                serialization)) {
            List<String> found;
            try {
                history.live();
                history.calmDown();
                found = new RestartOracle(history.world()).judge();
            } catch (RuntimeException e) {
                found = List.of("failed: " + e);
            }
            if (found.isEmpty()) {
                return found;
            }
            String story = "seed " + seed + "\n  " + String.join("\n  ", history.world().log);
            return Stream.concat(Stream.of(story), found.stream()).toList();
        } finally {
            registry.away(false);
            REGISTRIES.add(registry);
        }
    }

    /** Leaves out steps as long as the first thing that is wrong stays of the same kind. */
    private Set<Integer> shorter(long seed, Set<Integer> without, Ground ground) {
        String kind = kind(run(seed, without, ground));
        Set<Integer> left = new TreeSet<>(without);
        for (int number : IntStream.range(0, OracleHistory.steps(seed)).boxed().toList()) {
            Set<Integer> more = new TreeSet<>(left);
            if (!kind.isEmpty()
                    && more.add(number)
                    && kind(run(seed, more, ground)).equals(kind)) {
                left = more;
            }
        }
        return left;
    }

    private static String kind(List<String> found) {
        return found.size() < 2 ? "" : found.get(1).replaceFirst("[:\\[].*", "").replaceAll("(?s)\n.*", "");
    }
}
