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
import org.junit.jupiter.api.Test;

/**
 * Pods and templates that do at random what the Pod Security Standards forbid are given to both servers, in namespaces with all levels and
 * versions of them. Both refuse the same ones in the same words, and warn of the same ones.
 */
@RealControlPlane(needs = Feature.CONTROLLERS)
class PodSecurityDifferentialTest {
    /** Others: {@code -Dsro.differential.seed=1 -Dsro.differential.count=5000}. */
    private static final long SEED = Long.getLong("sro.differential.seed", 0);

    private static final int COUNT = Integer.getInteger("sro.differential.count", 400);
    private static final List<String> LEVELS = List.of("privileged", "baseline", "restricted");
    private static final List<String> VERSIONS = List.of(
            "latest", "v1.0", "v1.7", "v1.8", "v1.18", "v1.19", "v1.21", "v1.22", "v1.23", "v1.24", "v1.25", "v1.26",
            "v1.27", "v1.29", "v1.30", "v1.31", "v1.32", "v1.33", "v1.34", "v1.35", "v1.36", "v1.99");
    private static final List<String> ANY = List.of("true", "false", "1.30", "strict", "v1.30");

    private final Random random = new Random(SEED);

    /** Whether the pod shares no namespace of its node, and whether it has its own users too. */
    private boolean alone;

    private boolean ownUsers;

