package dev.sro.testkit.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Upgrades of pools with exactly one bad node, by the engine on the embedded cluster: it never delays another one beyond what the policy
 * says, no budget is exceeded, the status names it and why, and once it is mended all of the pool has the driver and nobody writes
 * anything more.
 *
 * <p>{@code -Dsro.upgrades.first} and {@code -Dsro.upgrades.generated} choose others, {@code -Dsro.upgrades.report} a file that is told how
 * far it is.
 */
final class BadNodeHistoryTest {

    private static final int FEW = 2;
    /** A dozen in the slow group; how many were lived through is in docs/reliability.md. */
    private static final int MANY = Integer.getInteger("sro.upgrades.generated", 8);

    private static final long FIRST = Long.getLong("sro.upgrades.first", 1_001);
    private static final int ENOUGH = 10;
    private static final int TOLD = 10;
    private static final String REPORT = System.getProperty("sro.upgrades.report", "");

    private final KubernetesSerialization serialization = new KubernetesSerialization();
    private final Map<BadNode, Integer> kinds = new TreeMap<>();

    @Test
    void aFewBadNodesDelayNobody() {
        check(1, FEW);
    }

    @Test
    @Tag("slow")
    void manyBadNodesDelayNobody() {
        check(FIRST, MANY);
    }

    private void check(long first, int count) {
        Map<Long, String> failed = new TreeMap<>();
        for (long seed : LongStream.range(first, first + count).toArray()) {
            String found = run(seed);
            if (!found.isEmpty()) {
                failed.put(seed, found);
                report(found);
            }
            long lived = seed - first + 1;
            if (lived % TOLD == 0 || lived == count) {
                report(lived + " of " + count + " lived through, failed " + failed.keySet() + ", " + kinds);
            }
            if (failed.size() >= ENOUGH) {
                break;
            }
        }
        assertThat(failed).as("failed seeds: " + failed.keySet()).isEmpty();
    }

    /** Its story and what is wrong; empty if nothing is. */
    private String run(long seed) {
        try (BadNodeHistory history = new BadNodeHistory(seed, serialization)) {
            kinds.merge(history.kind, 1, Integer::sum);
            Stream<String> found;
            try {
                found = history.live().stream();
            } catch (RuntimeException e) {
                found = Stream.of("failed: " + e);
            }
            String text = found.collect(Collectors.joining("\n  "));
            return text.isEmpty() ? "" : String.join("\n  ", history.log) + "\n  " + text;
        }
    }

    private static void report(String text) {
        if (!REPORT.isEmpty()) {
            try {
                Files.writeString(Path.of(REPORT), text + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
