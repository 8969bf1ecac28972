package dev.sro.runtime.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UnifiedDiffTest {

    private static List<String> numbers(int from, int to) {
        return IntStream.range(from, to).mapToObj(Integer::toString).toList();
    }

    @Test
    void printsHunksAsDiffDoes() {
        List<String> before = numbers(1, 31);
        List<String> after = new ArrayList<>(before);
        after.set(9, "ten");
        after.remove("25");
        after.add("31");

        assertThat(UnifiedDiff.compute(before, after))
                .containsExactly(
                        "@@ -7,7 +7,7 @@",
                        " 7",
                        " 8",
                        " 9",
                        "-10",
                        "+ten",
                        " 11",
                        " 12",
                        " 13",
                        "@@ -22,9 +22,9 @@",
                        " 22",
                        " 23",
                        " 24",
                        "-25",
                        " 26",
                        " 27",
                        " 28",
                        " 29",
                        " 30",
                        "+31");
    }

    @Test
    void hasRangesOfFilesThatAreEmpty() {
        assertThat(UnifiedDiff.compute(List.of(), List.of("a", "b"))).containsExactly("@@ -0,0 +1,2 @@", "+a", "+b");
        assertThat(UnifiedDiff.compute(List.of("a"), List.of())).containsExactly("@@ -1,1 +0,0 @@", "-a");
        assertThat(UnifiedDiff.compute(List.of("a"), List.of("a"))).isEmpty();
    }

    @Test
    void bothTextsAreInIt() {
        Random random = new Random(7);
        for (int round = 0; round < 300; round++) {
            List<String> before = new ArrayList<>(numbers(0, random.nextInt(7)));
            List<String> after = new ArrayList<>(numbers(0, random.nextInt(7)));
            Collections.shuffle(before, random);
            Collections.shuffle(after, random);
            List<String> hunks = UnifiedDiff.compute(before, after);
            if (!before.equals(after)) {
                assertThat(texts(hunks, '+')).isEqualTo(before);
                assertThat(texts(hunks, '-')).isEqualTo(after);
            }
        }
    }

    private static List<String> texts(List<String> hunks, char without) {
        return hunks.stream()
                .filter(line -> line.charAt(0) != '@' && line.charAt(0) != without)
                .map(line -> line.substring(1))
                .toList();
    }
}
