package dev.sro.core.engine.relation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DependencyGraphTest {
    @ParameterizedTest
    @CsvSource({
        "a>b b>c, ''",
        "a>a, a a",
        "a>b b>a, a b a",
        "a>b b>c c>a, a b c a",
        "a>b a>c b>d c>d, ''",
        "a>b b>c c>b, ''",
        "a>b b>c c>a b>a, a b a",
        "a>c a>b b>a c>a, a b a",
        "a>x, ''",
    })
    void findsTheShortestWayBack(String edges, String way) {
        assertThat(DependencyGraph.cycle("a", parse(edges)))
                .isEqualTo(way.isEmpty() ? List.of() : List.of(way.split(" ")));
    }

    private static Map<String, SortedSet<String>> parse(String edges) {
        Map<String, SortedSet<String>> parsed = new HashMap<>();
        for (String edge : edges.split(" ")) {
            String[] ends = edge.split(">");
            parsed.computeIfAbsent(ends[0], unused -> new TreeSet<>()).add(ends[1]);
        }
        return parsed;
    }
}
