package dev.sro.testkit.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.EmbeddedCluster;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Objects that a real API server refused are refused here with the same words: what {@link SampleDifferentialTest} found, kept. */
class RecordedSamplesTest {
    private static final int ENOUGH = 100;

    @Test
    void whatARealServerRefusedIsRefusedInTheSameWords() throws Exception {
        List<String> differences = new ArrayList<>();
        int count = 0;
        try (EmbeddedCluster cluster = EmbeddedCluster.builder().build();
                BufferedReader lines = new BufferedReader(new InputStreamReader(
                        Objects.requireNonNull(getClass().getResourceAsStream("refused-samples.jsonl")),
                        StandardCharsets.UTF_8))) {
            Endpoint embedded = new EmbeddedEndpoint(HttpClient.newHttpClient(), cluster);
            ObjectNode namespace = JsonNodeFactory.instance.objectNode();
            namespace.putObject("metadata").put("name", "samples");
            embedded.call(post("/api/v1/namespaces", namespace));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                count++;
                JsonNode recorded = Endpoint.JSON.readTree(line);
                ObjectNode request = post(recorded.path("path").asText(), recorded.path("object"));
                request.putObject("query").put("dryRun", "All");
                Map<String, Object> said = Judgement.of(embedded.call(request)).said();
                JsonNode ours = Endpoint.JSON.valueToTree(said);
                if (!ours.equals(recorded.path("said"))) {
                    differences.add("\n" + recorded.path("object") + "\n  real     " + recorded.path("said")
                            + "\n  embedded " + ours);
                }
            }
        }
        assertThat(count).isGreaterThan(ENOUGH);
        assertThat(differences).isEmpty();
    }

    private static ObjectNode post(String path, JsonNode object) {
        ObjectNode request = JsonNodeFactory.instance.objectNode();
        return request.put("method", "POST").put("path", path).set("body", object);
    }
}