    @Test
    void bothServersHoldPodsToTheSameStandards(RealCluster cluster) throws Exception {
        Endpoint real = Endpoint.real(cluster);
        List<String> differences = new ArrayList<>();
        Map<Integer, Integer> answers = new TreeMap<>();
        int warned = 0;
        try (EmbeddedCluster own = EmbeddedCluster.builder().build()) {
            Endpoint embedded = new EmbeddedEndpoint(HttpClient.newHttpClient(), own);
            List.of(real, embedded).forEach(server -> server.call(call("POST", "/api/v1/namespaces", namespace())));
            for (int i = 0; i < COUNT; i++) {
                List<ObjectNode> calls = new ArrayList<>();
                if (i % 5 == 0) {
                    calls.add(labels());
                }
                calls.add(random.nextInt(4) == 0 ? deployment() : pod());
                for (ObjectNode call : calls) {
                    Endpoint.Reply reply = real.call(call);
                    Judgement theirs = Judgement.of(reply);
                    Judgement ours = Judgement.of(embedded.call(call));
                    answers.merge(reply.status(), 1, Integer::sum);
                    warned += reply.warnings().isEmpty() ? 0 : 1;
                    if (call.path("method").asText().equals("PATCH")) {
                        // A real server hears of its own namespaces a moment later.
                        real.pass(Duration.ofMillis(100));
                    }
                    if (!theirs.equals(ours)) {
                        differences.add("\n" + call + "\n  real     " + theirs.without(ours) + "\n  embedded "
                                + ours.without(theirs));
                    }
                }
            }
        }
        assertThat(answers.keySet()).contains(201, 403, 422);
        assertThat(warned).isGreaterThan(COUNT / 10);
        assertThat(differences).as("answers %s", answers).isEmpty();
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    private static ObjectNode call(String method, String path, JsonNode body) {
        return object().put("method", method).put("path", path).set("body", body);
    }

    private static ObjectNode namespace() {
        ObjectNode namespace = object().put("apiVersion", "v1").put("kind", "Namespace");
        namespace.putObject("metadata").put("name", "standards");
        return namespace;
    }

    private ObjectNode labels() {
        ObjectNode patch = object();
        ObjectNode labels = patch.putObject("metadata").putObject("labels");
        for (String mode : List.of("enforce", "warn", "audit")) {
            label(labels, mode, LEVELS);
            label(labels, mode + "-version", VERSIONS);
        }
        return call("PATCH", "/api/v1/namespaces/standards", patch).put("contentType", "application/merge-patch+json");
    }

    private void label(ObjectNode labels, String name, List<String> good) {
        String label = "pod-security.kubernetes.io/" + name;
        int chance = random.nextInt(20);
        if (chance == 0) {
            labels.put(label, pick(ANY));
        } else if (chance < 14) {
            labels.put(label, pick(good));
        } else {
            labels.putNull(label);
        }
    }

    private String pick(List<String> of) {
        return of.get(random.nextInt(of.size()));
    }

    private ObjectNode pod() {
        ObjectNode pod = object().put("apiVersion", "v1").put("kind", "Pod");
        pod.putObject("metadata").put("name", "pod-" + random.nextInt(1_000_000));
        fill(pod);
        return call("POST", "/api/v1/namespaces/standards/pods", pod).set("query", dryRun());
    }

    private ObjectNode deployment() {
        ObjectNode deployment = object().put("apiVersion", "apps/v1").put("kind", "Deployment");
        deployment.putObject("metadata").put("name", "deployment");
        ObjectNode spec = deployment.putObject("spec");
        spec.putObject("selector").putObject("matchLabels").put("a", "b");
        ObjectNode template = spec.putObject("template");
        template.putObject("metadata").putObject("labels").put("a", "b");
        fill(template);
        return call("POST", "/apis/apps/v1/namespaces/standards/deployments", deployment)
                .set("query", dryRun());
    }

    private static ObjectNode dryRun() {
        return object().put("dryRun", "All");
    }

    private boolean once(int of) {
        return random.nextInt(of) == 0;
    }

    private void fill(ObjectNode pod) {
        ObjectNode spec = pod.putObject("spec");
        for (String field : List.of("hostNetwork", "hostPID", "hostIPC")) {
            if (once(8)) {
                spec.put(field, true);
            }
        }
        alone = spec.isEmpty();
        ownUsers = alone && once(6);
        if (ownUsers) {
            spec.put("hostUsers", false);
        }
        if (once(3)) {
            security(spec.putObject("securityContext"), true);
        }
        volumes(spec.putArray("volumes"));
        ArrayNode containers = spec.putArray("containers");
        containers(containers, "a", "b");
        containers(spec.putArray("initContainers"), "c", "d");
        if (containers.isEmpty()) {
            container(containers, "a");
        }
    }

    private void volumes(ArrayNode volumes) {
        int number = 0;
        for (String kind : List.of("hostPath", "nfs", "emptyDir", "configMap")) {
            if (once(5)) {
                ObjectNode source =
                        volumes.addObject().put("name", "v" + number++).putObject(kind);
                switch (kind) {
                    case "hostPath" -> source.put("path", "/dev");
                    case "nfs" -> source.put("server", "s").put("path", "/");
                    case "configMap" -> source.put("name", "m");
                    default -> {}
                }
            }
        }
    }

    private void containers(ArrayNode containers, String... names) {
        for (String name : names) {
            if (once(2)) {
                container(containers, name);
            }
        }
    }

    private void container(ArrayNode containers, String name) {
        ObjectNode container = containers.addObject().put("name", name).put("image", "i");
        if (once(8)) {
            int port = 8000 + name.charAt(0);
            container.putArray("ports").addObject().put("containerPort", port).put("hostPort", port);
        }
        if (once(8) && (name.equals("a") || name.equals("b"))) {
            ObjectNode probe = container.putObject(pick(List.of("livenessProbe", "readinessProbe", "startupProbe")));
            ObjectNode action = once(2)
                    ? probe.putObject("httpGet").put("path", "/").put("port", 80)
                    : probe.putObject("tcpSocket").put("port", 80);
            if (once(2)) {
                action.put("host", pick(List.of("10.0.0.1", "localhost", "node")));
            }
        }
        if (!once(4)) {
            security(container.putObject("securityContext"), false);
        }
    }

    private void security(ObjectNode context, boolean ofPod) {
        if (once(3)) {
            context.put("runAsNonRoot", once(2));
        }
        if (once(3)) {
            context.put("runAsUser", once(2) ? 0 : 1000);
        }
        if (once(3)) {
            context.putObject("seccompProfile").put("type", once(2) ? "RuntimeDefault" : "Unconfined");
        }
        if (once(8)) {
            context.putObject("appArmorProfile").put("type", once(2) ? "RuntimeDefault" : "Unconfined");
        }
        if (once(6)) {
            ObjectNode options = context.putObject("seLinuxOptions");
            options.put(
                    pick(List.of("type", "user", "role", "level")),
                    pick(List.of("container_t", "container_engine_t", "spc_t")));
        }
        if (ofPod) {
            if (alone && once(3)) {
                context.putArray("sysctls")
                        .addObject()
                        .put(
                                "name",
                                pick(List.of(
                                        "kernel.shm_rmid_forced",
                                        "net.ipv4.tcp_rmem",
                                        "kernel.msgmax",
                                        "net.ipv4.tcp_fin_timeout")))
                        .put("value", "1");
            }
            return;
        }
        if (once(3)) {
            context.put("allowPrivilegeEscalation", once(4));
        }
        if (once(10)) {
            context.put("privileged", true);
            context.remove("allowPrivilegeEscalation");
        }
        if (once(2)) {
            ObjectNode capabilities = context.putObject("capabilities");
            if (once(2)) {
                capabilities.putArray("drop").add(pick(List.of("ALL", "ALL", "NET_RAW")));
            }
            if (once(2)) {
                capabilities.putArray("add").add(pick(List.of("NET_BIND_SERVICE", "CHOWN", "SYS_ADMIN", "SYS_MODULE")));
            }
        }
        if (once(ownUsers ? 3 : 12)) {
            context.put("procMount", ownUsers ? "Unmasked" : "Default");
        }
    }
}
