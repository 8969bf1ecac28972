package dev.sro.core.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RankedAnswersTest {
    private static final int BEST = 10;

    @Test
    void scoresByTheOrderOfAllDifferentAnswers() {
        SplittableRandom random = new SplittableRandom(3);
        for (int different = 1; different < 30; different++) {
            int bound = different;
            List<Integer> answers = IntStream.range(0, 60)
                    .mapToObj(i -> 7 * random.nextInt(bound) - 7)
                    .toList();
            RankedAnswers ranked = new RankedAnswers(BEST);
            answers.forEach(ranked::add);
            TreeSet<Integer> sorted = new TreeSet<>(answers);
            sorted.removeIf(answer -> answer < 0);
            for (int answer : answers) {
                int expected = answer < 0
                        ? 0
                        : Math.max(1, BEST - sorted.headSet(answer).size());
                assertThat(ranked.score(answer)).as("%s of %s", answer, sorted).isEqualTo(expected);
            }
        }
    }
}
