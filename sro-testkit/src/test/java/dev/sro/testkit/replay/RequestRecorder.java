package dev.sro.testkit.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.controlplane.Feature;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.controlplane.RealControlPlane;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Whether a real server still answers the cases of {@link RequestCases} as it is written down, which {@link RecordedRequestsTest} holds the
 * embedded one to. {@code -Dsro.requests.record=FOLDER} writes its answers down anew.
 *
 * <p>No part of a build, and run by its name: in a few of three thousand answers a real server goes through a map in an order that changes
 * from one request to the next, or a controller has written a status or has not yet.
 */
@RealControlPlane(needs = Feature.CONTROLLERS)
class RequestRecorder {
    private static final String RECORD = System.getProperty("sro.requests.record", "");

    @TestFactory
    Stream<DynamicTest> aRealServerAnswersAsItIsWrittenDown(RealCluster cluster) throws Exception {
        Endpoint real = Endpoint.real(cluster);
        Random random = new Random();
        return RequestCases.areas()
                .map(name -> DynamicTest.dynamicTest(name, () -> {
                    JsonNode area = RequestCases.area(name);
                    if (RECORD.isEmpty()) {
                        compare(real, area, name, random);
                    } else {
                        record(real, area, name, random);
                    }
                }));
    }

    private static void compare(Endpoint real, JsonNode area, String name, Random random) {
        JsonNode answers = RequestCases.answers(name);
        RequestDifferences differences = RequestDifferences.none();
        for (JsonNode scenario : RequestCases.scenarios(area)) {
            String called = scenario.path("name").asText();
            differences.add(name + "/" + called, answers.path(called), RequestCases.play(real, area, scenario, random));
        }
        assertThat(differences.text(RequestCases.knownDifferences(name)))
                .as("what a real server answers otherwise")
                .isEmpty();
    }

    private static void record(Endpoint real, JsonNode area, String name, Random random) throws Exception {
        StringBuilder text = new StringBuilder("{\n");
        String comma = "";
        for (JsonNode scenario : RequestCases.scenarios(area)) {
            ArrayNode steps = Endpoint.JSON.createArrayNode();
            for (JsonNode step : RequestCases.play(real, area, scenario, random)) {
                steps.add(RequestDifferences.answer((ObjectNode) step));
            }
            text.append(comma)
                    .append(scenario.path("name"))
                    .append(": ")
                    .append(Endpoint.JSON.writeValueAsString(steps));
            comma = ",\n";
        }
        Files.createDirectories(Path.of(RECORD));
        Files.writeString(Path.of(RECORD).resolve(name + ".json"), text.append("\n}\n"));
    }
}
