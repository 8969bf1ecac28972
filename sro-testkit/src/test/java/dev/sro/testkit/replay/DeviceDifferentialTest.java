package dev.sro.testkit.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.controlplane.Feature;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.controlplane.RealControlPlane;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Random slices, classes, claims and templates, valid and invalid: both servers say the same of them, error by error, and make the
 * same of those that they take. Everything is tried without being stored.
 */
@RealControlPlane(needs = Feature.CONTROLLERS)
class DeviceDifferentialTest {
    private static final String API = "/apis/resource.k8s.io/v1/";
    private static final Map<String, String> PATHS = Map.of(
            "ResourceSlice", API + "resourceslices",
            "DeviceClass", API + "deviceclasses",
            "ResourceClaim", API + "namespaces/devices/resourceclaims",
            "ResourceClaimTemplate", API + "namespaces/devices/resourceclaimtemplates");
    private static final List<String> KINDS = PATHS.keySet().stream().sorted().toList();
    /** More: {@code -Dsro.differential.seed=1 -Dsro.differential.count=5000}. */
    private static final long SEED = Long.getLong("sro.differential.seed", 0);

    private static final int COUNT = Integer.getInteger("sro.differential.count", 400);
    private static final int SHOWN = 20;

    private final Random random = new Random(SEED);
    private final RandomDevices devices = new RandomDevices(random);
    private final List<String> differences = new ArrayList<>();
    private final Map<Integer, Integer> answers = new TreeMap<>();

    @Test
    void bothServersJudgeDevicesAlike(RealCluster cluster) throws Exception {
        Config config = cluster.config();
        HttpClient trusting = HttpClient.newBuilder()
                .sslContext(SSLUtils.sslContext(config))
                .version(HttpClient.Version.HTTP_1_1)
                .build();
        String token = config.getAutoOAuthToken() == null ? config.getOauthToken() : config.getAutoOAuthToken();
        Endpoint real = Endpoint.real(trusting, URI.create(config.getMasterUrl()), token == null ? "" : token);
        try (EmbeddedCluster own = EmbeddedCluster.builder().build()) {
            Endpoint embedded = new EmbeddedEndpoint(HttpClient.newHttpClient(), own);
            for (Endpoint server : List.of(real, embedded)) {
                prepare(server);
            }
            for (int i = 0; i < COUNT; i++) {
                compare(i, next(), real, embedded);
            }
        }
        assertThat(answers.keySet()).as("answers").contains(201, 200, 422);
        assertThat(differences.subList(0, Math.min(SHOWN, differences.size())))
                .as("%d of %d objects, answers %s", differences.size(), COUNT, answers)
                .isEmpty();
    }

