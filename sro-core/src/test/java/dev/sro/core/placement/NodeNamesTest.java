package dev.sro.core.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class NodeNamesTest {
    @Test
    void everyNameHasItsOwnNumberUntilItGoes() {
        SplittableRandom random = new SplittableRandom(7);
        NodeNames names = new NodeNames();
        Map<String, Integer> expected = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            String name = "node-" + random.nextInt(i < 10_000 ? 700 : 90);
            if (random.nextInt(3) == 0) {
                names.remove(name);
                expected.remove(name);
            } else {
                int number = names.add(name);
                Integer before = expected.put(name, number);
                assertThat(before == null ? number : before).isEqualTo(number);
            }
            String asked = "node-" + random.nextInt(700);
            assertThat(names.of(asked)).isEqualTo(expected.getOrDefault(asked, NodeNames.NONE));
        }

        assertThat(names.all()).containsExactlyInAnyOrderElementsOf(expected.keySet());
        assertThat(new HashSet<>(expected.values())).hasSameSizeAs(expected.keySet());
    }

    @Test
    void numbersOfThoseThatWentAreGivenAgain() {
        NodeNames names = new NodeNames();
        for (int i = 0; i < 5_000; i++) {
            int number = names.add("spot-" + i);
            names.remove("spot-" + i);
            assertThat(number).isZero();
        }
    }

    @Test
    void namesOfOneHashAreToldApart() {
        NodeNames names = new NodeNames();
        assertThat("Aa".hashCode()).isEqualTo("BB".hashCode());

        int first = names.add("Aa");
        int second = names.add("BB");
        names.remove("Aa");

        assertThat(first).isNotEqualTo(second);
        assertThat(names.of("BB")).isEqualTo(second);
        assertThat(names.of("Aa")).isEqualTo(NodeNames.NONE);
    }
}
