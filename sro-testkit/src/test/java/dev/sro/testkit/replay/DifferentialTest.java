package dev.sro.testkit.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.controlplane.Feature;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.controlplane.RealControlPlane;
import dev.sro.testkit.sim.SimulationFactory;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The same random requests to the embedded server and to a real one: the same answers, and the same objects in the end. */
@RealControlPlane(needs = Feature.CONTROLLERS)
class DifferentialTest {
    private static final int LENGTH = 14;
    /** Other sequences: {@code -Dsro.differential.seed=1000 -Dsro.differential.count=500}. */
    private static final long FIRST = Long.getLong("sro.differential.seed", 0);

    private static final long COUNT = Long.getLong("sro.differential.count", 60);

    @TestFactory
    Stream<DynamicTest> answersAlike(RealCluster cluster) throws Exception {
        Config config = cluster.config();
        HttpClient trusting = HttpClient.newBuilder()
                .sslContext(SSLUtils.sslContext(config))
                .version(HttpClient.Version.HTTP_1_1)
                .build();
        String token = config.getAutoOAuthToken() == null ? config.getOauthToken() : config.getAutoOAuthToken();
        Endpoint real = Endpoint.real(trusting, URI.create(config.getMasterUrl()), token == null ? "" : token);
        EmbeddedCluster own =
                EmbeddedCluster.builder().controller(new SimulationFactory()).build();
        Endpoint embedded = new EmbeddedEndpoint(HttpClient.newHttpClient(), own);
        ObjectNode group = JsonNodeFactory.instance.objectNode();
        group.put("group", "differential").put("deleteNamespaces", true);
        return LongStream.range(FIRST, FIRST + COUNT)
                .mapToObj(seed -> DynamicTest.dynamicTest("seed " + seed, () -> {
                    JsonNode scenario = RandomScenario.of(seed, LENGTH);
                    JsonNode theirs = new ReplayCase(real, group, scenario, new Random(), null, Map.of()).run();
                    JsonNode ours = new ReplayCase(embedded, group, scenario, new Random(), null, Map.of()).run();
                    Map<Integer, String> differences = Recordings.differences(Unordered.of(theirs), Unordered.of(ours));
                    assertThat(differences).as("differences by step").isEmpty();
                }))
                .onClose(own::close);
    }
}
