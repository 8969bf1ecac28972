package dev.sro.testkit.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sro.testkit.EmbeddedCluster;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The embedded server answers the cases of {@link RequestCases} as a real one did, except for the steps that {@code
 * requests/known-differences.txt} lists: what is listed and does not differ any more fails too.
 */
class RecordedRequestsTest {
    @TestFactory
    Stream<DynamicTest> answersWhatARealServerAnswered() {
        return RequestCases.areas()
                .map(name -> DynamicTest.dynamicTest(name, () -> {
                    RequestDifferences differences = RequestDifferences.none();
                    JsonNode area = RequestCases.area(name);
                    JsonNode answers = RequestCases.answers(name);
                    Random random = new Random(1);
                    try (EmbeddedCluster cluster = RequestCases.cluster()) {
                        Endpoint embedded = RequestCases.embedded(cluster);
                        for (JsonNode scenario : RequestCases.scenarios(area)) {
                            String called = scenario.path("name").asText();
                            differences.add(
                                    name + "/" + called,
                                    answers.path(called),
                                    RequestCases.play(embedded, area, scenario, random));
                        }
                    }
                    Set<String> known = RequestCases.knownDifferences(name);
                    Set<String> gone = new TreeSet<>(known);
                    gone.removeAll(differences.places());
                    assertThat(differences.steps()).isPositive();
                    assertThat(differences.text(known))
                            .as("what is answered otherwise")
                            .isEmpty();
                    assertThat(gone)
                            .as("listed as different, and is not any more")
                            .isEmpty();
                }));
    }
}
