package dev.sro.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.agent.claims.ApiServer;
import dev.sro.agent.device.DriverVersion;
import dev.sro.agent.device.GpuMode;
import dev.sro.agent.emulated.EmulatedDevices;
import dev.sro.agent.emulated.EmulatedGpus;
import dev.sro.agent.emulated.EmulatedNode;
import dev.sro.core.dra.NodeMarks;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.testkit.controlplane.Feature;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.controlplane.RealControlPlane;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.Counter;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What is installed with kustomize, on a real API server: with the token of a pod on a node the agent publishes that node, and may do nothing
 * else.
 */
@RealControlPlane(needs = {Feature.CONTROLLERS, Feature.NODES})
class InstallationClusterTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String NODES = "/api/v1/nodes/";
    private static final String SLICES = "/apis/resource.k8s.io/v1/resourceslices";
    private static final String NAMESPACE = "sro-agent";
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final int CREATED = 201;
    private static final int DONE = 200;
    private static final int FORBIDDEN = 403;

    /** What a policy says no with. */
    private static final int REFUSED = 422;

    private final List<ObjectNode> installed = new ArrayList<>();
    private final RealCluster cluster;
    private final String own;
    private final String other;
    private final ApiServer admin;
    private final ApiServer agent;

    InstallationClusterTest(RealCluster cluster, @TempDir Path directory) throws Exception {
        this.cluster = cluster;
        List<String> nodes = cluster.nodes().create(2, NodeProfile.of(OsRelease.UBUNTU_22));
        own = nodes.get(0);
        other = nodes.get(1);
        install();
        admin = server(directory.resolve("admin"), cluster.config().getOauthToken());
        agent = server(directory.resolve("agent"), tokenOfAPodOn(own, admin));
    }

    private void install() throws IOException {
        for (String file : List.of("base/rbac.yaml", "base/admission.yaml")) {
            for (ObjectNode object : InstallationTest.objects(file)) {
                cluster.client().resource(object.toString()).create();
                installed.add(0, object);
            }
        }
    }

    private ApiServer server(Path file, String token) throws IOException {
        Config config = cluster.config();
        Files.writeString(file, token);
        return ApiServer.at(
                URI.create(config.getMasterUrl()), Optional.of(file), Optional.of(Path.of(config.getCaCertFile())));
    }

    /** As kubelet asks for it when it starts the pod of the agent. */
    private String tokenOfAPodOn(String node, ApiServer kubelet) throws IOException {
        cluster.await(
                "the account is there",
                Duration.ofMinutes(1),
                () -> cluster.client()
                                .serviceAccounts()
                                .inNamespace(NAMESPACE)
                                .withName(NAMESPACE)
                                .get()
                        != null);
        Pod pod = (Pod) cluster.client().resource("""
                        apiVersion: v1
                        kind: Pod
                        metadata: {name: agent, namespace: sro-agent}
                        spec:
                          nodeName: %s
                          serviceAccountName: sro-agent
                          containers: [{name: agent, image: registry.example.com/agent:1}]
                        """.formatted(node)).create();
        String request = """
                {"apiVersion":"authentication.k8s.io/v1","kind":"TokenRequest","spec":{"expirationSeconds":3600,
                 "boundObjectRef":{"apiVersion":"v1","kind":"Pod","name":"agent","uid":"%s"}}}
                """.formatted(pod.getMetadata().getUid());
        return JSON.readTree(
                        kubelet.send("POST", "/api/v1/namespaces/sro-agent/serviceaccounts/sro-agent/token", request)
                                .body())
                .at("/status/token")
                .asText();
    }

    /** A server obeys new policies a little later. */
    @BeforeEach
    void policiesAreInForce() {
        cluster.await("the policies are in force", Duration.ofMinutes(1), () -> {
            int slices = ask(agent, "POST", SLICES + "?dryRun=All", slice("probe", other));
            int nodes = ask(agent, "PATCH", NODES + other + "?dryRun=All", mark(NodeMarks.RESET_NEEDED));
            return slices == REFUSED && nodes == REFUSED;
        });
    }

    @AfterEach
    void uninstall() throws IOException {
        cluster.client().pods().inNamespace(NAMESPACE).withGracePeriod(0).delete();
        cluster.client().resources(ResourceSlice.class).delete();
        installed.forEach(object -> cluster.client().resource(object.toString()).delete());
        cluster.await(
                "the namespace is gone",
                Duration.ofMinutes(1),
                () -> cluster.client().namespaces().withName(NAMESPACE).get() == null);
    }

    @Test
    void anAgentPublishesItsNodeWithItsRights(@TempDir Path directory) throws Exception {
        List<String> log = new ArrayList<>();
        LocalAgent local = LocalAgent.start(own, "boot", agent, directory, devices(), log::add);
        local.publish(START, true);
        List<ResourceSlice> published = slices();
        assertThat(published).as("%s", log).hasSize(3);
        assertThat(published).allSatisfy(slice -> {
            assertThat(slice.getSpec().getNodeName()).isEqualTo(own);
            assertThat(slice.getMetadata().getOwnerReferences()).hasSize(1);
        });
        local.publish(START.plusSeconds(60), true);
        assertThat(slices()).as("nothing is written twice").isEqualTo(published);

        String first = published.get(0).getMetadata().getName();
        assertThat(ask(admin, "DELETE", SLICES + "/" + first, "")).isEqualTo(DONE);
        local.publish(START.plusSeconds(120), false);
        assertThat(slices()).as("what somebody took away is back").hasSize(3);

        assertThat(ask(
                        admin,
                        "PATCH",
                        NODES + own,
                        "{\"metadata\":{\"annotations\":{\"%s\":\"fan\"}}}"
                                .formatted(NodeMarks.cordon("0000:10:00.0"))))
                .isEqualTo(DONE);
        local.publish(START.plusSeconds(180), true);
        assertThat(slices())
                .as("a GPU out of service keeps its devices and has nothing left: %s", log)
                .hasSize(3)
                .isNotEqualTo(published)
                .anySatisfy(slice -> assertThat(slice.getSpec().getSharedCounters())
                        .anySatisfy(set -> assertThat(set.getCounters())
                                .containsEntry("memory-slice-0", new Counter(new Quantity("0")))));
    }

    private static EmulatedDevices devices() {
        return new EmulatedDevices(
                "n1",
                new EmulatedNode(
                        new DriverVersion("580.65.06", "13.0"),
                        Duration.ZERO,
                        Duration.ZERO,
                        List.of(new EmulatedGpus(Catalogue.builtin().model("A100-40GB"), 2, GpuMode.SLICES)),
                        List.of()),
                pause -> {});
    }

    @Test
    void anAgentWritesNothingButSlicesAndMarksOfItsOwnNode() {
        assertThat(ask(agent, "POST", SLICES, slice("s1", own))).isEqualTo(CREATED);
        assertThat(ask(admin, "POST", SLICES, slice("s2", other)))
                .as("others are not concerned")
                .isEqualTo(CREATED);
        assertThat(ask(agent, "POST", SLICES, slice("s3", other))).isEqualTo(REFUSED);
        assertThat(ask(agent, "DELETE", SLICES + "/s2", "")).isEqualTo(REFUSED);
        assertThat(ask(agent, "DELETE", SLICES + "/s1", "")).isEqualTo(DONE);
        for (String mine : List.of(NodeMarks.RESET_NEEDED, NodeMarks.RESET_FAILED, NodeMarks.DEVICE_PLUGIN_PODS)) {
            assertThat(ask(agent, "PATCH", NODES + own, mark(mine))).isEqualTo(DONE);
            assertThat(ask(agent, "PATCH", NODES + other, mark(mine))).isEqualTo(REFUSED);
        }
        for (String change : List.of(
                mark(NodeMarks.RESET),
                mark(NodeMarks.cordon("0000:3b:00.0")),
                "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}",
                "{\"spec\":{\"unschedulable\":true}}")) {
            assertThat(ask(agent, "PATCH", NODES + own, change)).as(change).isEqualTo(REFUSED);
        }
        for (String path : List.of(
                "/api/v1/pods", "/api/v1/secrets", "/apis/resource.k8s.io/v1/deviceclasses", NODES + own + "/status")) {
            assertThat(ask(agent, "GET", path, "")).as(path).isEqualTo(FORBIDDEN);
        }
        String event = """
                {"apiVersion":"v1","kind":"Event","metadata":{"name":"e","namespace":"%s"},"reason":"R","message":"m","type":"Normal",
                 "involvedObject":{"apiVersion":"v1","kind":"Node","name":"%s"}}
                """;
        assertThat(ask(agent, "POST", "/api/v1/namespaces/default/events", event.formatted("default", own)))
                .isEqualTo(CREATED);
        assertThat(ask(agent, "POST", "/api/v1/namespaces/sro-agent/events", event.formatted(NAMESPACE, own)))
                .isEqualTo(FORBIDDEN);
        assertThat(ask(admin, "DELETE", "/api/v1/namespaces/default/events/e", ""))
                .isEqualTo(DONE);
    }

    private List<ResourceSlice> slices() {
        return cluster.client().resources(ResourceSlice.class).list().getItems().stream()
                .filter(slice -> own.equals(slice.getSpec().getNodeName()))
                .toList();
    }

    private static String mark(String annotation) {
        return "{\"metadata\":{\"annotations\":{\"%s\":\"x\"}}}".formatted(annotation);
    }

    private static String slice(String name, String node) {
        return InstallationTest.slice(name, node);
    }

    /** The status of the answer. */
    private static int ask(ApiServer who, String method, String path, String body) {
        try {
            return (method.equals("PATCH") ? who.patch(path, body) : who.send(method, path, body)).statusCode();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
