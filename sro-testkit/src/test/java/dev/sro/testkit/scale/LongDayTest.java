package dev.sro.testkit.scale;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Hours with faults of every kind, of the time of an embedded cluster: nothing is lost, nothing is written twice without a cause, nothing
 * is asked for at rest, and memory, threads and watches stay what they were.
 *
 * <p>{@code -Dsro.day.hours}, {@code -Dsro.day.nodes} and {@code -Dsro.day.seed} choose others, {@code -Dsro.day.report} a file that is
 * told of each hour.
 */
final class LongDayTest {

    private static final int HOURS = Integer.getInteger("sro.day.hours", 3);
    private static final int NODES = Integer.getInteger("sro.day.nodes", 40);
    private static final long SEED = Long.getLong("sro.day.seed", 1);
    private static final String REPORT = System.getProperty("sro.day.report", "");

    /** Caches are filled and compilers are through after it. */
    private static final int WARM = 2;

    /** Hours of which the one in the middle is compared. */
    private static final int SOME = 5;

    /** From so many hours on, a leak of an hour is a multiple of what differs anyway. */
    private static final int LONG = 12;

    private static final double SHARE_MORE = 1.05;
    private static final double SHARE_MORE_OF_FEW = 1.3;

    /** A kernel that no node had any more leaves a DaemonSet or two less. */
    private static final int OBJECTS_MORE = 6;

    /** Of pools that grow and shrink: of the client's, and one for a call that hung. */
    private static final int THREADS_MORE = 4;

    @Test
    @Tag("slow")
    void hoursOfFaultsLeaveNothingBehind() {
        long began = System.nanoTime();
        List<LongDay.Hour> hours = new ArrayList<>();
        try (LongDay day = new LongDay(NODES, SEED)) {
            day.begin();
            report("ready after " + since(began) + ": " + day.ledger);
            for (int hour = 1; hour <= HOURS; hour++) {
                LongDay.Hour seen = day.live(hour);
                hours.add(seen);
                report(since(began) + " " + seen + "\n  " + day.findings());
            }
            day.isJudged();
            report(since(began) + " judged; " + day.ledger + "\n  " + day.findings());
            assertThat(day.findings()).isEmpty();
            assertThat(day.ledger.repeated())
                    .as("written twice without a cause")
                    .isEmpty();
        }
        LongDay.Hour first = hours.get(Math.min(WARM, HOURS) - 1);
        LongDay.Hour last = hours.get(HOURS - 1);
        assertThat(last.watches()).isEqualTo(first.watches());
        assertThat(last.objects()).as("objects in the cluster").isLessThanOrEqualTo(first.objects() + OBJECTS_MORE);
        assertThat(last.threads()).as(hours.toString()).isLessThanOrEqualTo(first.threads() + THREADS_MORE);
        List<LongDay.Hour> early = hours.subList(Math.min(WARM, HOURS) - 1, Math.min(HOURS, WARM + SOME));
        List<LongDay.Hour> late = hours.subList(Math.max(0, HOURS - SOME), HOURS);
        assertThat(timers(late)).as(hours.toString()).isLessThanOrEqualTo(timers(early));
        assertThat(heap(late)).as("heap after collections: " + hours).isLessThanOrEqualTo((long)
                (heap(early) * (HOURS < LONG ? SHARE_MORE_OF_FEW : SHARE_MORE)));
    }

    /** The fewest: a look whether something is needed any more waits some minutes. */
    private static int timers(List<LongDay.Hour> some) {
        return some.stream().mapToInt(LongDay.Hour::timers).min().orElse(0);
    }

    /** In the middle of some hours: what the cluster remembers for its watches differs from hour to hour. */
    private static long heap(List<LongDay.Hour> some) {
        long[] sorted =
                some.stream().mapToLong(LongDay.Hour::heapBytes).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    private static Duration since(long began) {
        return Duration.ofSeconds((System.nanoTime() - began) / 1_000_000_000);
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
