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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Random devices and random claims, one pod after the other: the simulated scheduler gives each claim the devices that kube-scheduler
 * gives it, or says in the same words that there are none.
 */
@RealControlPlane(needs = Feature.CONTROLLERS)
class AllocatorDifferentialTest {
    private static final String API = "/apis/resource.k8s.io/v1/";
    private static final String NAMESPACE = "allocator";
    private static final String CLAIMS = API + "namespaces/" + NAMESPACE + "/resourceclaims";
    private static final String PODS = "/api/v1/namespaces/" + NAMESPACE + "/pods";
    private static final int CLAIMS_PER_FLEET = 8;
    /** More: {@code -Dsro.differential.seed=1000 -Dsro.differential.count=100}. */
    private static final long FIRST = Long.getLong("sro.differential.seed", 0);

    private static final int COUNT = Integer.getInteger("sro.differential.count", 12);
    private static final int ATTEMPTS = 600;
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final Map<String, Integer> outcomes = new TreeMap<>();
    private final List<String> differences = new ArrayList<>();

    @Test
    void sameDevicesAsTheRealScheduler(RealCluster cluster) throws Exception {
        Config config = cluster.config();
        HttpClient trusting = HttpClient.newBuilder()
                .sslContext(SSLUtils.sslContext(config))
                .version(HttpClient.Version.HTTP_1_1)
                .build();
        String token = config.getAutoOAuthToken() == null ? config.getOauthToken() : config.getAutoOAuthToken();
        Endpoint real = Endpoint.real(trusting, URI.create(config.getMasterUrl()), token == null ? "" : token);
        try (EmbeddedCluster own =
                EmbeddedCluster.builder().controller(new SimulationFactory()).build()) {
            Endpoint embedded = new EmbeddedEndpoint(HttpClient.newHttpClient(), own);
            for (Endpoint server : List.of(real, embedded)) {
                // Other tests on the same cluster left devices that every node may have.
                assertThat(server.call(request("DELETE", API + "resourceslices"))
                                .status())
                        .isEqualTo(200);
                ObjectNode namespace = JsonNodeFactory.instance.objectNode();
                namespace
                        .put("apiVersion", "v1")
                        .put("kind", "Namespace")
                        .putObject("metadata")
                        .put("name", NAMESPACE);
                make(server, "/api/v1/namespaces", namespace);
                RandomFleet.classes().forEach(c -> make(server, API + "deviceclasses", c));
                until(server, "/api/v1/namespaces/" + NAMESPACE + "/serviceaccounts/default", b -> b.has("metadata"));
            }
            for (long seed = FIRST; seed < FIRST + COUNT; seed++) {
                List<String> theirs = play(seed, real);
                List<String> ours = play(seed, embedded);
                for (int i = 0; i < theirs.size(); i++) {
                    String answer = theirs.get(i);
                    boolean allocated = answer.startsWith("{");
                    outcomes.merge(
                            new RandomFleet(seed).form + (allocated ? " allocated" : " refused"), 1, Integer::sum);
                    if (!answer.equals(ours.get(i))) {
                        differences.add("\nseed " + seed + " claim " + i + "\n  real     " + answer + "\n  embedded "
                                + ours.get(i));
                        break;
                    }
                }
            }
        }
        assertThat(differences)
                .as("%d of %d fleets; claims: %s", differences.size(), COUNT, outcomes)
                .isEmpty();
    }

    private static ObjectNode request(String method, String path) {
        return JsonNodeFactory.instance.objectNode().put("method", method).put("path", path);
    }

    private static void make(Endpoint server, String path, JsonNode body) {
        ObjectNode request = request("POST", path);
        request.set("body", body);
        Endpoint.Reply reply = server.call(request);
        assertThat(reply.status()).as("%s %s", body, reply.body()).isEqualTo(201);
    }

    private static JsonNode until(Endpoint server, String path, java.util.function.Predicate<JsonNode> done) {
        JsonNode last = JsonNodeFactory.instance.objectNode();
        for (int i = 0; i < ATTEMPTS; i++) {
            JsonNode body = server.call(request("GET", path)).body();
            last = body == null ? last : body;
            if (done.test(last)) {
                return last;
            }
            server.pass(PAUSE);
        }
        throw new AssertionError(path + " is still " + last);
    }