    private static ObjectNode object(String kind, String name, JsonNode content) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.put("apiVersion", kind.equals("Namespace") ? "v1" : "resource.k8s.io/v1")
                .put("kind", kind);
        object.putObject("metadata").put("name", name);
        content.properties().forEach(e -> object.set(e.getKey(), e.getValue()));
        return object;
    }

    private static ObjectNode request(String method, String path, JsonNode body) {
        ObjectNode request = JsonNodeFactory.instance.objectNode();
        return request.put("method", method).put("path", path).set("body", body);
    }

    /** One object of each valid form, to be changed afterwards. */
    private static void prepare(Endpoint server) {
        JsonNode nothing = JsonNodeFactory.instance.objectNode();
        server.call(request("POST", "/api/v1/namespaces", object("Namespace", "devices", nothing)));
        for (String kind : KINDS) {
            List<String> valid = RandomDevices.VALID.getOrDefault(kind, List.of());
            for (int i = 0; i < valid.size(); i++) {
                ObjectNode object = object(kind, "valid-" + i, RandomDevices.json(valid.get(i)));
                Endpoint.Reply made = server.call(request("POST", PATHS.getOrDefault(kind, ""), object));
                assertThat(made.status()).as("%s %s", object, made.body()).isEqualTo(201);
            }
        }
    }

    private ObjectNode next() {
        String kind = KINDS.get(random.nextInt(KINDS.size()));
        if (random.nextInt(3) == 0) {
            kind = "ResourceSlice";
        }
        String path = PATHS.getOrDefault(kind, "");
        int changes = random.nextInt(4);
        ObjectNode request;
        if (kind.equals("ResourceClaim") && random.nextInt(2) == 0) {
            ObjectNode claim = object(
                    kind,
                    "valid-0",
                    RandomDevices.json(
                            RandomDevices.VALID.getOrDefault(kind, List.of()).get(0)));
            claim.set("status", devices.any("status", changes));
            request = request("PUT", path + "/valid-0/status", claim);
        } else if (random.nextInt(4) == 0) {
            request = request("PUT", path + "/valid-0", object(kind, "valid-0", devices.any(kind, changes)));
        } else {
            request = request("POST", path, object(kind, "new", devices.any(kind, changes)));
        }
        request.putObject("query").put("dryRun", "All");
        return request;
    }

    private void compare(int number, ObjectNode request, Endpoint real, Endpoint embedded) {
        Endpoint.Reply theirs;
        try {
            theirs = real.call(request);
        } catch (UncheckedIOException broken) {
            // It divides by a step of zero and dies in that request: nothing to be like.
            answers.merge(0, 1, Integer::sum);
            return;
        }
        Endpoint.Reply ours = embedded.call(request);
        answers.merge(theirs.status(), 1, Integer::sum);
        Map<String, Object> wanted = said(theirs);
        Map<String, Object> got = said(ours);
        if (!wanted.equals(got)) {
            differences.add("\n#" + number + " " + request.path("method").asText() + " "
                    + request.path("path").asText() + " " + request.path("body") + "\n  real     "
                    + without(wanted, got)
                    + "\n  embedded " + without(got, wanted));
        }
    }

    /** The server tells an empty list from none in what was sent, but not in what it keeps. */
    private static String plain(String cause) {
        return cause.replace("[]", "null");
    }

    /** What the one has and the other has not. */
    private static Map<String, Object> without(Map<String, Object> one, Map<String, Object> other) {
        Map<String, Object> rest = new LinkedHashMap<>();
        one.forEach((key, value) -> {
            if (value instanceof List<?> list && other.get(key) instanceof List<?> others) {
                List<Object> only = new ArrayList<>(list);
                only.removeAll(others);
                rest.put(key, only);
            } else if (!value.equals(other.get(key))) {
                rest.put(key, value);
            }
        });
        return rest;
    }

    /** What is compared of an answer: errors in any order, since the server goes through maps at random. */
    private static Map<String, Object> said(Endpoint.Reply reply) {
        Map<String, Object> said = new LinkedHashMap<>();
        said.put("status", reply.status());
        said.put("warnings", reply.warnings());
        JsonNode body = reply.body();
        if (!(body instanceof ObjectNode object)) {
            said.put("body", String.valueOf(body));
        } else if (reply.status() < 400) {
            ObjectNode metadata = (ObjectNode) object.path("metadata");
            metadata.remove(List.of("uid", "resourceVersion", "creationTimestamp", "managedFields"));
            object.path("spec")
                    .path("devices")
                    .forEach(d -> d.path("taints").forEach(t -> {
                        // The time of a taint is a change of its own, where time passes.
                        ((ObjectNode) t).remove("timeAdded");
                        metadata.remove("generation");
                    }));
            // The server writes the default of a policy that has none as null.
            object.findValues("requestPolicy").forEach(policy -> {
                if (policy.path("default").isNull()) {
                    ((ObjectNode) policy).remove("default");
                }
            });
            said.put("body", new TreeMap<>(Map.of("spec", object.path("spec"), "status", object.path("status"))));
            said.put("metadata", metadata);
        } else {
            List<String> causes = new ArrayList<>();
            object.path("details").path("causes").forEach(c -> causes.add(plain(c.toString())));
            Collections.sort(causes);
            said.put("causes", causes.isEmpty() ? object.path("message").asText() : causes);
        }
        return said;
    }
}
