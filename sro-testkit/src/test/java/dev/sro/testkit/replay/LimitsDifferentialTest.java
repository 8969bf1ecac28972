package dev.sro.testkit.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.controlplane.Feature;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.controlplane.RealControlPlane;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Namespaces with random LimitRanges and ResourceQuotas, and random pods, claims and services that are made in them, in both servers: who
 * is completed with what, who is refused in which words, and what is used in the end.
 */
@RealControlPlane(needs = Feature.CONTROLLERS)
class LimitsDifferentialTest {
    /** Others: {@code -Dsro.differential.seed=1 -Dsro.differential.rounds=100}. */
    private static final long SEED = Long.getLong("sro.differential.seed", 0);

    private static final int ROUNDS = Integer.getInteger("sro.differential.rounds", 6);
    private static final int OBJECTS = 20;
    private static final int CREATED = 201;
    private static final List<String> CPU = List.of("100m", "250m", "0.5", "1", "1500m", "2");
    private static final List<String> MEMORY = List.of("32Mi", "64Mi", "100M", "128Mi", "1Gi");
    private static final List<String> STORAGE = List.of("1Gi", "2Gi", "5G", "8Gi");
    private static final String SLICES = "nvidia.com/mig-1g.5gb";

    private final Random random = new Random(SEED);
    private final List<String> differences = new ArrayList<>();
    private final Map<Integer, Integer> answers = new TreeMap<>();

    @Test
    void bothServersLimitAlike(RealCluster cluster) throws Exception {
        Endpoint real = Endpoint.real(cluster);
        try (EmbeddedCluster own = EmbeddedCluster.builder().build()) {
            Endpoint embedded = new EmbeddedEndpoint(HttpClient.newHttpClient(), own);
            for (int round = 0; round < ROUNDS; round++) {
                round("limits-" + round, List.of(real, embedded));
            }
        }
        assertThat(answers.keySet()).contains(201, 403);
        assertThat(differences).as("answers %s", answers).isEmpty();
    }

    private void round(String namespace, List<Endpoint> servers) {
        String root = "/api/v1/namespaces/" + namespace;
        ObjectNode made = object("v1", "Namespace", namespace);
        servers.forEach(server -> server.call(call("POST", "/api/v1/namespaces", made)));
        compare(call("POST", root + "/limitranges", limitRange()), servers);
        boolean counted = compare(call("POST", root + "/resourcequotas", quota()), servers);
        servers.forEach(server -> awaitQuota(server, root, counted));
        for (int i = 0; i < OBJECTS; i++) {
            ObjectNode call = switch (random.nextInt(6)) {
                case 0 -> call("POST", root + "/persistentvolumeclaims", claim(i));
                case 1 -> call("POST", root + "/services", service(i));
                default -> call("POST", root + "/pods", pod(i));
            };
            boolean dry = random.nextInt(3) > 0;
            if (dry) {
                call.putObject("query").put("dryRun", "All");
            }
            if (compare(call, servers) && !dry) {
                // A real server hears of what is used a moment later.
                servers.forEach(server -> server.pass(Duration.ofMillis(300)));
            }
        }
        servers.forEach(server -> server.pass(Duration.ofMillis(500)));
        if (counted) {
            compare(call("GET", root + "/resourcequotas/quota", null), servers);
        }
    }

    private static void awaitQuota(Endpoint server, String root, boolean counted) {
        for (int i = 0; i < 100; i++) {
            server.pass(Duration.ofMillis(100));
            JsonNode body = server.call(call("GET", root + "/resourcequotas/quota", null))
                    .body();
            boolean accounts = server.call(call("GET", root + "/serviceaccounts/default", null))
                            .status()
                    == 200;
            if (accounts && (!counted || (body != null && body.path("status").has("used")))) {
                return;
            }
        }
        throw new AssertionError(root + " is not counted");
    }

    /** Whether both took it. */
    private boolean compare(ObjectNode call, List<Endpoint> servers) {
        Endpoint.Reply reply = servers.get(0).call(call);
        Judgement theirs = Judgement.of(reply);
        Judgement ours = Judgement.of(servers.get(1).call(call));
        answers.merge(reply.status(), 1, Integer::sum);
        if (!theirs.equals(ours)) {
            differences.add(
                    "\n" + call + "\n  real     " + theirs.without(ours) + "\n  embedded " + ours.without(theirs));
        }
        return reply.status() == CREATED;
    }

    private static ObjectNode call(String method, String path, @Nullable JsonNode body) {
        ObjectNode call =
                JsonNodeFactory.instance.objectNode().put("method", method).put("path", path);
        return body == null ? call : call.set("body", body);
    }

    private static ObjectNode object(String version, String kind, String name) {
        ObjectNode object =
                JsonNodeFactory.instance.objectNode().put("apiVersion", version).put("kind", kind);
        object.putObject("metadata").put("name", name);
        return object;
    }

    private boolean once(int of) {
        return random.nextInt(of) == 0;
    }