    private static List<String> play(long seed, Endpoint server) {
        RandomFleet fleet = new RandomFleet(seed);
        ObjectNode node = (ObjectNode)
                RandomDevices.json(
                        "{'apiVersion':'v1','kind':'Node','metadata':{'name':'" + fleet.id
                                + "','labels':{'fleet':'" + fleet.id
                                + "'},'annotations':{'kwok.x-k8s.io/node':'fake'}},'status':{'capacity':"
                                + "{'cpu':'32','memory':'64Gi','pods':'110'},'allocatable':{'cpu':'32','memory':'64Gi','pods':'110'}}}");
        make(server, "/api/v1/nodes", node);
        until(
                server,
                "/api/v1/nodes/" + fleet.id,
                n -> n.path("spec").path("taints").isEmpty());
        List<ObjectNode> slices = fleet.slices();
        slices.forEach(s -> make(server, API + "resourceslices", s));
        // The scheduler's caches follow a little later.
        server.pass(Duration.ofMillis(400));
        List<String> answers = new ArrayList<>();
        for (int i = 0; i < CLAIMS_PER_FLEET; i++) {
            String name = fleet.id + "-" + i;
            make(server, CLAIMS, fleet.claim(name));
            server.pass(Duration.ofMillis(100));
            make(server, PODS, pod(name, fleet.id));
            answers.add(answer(server, name));
            int back = fleet.givenBack(i + 1);
            if (back >= 0) {
                remove(server, fleet.id + "-" + back);
            }
        }
        for (int i = 0; i < CLAIMS_PER_FLEET; i++) {
            remove(server, fleet.id + "-" + i);
        }
        slices.forEach(s -> server.call(request(
                "DELETE",
                API + "resourceslices/" + s.path("metadata").path("name").asText())));
        server.call(request("DELETE", "/api/v1/nodes/" + fleet.id));
        until(server, "/api/v1/nodes/" + fleet.id, n -> n.path("code").asInt() == 404);
        return answers;
    }

    private static JsonNode pod(String name, String fleet) {
        return RandomDevices.json("{'apiVersion':'v1','kind':'Pod','metadata':{'name':'" + name
                + "'},'spec':{'terminationGracePeriodSeconds':0,'nodeSelector':{'fleet':'" + fleet
                + "'},'containers':[{'name':'c','image':'i:1','resources':{'claims':[{'name':'d'}]}}],'resourceClaims':"
                + "[{'name':'d','resourceClaimName':'" + name + "'}]}}");
    }

    /** The allocation, or why there is none; of the text only what is about this node's devices. */
    private static String answer(Endpoint server, String name) {
        JsonNode pod = until(server, PODS + "/" + name, p -> !condition(p).isMissingNode());
        JsonNode condition = condition(pod);
        if (condition.path("status").asText().equals("False")) {
            String message = condition.path("message").asText();
            String reason = condition.path("reason").asText();
            return reason + ": "
                    + (message.contains("cannot allocate all claims") ? "cannot allocate all claims" : message);
        }
        JsonNode claim = server.call(request("GET", CLAIMS + "/" + name)).body();
        JsonNode allocation = claim == null ? JsonNodeFactory.instance.nullNode() : claim.at("/status/allocation");
        if (allocation instanceof ObjectNode object) {
            object.remove("allocationTimestamp");
            object.path("devices").path("results").forEach(r -> ((ObjectNode) r).remove("shareID"));
        }
        return allocation.toString();
    }

    private static JsonNode condition(JsonNode pod) {
        for (JsonNode c : pod.path("status").path("conditions")) {
            if (c.path("type").asText().equals("PodScheduled")) {
                return c;
            }
        }
        return JsonNodeFactory.instance.missingNode();
    }

    private static void remove(Endpoint server, String name) {
        server.call(request("DELETE", PODS + "/" + name));
        until(server, PODS + "/" + name, p -> p.path("code").asInt() == 404);
        server.call(request("DELETE", CLAIMS + "/" + name));
        until(server, CLAIMS + "/" + name, c -> c.path("code").asInt() == 404);
    }
}
