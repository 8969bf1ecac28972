package dev.sro.testkit.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.sim.SimulationFactory;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Requests of the kinds that users of an API server send in tests, thought out by hand: {@code requests/<area>.json} has the form of
 * the scenarios of the recordings. Stateless.
 */
final class RequestCases {
    static final List<String> AREAS = List.of(
            "apply",
            "patches",
            "definitions",
            "validation",
            "deletion",
            "reads",
            "negotiation",
            "field-validation",
            "metadata",
            "subresources",
            "kinds",
            "discovery",
            "everyday");

    private RequestCases() {}

    /** All areas, or those that {@code -Dsro.requests.areas=apply,reads} names. */
    static Stream<String> areas() {
        String given = System.getProperty("sro.requests.areas", "");
        return given.isEmpty() ? AREAS.stream() : Stream.of(given.split(","));
    }

    static JsonNode area(String name) {
        return read("requests/" + name + ".json");
    }

    /** What a real server answered to the cases of an area: the steps by the names of the cases. */
    static JsonNode answers(String name) {
        return read("requests/answers/" + name + ".json");
    }

    /** The steps of an area that the embedded server answers otherwise: {@code area/case step | what differs}. */
    static Set<String> knownDifferences(String area) {
        try (InputStream in = RequestCases.class.getResourceAsStream("requests/known-differences.txt")) {
            if (in == null) {
                throw new IllegalStateException("requests/known-differences.txt is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.startsWith(area + "/"))
                    .map(line -> line.substring(0, line.indexOf(" | ")))
                    .collect(Collectors.toUnmodifiableSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode read(String resource) {
        try (InputStream in = RequestCases.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException(resource + " is missing");
            }
            return Endpoint.JSON.readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static EmbeddedCluster cluster() {
        return EmbeddedCluster.builder().controller(new SimulationFactory()).build();
    }

    static Endpoint embedded(EmbeddedCluster cluster) {
        return new EmbeddedEndpoint(HttpClient.newHttpClient(), cluster);
    }

    /** Plays a case; what is chance in the answers is taken out. */
    static JsonNode play(Endpoint endpoint, JsonNode area, JsonNode scenario, Random random) {
        return Unordered.of(new ReplayCase(endpoint, area, scenario, random, null, Map.of()).run());
    }

    static List<JsonNode> scenarios(JsonNode area) {
        List<JsonNode> all = new ArrayList<>();
        ((ArrayNode) area.path("cases")).forEach(all::add);
        return all;
    }
}
