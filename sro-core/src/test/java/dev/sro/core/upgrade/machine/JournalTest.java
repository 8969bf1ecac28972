package dev.sro.core.upgrade.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class JournalTest {

    private static final Instant T = Instant.parse("2026-11-22T05:00:00Z");

    private static JournalEntry entry(int failures, String message) {
        return new JournalEntry(
                UpgradePhase.POD_RESTART,
                T,
                Optional.of(T),
                true,
                failures,
                true,
                "4f0c1a52-6a9e-4b7a-8d43-4d1c0d0f5a11",
                "pod 1",
                "v=2 %",
                "DriverCrashes",
                message);
    }

    private static Journal journal(int nodes, int failures, String message) {
        SortedMap<String, JournalEntry> entries = new TreeMap<>();
        for (int i = 0; i < nodes; i++) {
            entries.put("ip-10-0-" + i + ".eu-central-1.compute.internal", entry(i % 2 == 0 ? failures : 0, message));
        }
        return new Journal(
                "sha256:abc",
                Optional.of(T),
                "good one",
                "bad%20one",
                2,
                Optional.of(T),
                Optional.of(new Journal.Halt(T, "3 of 10 nodes failed\nby far")),
                "go on",
                3,
                entries);
    }

    @Test
    void whatIsWrittenIsRead() {
        Journal journal = journal(5, 2, "Back-off restarting\tfailed container 日本 = 100%");
        Journal.Parsed read = Journal.parse(journal.text());
        assertThat(read.problems()).isEmpty();
        assertThat(read.journal()).isEqualTo(journal);
        assertThat(Journal.parse(Journal.EMPTY.text()).journal()).isEqualTo(Journal.EMPTY);
        assertThat(Journal.parse(Map.of()).journal()).isEqualTo(Journal.EMPTY);
    }

    @Test
    void whatCannotBeReadIsDroppedAndReportedAndTheRestKept() {
        Map<String, String> text = new TreeMap<>(journal(2, 1, "").text());
        text.put(
                Journal.NODES,
                "who\nwho phase=none since=" + T + "\nwho phase=upgrade-failed since=noon\n"
                        + "who phase=upgrade-failed since=" + T + " failures=-1\n\n" + text.get(Journal.NODES));
        text.put(
                Journal.ROLLOUT,
                text.getOrDefault(Journal.ROLLOUT, "")
                        .replace("wave=2", "wave=two")
                        .replace("waveDone=2", "waveDone=x"));
        Journal.Parsed read = Journal.parse(text);
        assertThat(read.journal().entries()).hasSize(2);
        assertThat(read.journal().target()).isEqualTo("sha256:abc");
        assertThat(read.journal().wave()).isZero();
        assertThat(read.problems()).hasSize(6);
    }

    @Test
    void noTextMakesReadingFail() {
        Random random = new Random(1);
        String good = journal(3, 1, "message").text().toString();
        for (int i = 0; i < 3_000; i++) {
            StringBuilder text = new StringBuilder(good);
            for (int j = random.nextInt(8); j >= 0; j--) {
                int at = random.nextInt(text.length());
                text.replace(at, Math.min(text.length(), at + random.nextInt(4)), String.valueOf((char)
                        random.nextInt(300)));
            }
            Journal.Parsed read =
                    Journal.parse(Map.of(Journal.ROLLOUT, text.toString(), Journal.NODES, text.toString()));
            assertThat(Journal.parse(read.journal().text()).journal()).isEqualTo(read.journal());
        }
    }

    @Test
    void itStaysSmallHoweverManyNodesThereAre() {
        String longest = "x".repeat(10_000);
        assertThat(size(journal(15_000, 1, longest))).isLessThan(900_000);
        assertThat(Journal.parse(journal(15_000, 1, longest).text()).journal().entries())
                .hasSize(Journal.MAX_ENTRIES)
                .allSatisfy((name, entry) -> assertThat(entry.failures()).isEqualTo(1));
        SortedMap<String, JournalEntry> hundred = new TreeMap<>();
        for (int i = 0; i < 100; i++) {
            hundred.put(
                    "node-" + i,
                    JournalEntry.begin(UpgradePhase.POD_RESTART, T, false, "v550.54.15")
                            .begun(T));
        }
        assertThat(size(Journal.EMPTY.withEntries(hundred))).isLessThan(15_000);
    }

    private static int size(Journal journal) {
        return journal.text().values().stream()
                .mapToInt(text -> text.getBytes(StandardCharsets.UTF_8).length)
                .sum();
    }

    @Test
    void timesAfterNowCountAsNow() {
        JournalEntry entry = entry(0, "");
        assertThat(entry.notAfter(T)).isSameAs(entry);
        assertThat(entry.notAfter(T.minusSeconds(5)).since()).isEqualTo(T.minusSeconds(5));
        assertThat(entry.notAfter(T.minusSeconds(5)).started()).contains(T.minusSeconds(5));
    }
}
