package dev.sro.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.agent.cdi.DriverPlace;
import dev.sro.agent.emulated.EmulatedFile;
import dev.sro.core.cel.CelProgram;
import dev.sro.core.das.AllocationClaim;
import dev.sro.core.das.ClaimPod;
import dev.sro.core.das.DasNames;
import dev.sro.core.dra.NodeMarks;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.input.InputDocument;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.server.Gvr;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is installed with kustomize: the agent starts with it, and may do what it needs and nothing else. */
class InstallationTest {
    private static final Path FOLDER = Path.of("install");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String GROUP = "admissionregistration.k8s.io";
    private static final String NODES = "/api/v1/nodes/";
    private static final String SLICES = "/apis/resource.k8s.io/v1/resourceslices";
    private static final Map<String, String> POD = Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1");
    private static final String ACCOUNT = "system:serviceaccount:sro-agent:sro-agent";

    static List<ObjectNode> objects(String file) throws IOException {
        List<ObjectNode> objects = new ArrayList<>();
        for (String text : Files.readString(FOLDER.resolve(file)).split("(?m)^---\n")) {
            objects.add(JSON.valueToTree(new KubernetesSerialization().unmarshal(text, Map.class)));
        }
        return objects;
    }

    private static ObjectNode only(String file, String kind) throws IOException {
        return objects(file).stream()
                .filter(object -> object.path("kind").asText().equals(kind))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(one -> texts.add(one.asText()));
        return texts;
    }

    @ParameterizedTest
    @ValueSource(strings = {"nvidia", "emulated"})
    void theAgentTakesWhatItsDaemonSetSays(String which) throws Exception {
        ObjectNode daemons = only(which + "/daemonset.yaml", "DaemonSet");
        JsonNode pod = daemons.at("/spec/template/spec");
        AgentOptions options = AgentOptions.parse(
                texts(pod.at("/containers/0/args")).toArray(new String[0]),
                Map.of("NODE_NAME", "n1", "KUBERNETES_SERVICE_HOST", "10.0.0.1"));
        assertThat(options.metrics()).contains("0.0.0.0:8081");
        List<String> mounted = new ArrayList<>();
        pod.at("/containers/0/volumeMounts")
                .forEach(mount -> mounted.add(mount.path("mountPath").asText()));
        assertThat(mounted)
                .contains(
                        options.kubelet().resolve("plugins").toString(),
                        options.kubelet().resolve("plugins_registry").toString(),
                        options.cdi().toString());
        assertThat(pod.path("hostPID").asBoolean() || pod.path("hostNetwork").asBoolean())
                .isFalse();
        try (EmbeddedCluster cluster = EmbeddedCluster.create()) {
            cluster.api().create(Gvr.NAMESPACES, (ObjectNode) JSON.readTree(
                    "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"sro-agent\"}}"));
            cluster.api().create(new Gvr("apps", "v1", "daemonsets"), daemons);
        }
    }

    /** As NVIDIA's validator says it; drivers of the host and those of containers are in different places. */
    @Test
    void theDriverIsWhereItsBarrierSays(@TempDir Path directory) throws IOException {
        Path ready = directory.resolve("driver-ready");
        String[] arguments = {"--node", "n1", "--api", "http://localhost", "--driver-ready", ready.toString()};
        assertThatThrownBy(() -> AgentOptions.parse(arguments, Map.of()))
                .hasMessageContaining("--driver-ready " + ready + " cannot be read");
        Files.writeString(ready, "IS_HOST_DRIVER=false\n");
        assertThatThrownBy(() -> AgentOptions.parse(arguments, Map.of()))
                .hasMessageContaining("has no line DRIVER_ROOT_CTR_PATH=DIR");
        Files.writeString(ready, "IS_HOST_DRIVER=true\nNVIDIA_DRIVER_ROOT=/\nDRIVER_ROOT_CTR_PATH=/host\n");
        assertThat(AgentOptions.parse(arguments, Map.of()).driverRoot()).isEqualTo(Path.of("/host"));
        assertThat(AgentOptions.parse(arguments, Map.of()).driverPlace())
                .isEqualTo(DriverPlace.of(
                        Path.of("/host"), Path.of("/"), Optional.of(Path.of("/host")), Optional.empty()));
        Files.writeString(ready, "NVIDIA_DRIVER_ROOT=/run/nvidia/driver\nDRIVER_ROOT_CTR_PATH=/driver-root\n");
        assertThat(AgentOptions.parse(arguments, POD).driverPlace())
                .isEqualTo(DriverPlace.of(
                        Path.of("/driver-root"), Path.of("/run/nvidia/driver"), Optional.empty(), Optional.empty()));
    }