    private String pick(List<String> of) {
        return of.get(random.nextInt(of.size()));
    }

    private ObjectNode limitRange() {
        ObjectNode range = object("v1", "LimitRange", "range");
        ArrayNode limits = range.putObject("spec").putArray("limits");
        ObjectNode container = limits.addObject().put("type", "Container");
        bounds(container, "min", List.of("50m", "100m"), List.of("16Mi", "32Mi"));
        bounds(container, "max", List.of("1", "2"), List.of("512Mi", "1Gi"));
        bounds(container, "default", List.of("500m", "1"), List.of("128Mi", "256Mi"));
        bounds(container, "defaultRequest", List.of("100m", "200m"), List.of("64Mi"));
        if (once(3)) {
            container.putObject("maxLimitRequestRatio").put("cpu", pick(List.of("2", "3", "4500m")));
        }
        if (once(2)) {
            ObjectNode pod = limits.addObject().put("type", "Pod");
            bounds(pod, "max", List.of("1500m", "2"), List.of("1Gi", "2Gi"));
            bounds(pod, "min", List.of("100m"), List.of("64Mi"));
        }
        if (once(2)) {
            ObjectNode storage = limits.addObject().put("type", "PersistentVolumeClaim");
            storage.putObject("max").put("storage", pick(List.of("4Gi", "6G")));
            if (once(2)) {
                storage.putObject("min").put("storage", "2Gi");
            }
        }
        return range;
    }

    private void bounds(ObjectNode limit, String field, List<String> cpu, List<String> memory) {
        ObjectNode amounts = JsonNodeFactory.instance.objectNode();
        if (once(2)) {
            amounts.put("cpu", pick(cpu));
        }
        if (once(2)) {
            amounts.put("memory", pick(memory));
        }
        if (!amounts.isEmpty()) {
            limit.set(field, amounts);
        }
    }

    private ObjectNode quota() {
        ObjectNode quota = object("v1", "ResourceQuota", "quota");
        ObjectNode spec = quota.putObject("spec");
        ObjectNode hard = spec.putObject("hard");
        hard.put("pods", pick(List.of("2", "4")));
        if (once(2)) {
            hard.put(pick(List.of("requests.cpu", "cpu")), pick(List.of("1", "2500m")));
        }
        if (once(3)) {
            hard.put("limits.memory", pick(List.of("1Gi", "600M")));
        }
        if (once(2)) {
            hard.put("requests." + SLICES, pick(List.of("2", "3")));
        }
        if (once(3)) {
            spec.putArray("scopes").add(pick(List.of("Terminating", "NotTerminating", "NotBestEffort")));
        } else {
            hard.put("services", "2").put("services.nodeports", "1").put("count/persistentvolumeclaims", "2");
            hard.put("requests.storage", pick(List.of("6Gi", "10G")));
            hard.put("fast.storageclass.storage.k8s.io/requests.storage", "3Gi");
        }
        return quota;
    }

    private ObjectNode claim(int number) {
        ObjectNode claim = object("v1", "PersistentVolumeClaim", "claim-" + number);
        ObjectNode spec = claim.putObject("spec");
        spec.putArray("accessModes").add("ReadWriteOnce");
        spec.putObject("resources").putObject("requests").put("storage", pick(STORAGE));
        if (once(2)) {
            spec.put("storageClassName", pick(List.of("fast", "slow")));
        }
        return claim;
    }

    private ObjectNode service(int number) {
        ObjectNode service = object("v1", "Service", "service-" + number);
        ObjectNode spec = service.putObject("spec");
        spec.put("type", pick(List.of("ClusterIP", "NodePort", "LoadBalancer")));
        spec.putArray("ports").addObject().put("port", 80);
        return service;
    }

    private ObjectNode pod(int number) {
        ObjectNode pod = object("v1", "Pod", "pod-" + number);
        ObjectNode spec = pod.putObject("spec");
        spec.putObject("nodeSelector").put("no", "node");
        if (once(4)) {
            spec.put("activeDeadlineSeconds", 100);
        }
        ArrayNode containers = spec.putArray("containers");
        container(containers.addObject().put("name", "a"));
        if (once(3)) {
            container(containers.addObject().put("name", "b"));
        }
        if (once(3)) {
            ObjectNode init = spec.putArray("initContainers").addObject().put("name", "i");
            container(init);
            if (once(2)) {
                init.put("restartPolicy", "Always");
            }
        }
        return pod;
    }

    private void container(ObjectNode container) {
        container.put("image", "registry.example.com/i:1");
        ObjectNode resources = container.putObject("resources");
        for (String field : List.of("requests", "limits")) {
            if (once(2)) {
                ObjectNode amounts = resources.putObject(field);
                if (once(2)) {
                    amounts.put("cpu", pick(CPU));
                }
                if (once(2)) {
                    amounts.put("memory", pick(MEMORY));
                }
            }
        }
        if (once(3)) {
            resources.withObject("/limits").put(SLICES, 1 + random.nextInt(2));
        }
    }
}
