package dev.sro.agent.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.core.dra.DraClasses;
import dev.sro.core.dra.DraOptions;
import dev.sro.core.dra.DraServer;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.server.Gvr;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import dev.sro.testkit.sim.SimulationFactory;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** The agent with kubelet's own code on the other end of its sockets. Pods and claims are those of an embedded cluster. */
@Tag("cluster")
@EnabledIf(
        value = "dev.sro.agent.kubelet.KubeletCode#isHere",
        disabledReason =
                "no kubelet-plugins here: run .ci/kubelet-plugins/build.sh, or set SRO_KUBELET_PLUGINS to the command")
class KubeletCodeTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String DRIVER = "slices.sro.dev";
    private static final String MODEL = "A100-40GB";
    private static final List<String> PODS = List.of("ns/by-template", "ns/by-claim", "ns/by-limits");

    private final SimulationFactory simulated = new SimulationFactory();
    private final EmbeddedCluster cluster =
            EmbeddedCluster.builder().controller(simulated).build();
    private final URI api = cluster.serveHttp(0).uri();
    private final FakeNode node = new FakeNode("n1", MODEL, 2, api);

    KubeletCodeTest() throws IOException {}

    /** Three pods that were given devices and wait for a kubelet, as that of the simulation has no driver. */
    @BeforeEach
    void allocated() throws Exception {
        create(Gvr.NAMESPACES, "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'ns'}}");
        DraClasses.create(List.of(Catalogue.builtin().model(MODEL)), DraOptions.of(DraServer.of("v1.36.2")), false)
                .forEach(one -> cluster.api().create(Gvr.DEVICECLASSES, JSON.valueToTree(one)));
        simulated.simulation().dra().unregister("n1", DRIVER);
        simulated.simulation().nodes().create("n1", NodeProfile.of(OsRelease.UBUNTU_22));
        cluster.advance(Duration.ofSeconds(10));
        node.startAgent();
        node.said("published: ");
        String request =
                "{'devices':{'requests':[{'name':'r','exactly':{'deviceClassName':'2g-10gb." + DRIVER + "'}}]}}";
        create(
                Gvr.RESOURCECLAIMTEMPLATES,
                "{'apiVersion':'resource.k8s.io/v1','kind':'ResourceClaimTemplate','metadata':{'name':'t','namespace':"
                        + "'ns'},'spec':{'spec':" + request + "}}");
        create(
                Gvr.RESOURCECLAIMS,
                "{'apiVersion':'resource.k8s.io/v1','kind':'ResourceClaim','metadata':{'name':'c','namespace':'ns'},"
                        + "'spec':" + request + "}");
        pod("by-template", "'claims':[{'name':'s'}]", "'resourceClaimTemplateName':'t'");
        pod("by-claim", "'claims':[{'name':'s'}]", "'resourceClaimName':'c'");
        pod("by-limits", "'limits':{'nvidia.com/mig-3g.20gb':1}", "");
        cluster.advance(Duration.ofSeconds(20));
        assertThat(devices()).hasSize(3);
    }

    @AfterEach
    void close() throws IOException {
        node.close();
        cluster.close();
    }

    private void create(Gvr type, String text) {
        try {
            cluster.api().create(type, (ObjectNode) JSON.readTree(text.replace('\'', '"')));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    private void pod(String name, String resources, String claim) {
        create(
                Gvr.PODS,
                "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'" + name + "','namespace':'ns'},'spec':{"
                        + "'containers':[{'name':'c','image':'img:1','resources':{" + resources + "}}]"
                        + (claim.isEmpty() ? "" : ",'resourceClaims':[{'name':'s'," + claim + "}]") + "}}");
    }

    private KubeletCode kubelet(String... active) throws IOException {
        KubeletCode kubelet = KubeletCode.start(node.directory(), "n1", api, active);
        kubelet.done("registered", DRIVER);
        return kubelet;
    }

    /** By pod, the CDI devices that its containers are to have, by its claim. */
    private Map<String, String> devices() {
        Map<String, String> devices = new TreeMap<>();
        for (ObjectNode claim : cluster.api().list(Gvr.RESOURCECLAIMS)) {
            for (JsonNode result : claim.at("/status/allocation/devices/results")) {
                devices.put(
                        "ns/" + claim.at("/status/reservedFor/0/name").asText(),
                        "sro.dev/slice=" + claim.at("/metadata/uid").asText() + "-"
                                + result.get("device").asText());
            }
        }
        return devices;
    }

    private List<String> places() {
        return devices().values().stream()
                .map(device -> device.substring(device.indexOf("gpu-")))
                .toList();
    }

    private static Map<String, String> prepare(KubeletCode kubelet) throws IOException {
        Map<String, String> answers = new TreeMap<>();
        for (String pod : PODS) {
            answers.put(pod, kubelet.done("prepare", pod));
        }
        return answers;
    }

    private static void unprepare(KubeletCode kubelet) throws IOException {
        for (String pod : PODS) {
            kubelet.done("unprepare", pod);
        }
    }

    @Test
    void claimsOfAllKindsArePreparedAndTakenBack() throws Exception {
        try (KubeletCode kubelet = kubelet()) {
            node.said("kubelet registered the plugin");
            assertThat(prepare(kubelet)).isEqualTo(devices());
            assertThat(node.hardware()).containsExactlyInAnyOrderElementsOf(places());
            assertThat(prepare(kubelet)).as("once more").isEqualTo(devices());

            unprepare(kubelet);
            assertThat(node.hardware()).isEmpty();
            assertThat(node.specifications()).isEmpty();
            unprepare(kubelet);
        }
    }

    @Test
    void aKubeletThatStartsAgainFindsWhatItHad() throws Exception {
        try (KubeletCode before = kubelet()) {
            prepare(before);
        }
        try (KubeletCode kubelet = kubelet(PODS.toArray(new String[0]))) {
            assertThat(kubelet.done("prepared", "ns/by-claim")).isEqualTo("true");
            assertThat(prepare(kubelet)).isEqualTo(devices());
            assertThat(node.hardware()).containsExactlyInAnyOrderElementsOf(places());
            unprepare(kubelet);
            assertThat(node.hardware()).isEmpty();
        }
    }

    @Test
    void anAgentThatStopsAndStartsAgainIsRegisteredAgain() throws Exception {
        try (KubeletCode kubelet = kubelet()) {
            prepare(kubelet);
            node.stop();
            kubelet.done("unregistered", DRIVER);
            assertThat(kubelet.run("prepare", "ns/by-claim"))
                    .startsWith("error")
                    .contains(DRIVER);
            assertThat(kubelet.run("unprepare", "ns/by-claim"))
                    .as("no pod ends while nobody takes its devices back")
                    .startsWith("error")
                    .contains(DRIVER);

            node.startAgent();
            kubelet.done("registered", DRIVER);
            assertThat(prepare(kubelet)).isEqualTo(devices());
            unprepare(kubelet);
            assertThat(node.hardware()).isEmpty();
        }
    }

    @Test
    void aRebootWithClaimsComesBack() throws Exception {
        try (KubeletCode before = kubelet()) {
            prepare(before);
        }
        node.stop();
        node.boot();
        assertThat(node.hardware()).isEmpty();
        try (KubeletCode kubelet = KubeletCode.start(node.directory(), "n1", api, PODS.toArray(new String[0]))) {
            assertThat(kubelet.done("prepared", "ns/by-limits")).isEqualTo("true");
            assertThat(kubelet.run("unprepare", "ns/by-limits"))
                    .as("it ended with the node, and the driver is not there yet")
                    .startsWith("error");

            node.startAgent();
            kubelet.done("registered", DRIVER);
            kubelet.done("unprepare", "ns/by-limits");
            for (String pod : List.of("ns/by-claim", "ns/by-template")) {
                assertThat(kubelet.done("prepare", pod)).isEqualTo(devices().get(pod));
            }
            assertThat(node.hardware()).hasSize(2).isSubsetOf(places());
        }
    }

    /** In a process of its own; its sockets stay behind, with nobody on the other end. */
    @Test
    void anAgentThatIsKilledIsFoundAgain() throws Exception {
        node.stop();
        Files.writeString(node.directory().resolve("devices.yaml"), """
            schema: sro.dev/emulated-devices/v1
            nodes: [{name: "*", gpus: [{model: A100-40GB, count: 2}]}]
            """);
        Process first = agent();
        try (KubeletCode kubelet = kubelet()) {
            prepare(kubelet);
            first.destroyForcibly();
            assertThat(first.waitFor(10, TimeUnit.SECONDS)).isTrue();
            assertThat(kubelet.run("unprepare", "ns/by-claim")).startsWith("error");

            Process second = agent();
            try {
                kubelet.done("end", "ns/by-claim");
                kubelet.done("registered", DRIVER);
                assertThat(prepare(kubelet)).isEqualTo(devices());
                unprepare(kubelet);
                assertThat(node.specifications()).isEmpty();
            } finally {
                second.destroyForcibly();
            }
        }
    }

    private Process agent() throws IOException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        List<String> command = new ArrayList<>(List.of(
                java.toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.sro.agent.AgentMain"));
        command.addAll(List.of(node.arguments(
                "--emulated", node.directory().resolve("devices.yaml").toString())));
        File log = node.directory().resolve("agent.log").toFile();
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log)
                .start();
    }
}