    /** Container runtimes see the host's path, and a wrong one would keep every container with a claim from its start. */
    @Test
    void inAPodThePathOfTheDriverOnTheHostHasToBeSaid() {
        List<String> arguments = new ArrayList<>(List.of("--node", "n1", "--driver-root", "/driver-root"));
        assertThatThrownBy(() -> AgentOptions.parse(arguments.toArray(new String[0]), POD))
                .hasMessageContaining("--driver-root /driver-root is a path in this container; say by"
                        + " --driver-root-on-host what it is on the host");
        arguments.addAll(List.of("--driver-root-on-host", "/run/nvidia/driver", "--host-root", "/host"));
        arguments.addAll(List.of("--cdi-hook", "/opt/nvidia-cdi-hook"));
        assertThat(AgentOptions.parse(arguments.toArray(new String[0]), POD).driverPlace())
                .isEqualTo(DriverPlace.of(
                        Path.of("/driver-root"),
                        Path.of("/run/nvidia/driver"),
                        Optional.of(Path.of("/host")),
                        Optional.of("/opt/nvidia-cdi-hook")));
    }

    /** The agent finds libraries and the hook below what is mounted, and names them as the host has them. */
    @Test
    void theDaemonSetSaysWhatTheDriversRootIsOnTheHost() throws Exception {
        JsonNode pod = only("nvidia/daemonset.yaml", "DaemonSet").at("/spec/template/spec");
        DriverPlace place = AgentOptions.parse(
                        texts(pod.at("/containers/0/args")).toArray(new String[0]),
                        Map.of("NODE_NAME", "n1", "KUBERNETES_SERVICE_HOST", "10.0.0.1"))
                .driverPlace();
        String volume = "";
        for (JsonNode mount : pod.at("/containers/0/volumeMounts")) {
            if (mount.path("mountPath").asText().equals(place.root().toString())) {
                assertThat(mount.path("readOnly").asBoolean()).isTrue();
                volume = mount.path("name").asText();
            }
        }
        for (JsonNode one : pod.path("volumes")) {
            if (one.path("name").asText().equals(volume)) {
                assertThat(one.at("/hostPath/path").asText())
                        .isEqualTo(place.onHost().toString());
            }
        }
        assertThat(place.host()).contains(place.root());
    }

    @Test
    void devicesAreKeptForTheAllocatorWhereThatIsAsked() {
        assertThat(allocator("sro").authoritative()).isTrue();
        assertThat(allocator("scheduler").authoritative()).isFalse();
        assertThatThrownBy(() -> allocator("me")).hasMessage("--allocator me is neither scheduler nor sro");
    }

    private static AgentOptions allocator(String who) {
        return AgentOptions.parse(
                new String[] {"--node", "n1", "--api", "http://localhost", "--allocator", who}, Map.of());
    }

    @Test
    void onlyWhatMakesInstancesOfRealGpusIsPrivileged() throws Exception {
        String container = "/spec/template/spec/containers/0/securityContext/";
        ObjectNode emulated = only("emulated/daemonset.yaml", "DaemonSet");
        assertThat(emulated.at(container + "privileged").asBoolean()).isFalse();
        assertThat(texts(emulated.at(container + "capabilities/drop"))).containsExactly("ALL");
        assertThat(only("nvidia/daemonset.yaml", "DaemonSet")
                        .at(container + "privileged")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void theEmulatedDevicesCanBeRead() throws Exception {
        String text = only("emulated/daemonset.yaml", "ConfigMap")
                .at("/data/devices.yaml")
                .asText();
        assertThat(EmulatedFile.read(InputDocument.parse("devices", text), Catalogue.builtin(), "any")
                        .gpus())
                .hasSize(2);
    }

    /** What the agent asks for, verb by verb; more would be a right that nobody needs. */
    @Test
    void theRightsAreThoseOfTheRequests() throws Exception {
        Map<String, List<String>> rights = new TreeMap<>();
        for (ObjectNode object : objects("base/rbac.yaml")) {
            object.path("rules")
                    .forEach(rule ->
                            rights.put(String.join(",", texts(rule.path("resources"))), texts(rule.path("verbs"))));
        }
        assertThat(rights)
                .isEqualTo(Map.of(
                        "resourceclaims", List.of("get", "list"),
                        "resourceslices", List.of("list", "create", "update", "delete"),
                        "nodes", List.of("get", "list", "watch", "patch"),
                        "events", List.of("create")));
    }

    /** As a server puts it there for the token of a pod; one of nobody's pod has nothing. */
    @Test
    void theNodeOfAnAgentIsThatOfItsToken() throws Exception {
        String own = "";
        for (ObjectNode policy : objects("base/admission.yaml")) {
            own = policy.at("/spec/variables/0/expression").asText(own);
        }
        CelProgram program = CelProgram.condition("(" + own + ") == 'n1'", Set.of("request"));
        Map<String, Object> extra = Map.of("authentication.kubernetes.io/node-name", List.of("n1"));
        assertThat(program.holds(Map.of("request", Map.of("userInfo", Map.of("extra", extra)))))
                .isTrue();
        assertThat(program.holds(Map.of("request", Map.of("userInfo", Map.of("extra", Map.of())))))
                .isFalse();
    }

    @Test
    void anAgentWritesNothingButSlicesAndMarksOfItsOwnNode() throws Exception {
        try (EmbeddedCluster cluster = EmbeddedCluster.create()) {
            for (String name : List.of("n1", "n2")) {
                cluster.api().create(Gvr.NODES, (ObjectNode) JSON.readTree(
                        "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"" + name + "\"}}"));
            }
            grant(cluster);
            URI api = cluster.serveHttp(0).uri();
            assertThat(ask(api, "POST", SLICES, slice("s2", "n2")))
                    .as("nobody forbids it yet")
                    .isEqualTo(201);
            for (ObjectNode object : objects("base/admission.yaml")) {
                boolean policy = object.path("kind").asText().equals("ValidatingAdmissionPolicy");
                if (policy) {
                    // The identities of the embedded server have no extra fields.
                    ((ObjectNode) object.at("/spec/variables/0")).put("expression", "'n1'");
                }
                cluster.api()
                        .create(
                                new Gvr(
                                        GROUP,
                                        "v1",
                                        policy ? "validatingadmissionpolicies" : "validatingadmissionpolicybindings"),
                                object);
            }
            assertThat(ask(api, "POST", SLICES, slice("s1", "n1"))).isEqualTo(201);
            assertThat(ask(api, "POST", SLICES, slice("s3", "n2"))).isEqualTo(422);
            assertThat(ask(api, "DELETE", SLICES + "/s2", "")).isEqualTo(422);
            assertThat(ask(api, "DELETE", SLICES + "/s1", "")).isEqualTo(200);
            String mark = "{\"metadata\":{\"annotations\":{\"%s\":\"x\"}}}";
            for (String mine : List.of(NodeMarks.RESET_NEEDED, NodeMarks.RESET_FAILED, NodeMarks.DEVICE_PLUGIN_PODS)) {
                assertThat(ask(api, "PATCH", NODES + "n1", mark.formatted(mine)))
                        .isEqualTo(200);
                assertThat(ask(api, "PATCH", NODES + "n2", mark.formatted(mine)))
                        .isEqualTo(422);
            }
            assertThat(ask(api, "PATCH", NODES + "n1", mark.formatted(NodeMarks.RESET)))
                    .isEqualTo(422);
            assertThat(ask(api, "PATCH", NODES + "n1", mark.formatted(NodeMarks.cordon("0000:3b:00.0"))))
                    .isEqualTo(422);
            assertThat(ask(api, "PATCH", NODES + "n1", "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}"))
                    .isEqualTo(422);
            assertThat(ask(api, "PATCH", NODES + "n1", "{\"spec\":{\"unschedulable\":true}}"))
                    .isEqualTo(422);
        }
    }

    /** What stands for slices of device plugins: states and finalizers of promises, and the node's inventory. */
    @Test
    void ofPromisesAnAgentWritesThoseOfItsOwnNode() throws Exception {
        try (EmbeddedCluster cluster = EmbeddedCluster.create()) {
            for (String plural : List.of(DasNames.CLAIMS, DasNames.NODES)) {
                String path = "/META-INF/sro/crds/" + plural + "." + DasNames.GROUP + ".yaml";
                try (InputStream yaml =
                        Objects.requireNonNull(InstallationTest.class.getResourceAsStream(path), path)) {
                    cluster.client().load(yaml).create();
                }
            }
            cluster.settle();
            grant(cluster);
            for (ObjectNode object : objects("device-plugin/rbac.yaml")) {
                cluster.client().resource(object.toString()).create();
            }
            for (String node : List.of("n1", "n2")) {
                cluster.client()
                        .resource(AllocationClaim.promise(
                                        new ClaimPod("default", node, "uid"), "c", 0, node, "GPU-1", "1g.5gb", 0, 1)
                                .object())
                        .create();
            }
            for (ObjectNode object : objects("device-plugin/admission.yaml")) {
                if (object.path("kind").asText().equals("ValidatingAdmissionPolicy")) {
                    // The identities of the embedded server have no extra fields.
                    ((ObjectNode) object.at("/spec/variables/0")).put("expression", "'n1'");
                }
                cluster.client().resource(object.toString()).create();
            }
            URI api = cluster.serveHttp(0).uri();
            String group = "/apis/" + DasNames.API_VERSION + "/namespaces/";
            String nodes = group + "sro-agent/" + DasNames.NODES;
            String node = "{\"apiVersion\":\"" + DasNames.API_VERSION
                    + "\",\"kind\":\"NodeAccelerator\",\"metadata\":{\"name\":\"%s\"}}";
            assertThat(ask(api, "POST", nodes, node.formatted("n1"))).isEqualTo(201);
            assertThat(ask(api, "POST", nodes, node.formatted("n2"))).isEqualTo(422);
            assertThat(ask(api, "POST", group + "default/" + DasNames.NODES, node.formatted("n1")))
                    .isEqualTo(403);
            assertThat(ask(api, "GET", "/apis/" + DasNames.API_VERSION + "/" + DasNames.CLAIMS, ""))
                    .isEqualTo(200);
            String finalizer = "{\"metadata\":{\"finalizers\":[\"" + DasNames.FINALIZER + "\"]}}";
            String state = "{\"status\":{\"state\":\"inUse\"}}";
            String own = group + "default/" + DasNames.CLAIMS + "/uid-n1-c-0";
            String other = group + "default/" + DasNames.CLAIMS + "/uid-n2-c-0";
            assertThat(ask(api, "PATCH", own, finalizer)).isEqualTo(200);
            assertThat(ask(api, "PATCH", own + "/status", state)).isEqualTo(200);
            assertThat(ask(api, "PATCH", own, "{\"spec\":{\"gpuUUID\":\"GPU-2\"}}"))
                    .isEqualTo(422);
            assertThat(ask(api, "PATCH", other, finalizer)).isEqualTo(422);
            assertThat(ask(api, "PATCH", other + "/status", state)).isEqualTo(422);
            assertThat(ask(api, "DELETE", other, "")).isEqualTo(422);
            assertThat(ask(api, "DELETE", own, "")).isEqualTo(200);
        }
    }

    /** As an administrator does. */
    private static void grant(EmbeddedCluster cluster) throws IOException {
        for (ObjectNode object : objects("base/rbac.yaml")) {
            cluster.client().resource(object.toString()).create();
        }
    }

    static String slice(String name, String node) {
        return "{\"apiVersion\":\"resource.k8s.io/v1\",\"kind\":\"ResourceSlice\",\"metadata\":{\"name\":\"" + name
                + "\"},\"spec\":{\"driver\":\"slices.sro.dev\",\"nodeName\":\"" + node
                + "\",\"pool\":{\"name\":\"p\",\"generation\":1,\"resourceSliceCount\":1},\"devices\":[{\"name\":\"d\"}]}}";
    }

    /** As the agent's account. */
    private static int ask(URI api, String method, String path, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(api.resolve(path))
                .method(
                        method,
                        body.isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body))
                .header("Content-Type", method.equals("PATCH") ? "application/merge-patch+json" : "application/json")
                .header("Impersonate-User", ACCOUNT)
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .statusCode();
    }
}
