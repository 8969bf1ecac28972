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
import dev.sro.testkit.server.DeleteOptions;
import dev.sro.testkit.server.Gvr;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import dev.sro.testkit.sim.SimulationFactory;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * From a pod to its slice: API server over HTTP, scheduler and controllers, kubelets that reach the agents over their sockets, and emulated
 * hardware, by whose state everything is judged.
 */
class SlicesOnDemandTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String DRIVER = "slices.sro.dev";
    private static final String MODEL = "A100-40GB";

    private final SimulationFactory simulated = new SimulationFactory();
    private final EmbeddedCluster cluster =
            EmbeddedCluster.builder().controller(simulated).build();
    private final Map<String, FakeNode> nodes = new TreeMap<>();

    @BeforeEach
    void twoNodesOfFourGpus() throws Exception {
        URI api = cluster.serveHttp(0).uri();
        create(Gvr.NAMESPACES, "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'ns'}}");
        DraClasses.create(List.of(Catalogue.builtin().model(MODEL)), DraOptions.of(DraServer.of("v1.36.2")), false)
                .forEach(one -> cluster.api().create(Gvr.DEVICECLASSES, JSON.valueToTree(one)));
        for (String name : List.of("n1", "n2")) {
            simulated.simulation().nodes().create(name, NodeProfile.of(OsRelease.UBUNTU_22));
            nodes.put(name, new FakeNode(name, MODEL, 4, api));
        }
        cluster.advance(Duration.ofSeconds(10));
        for (Map.Entry<String, FakeNode> node : nodes.entrySet()) {
            start(node.getKey());
            assertThat(node.getValue().said("published: "))
                    .isEqualTo("published: 5 ResourceSlices new, 0 changed, 0 removed; generation 1");
        }
    }

    @AfterEach
    void close() throws IOException {
        for (FakeNode node : nodes.values()) {
            node.close();
        }
        cluster.close();
    }

    private FakeNode node(String name) {
        FakeNode node = nodes.get(name);
        assertThat(node).isNotNull();
        return node;
    }

    private void start(String name) throws Exception {
        node(name).start();
        simulated.simulation().dra().register(name, DRIVER, node(name));
    }

    private void create(Gvr type, String text) {
        try {
            cluster.api().create(type, (ObjectNode) JSON.readTree(text.replace('\'', '"')));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    private void advance(int seconds) {
        cluster.advance(Duration.ofSeconds(seconds));
    }

    private static String request(String profile) {
        return "{'devices':{'requests':[{'name':'r','exactly':{'deviceClassName':'" + profile + "." + DRIVER + "'}}]}}";
    }

    private void pod(String name, String container, String more) {
        create(
                Gvr.PODS,
                "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'" + name + "','namespace':'ns'},'spec':{"
                        + "'terminationGracePeriodSeconds':1,'containers':[{'name':'c','image':'img:1'" + container
                        + "}]"
                        + more + "}}");
    }

    private void byTemplate(String name) {
        pod(name, "", ",'resourceClaims':[{'name':'s','resourceClaimTemplateName':'one'}]");
    }

    private void byClaim(String name) {
        create(
                Gvr.RESOURCECLAIMS,
                "{'apiVersion':'resource.k8s.io/v1','kind':'ResourceClaim','metadata':{'name':'" + name
                        + "','namespace':'ns'},'spec':" + request("2g-10gb") + "}");
        pod(name, "", ",'resourceClaims':[{'name':'s','resourceClaimName':'" + name + "'}]");
    }

    private void byLimits(String name) {
        pod(name, ",'resources':{'limits':{'nvidia.com/mig-3g.20gb':1}}", "");
    }

    /** Six of each kind: 36 of 56 units. */
    private void eighteenPods() {
        create(
                Gvr.RESOURCECLAIMTEMPLATES,
                "{'apiVersion':'resource.k8s.io/v1','kind':'ResourceClaimTemplate','metadata':{'name':'one','namespace':"
                        + "'ns'},'spec':{'spec':" + request("1g-5gb") + "}}");
        for (int i = 0; i < 6; i++) {
            byTemplate("t" + i);
            byClaim("c" + i);
            byLimits("l" + i);
        }
        advance(20);
    }

    private Map<String, String> phases() {
        return cluster.api().list(Gvr.PODS).stream()
                .collect(Collectors.toMap(
                        pod -> pod.at("/metadata/name").asText(),
                        pod -> pod.at("/status/phase").asText(),
                        (a, b) -> b,
                        TreeMap::new));
    }

    private void assertRunning(int pods) {
        assertThat(phases())
                .hasSize(pods)
                .allSatisfy((name, phase) -> assertThat(phase).as(name).isEqualTo("Running"));
    }

    /** What claims were allocated is what the hardware has, no more and no less, complete, and with its specification. */
    private void assertHardwareIsWhatClaimsHave(int slices) throws Exception {
        Map<String, List<String>> allocated = new LinkedHashMap<>();
        Map<String, List<String>> specifications = new LinkedHashMap<>();
        for (ObjectNode claim : cluster.api().list(Gvr.RESOURCECLAIMS)) {
            for (JsonNode result : claim.at("/status/allocation/devices/results")) {
                String node = result.get("pool").asText().replace("-" + DRIVER, "");
                allocated
                        .computeIfAbsent(node, name -> new ArrayList<>())
                        .add(result.get("device").asText());
                specifications
                        .computeIfAbsent(node, name -> new ArrayList<>())
                        .add("sro.dev-slice_" + claim.at("/metadata/uid").asText() + ".json");
            }
        }
        assertThat(allocated.values().stream().mapToInt(List::size).sum()).isEqualTo(slices);
        for (Map.Entry<String, FakeNode> node : nodes.entrySet()) {
            assertThat(node.getValue().hardware())
                    .as(node.getKey())
                    .doesNotHaveDuplicates()
                    .containsExactlyInAnyOrderElementsOf(allocated.getOrDefault(node.getKey(), List.of()));
            assertThat(node.getValue().specifications())
                    .as(node.getKey())
                    .containsExactlyInAnyOrderElementsOf(specifications.getOrDefault(node.getKey(), List.of()));
        }
    }

    private Map<String, String> generations() {
        return cluster.api().list(Gvr.RESOURCESLICES).stream()
                .collect(Collectors.toMap(
                        slice -> slice.at("/metadata/uid").asText(),
                        slice -> slice.at("/spec/pool/generation").asText()));
    }

    private void delete(String pod) {
        assertThat(cluster.api().delete(Gvr.PODS, "ns", pod, DeleteOptions.DEFAULT))
                .isTrue();
    }

    @Test
    void podsByTemplateByClaimAndByLimitsHaveSlicesAndGiveThemBack() throws Exception {
        eighteenPods();
        assertRunning(18);
        assertHardwareIsWhatClaimsHave(18);

        List.of("t0", "t1", "c0", "c1", "l0", "l1").forEach(this::delete);
        advance(60);
        assertRunning(12);
        assertHardwareIsWhatClaimsHave(12);

        phases().keySet().forEach(this::delete);
        advance(60);
        assertThat(phases()).isEmpty();
        assertHardwareIsWhatClaimsHave(0);
    }

    @Test
    void moreThanFitsWaitsAndComesWhenThereIsRoom() throws Exception {
        eighteenPods();
        for (int i = 6; i < 20; i++) {
            byLimits("l" + i);
        }
        advance(60);
        List<String> waiting = phases().entrySet().stream()
                .filter(pod -> pod.getValue().equals("Pending"))
                .map(Map.Entry::getKey)
                .toList();
        assertThat(waiting).isNotEmpty();
        assertHardwareIsWhatClaimsHave(32 - waiting.size());

        phases().entrySet().stream()
                .filter(pod -> pod.getValue().equals("Running"))
                .forEach(pod -> delete(pod.getKey()));
        advance(600);
        assertRunning(waiting.size());
        assertHardwareIsWhatClaimsHave(waiting.size());
    }

    /** A kill comes between the GPU instance and its compute instance too. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 5})
    void anAgentThatIsKilledInTheMiddleLosesAndDoublesNothing(int steps) throws Exception {
        node("n1").dieAfter(steps);
        eighteenPods();
        assertThat(node("n1").dead()).isTrue();
        assertThat(phases()).containsValue("Pending");
        Map<String, String> published = generations();

        node("n1").stop();
        simulated.simulation().dra().unregister("n1", DRIVER);
        delete("t5");
        delete("l5");
        start("n1");
        advance(120);

        assertRunning(16);
        assertHardwareIsWhatClaimsHave(16);
        assertThat(generations()).as("a restart takes no slice away").isEqualTo(published);
    }

    @Test
    void anApiServerThatFailsNowAndThenLosesAndDoublesNothing() throws Exception {
        cluster.faults().rule().verbs("get", "list").chance(0.3).internalError();
        cluster.faults().rule().verbs("update").chance(0.3).conflict();
        eighteenPods();
        node("n2").stop();
        start("n2");
        List.of("t3", "c3", "l3").forEach(this::delete);
        advance(300);
        cluster.faults().clear();
        advance(300);

        assertRunning(15);
        assertHardwareIsWhatClaimsHave(15);
    }

    @Test
    void aRebootWithClaimsComesBack() throws Exception {
        eighteenPods();
        node("n1").stop();
        simulated.simulation().nodes().reboot("n1");
        node("n1").boot();
        advance(60);
        delete("t0");
        delete("l0");
        advance(60);

        start("n1");
        advance(120);

        assertRunning(16);
        assertHardwareIsWhatClaimsHave(16);
    }

    @Test
    void anUninstallationTakesTheSlicesOfItsNodeAwayAndLeavesPodsAlone() throws Exception {
        eighteenPods();
        node("n1").stop();
        assertThat(cluster.api().list(Gvr.RESOURCESLICES)).hasSize(10);

        assertThat(node("n1").uninstall()).isTrue();

        assertThat(cluster.api().list(Gvr.RESOURCESLICES))
                .hasSize(5)
                .allSatisfy(
                        slice -> assertThat(slice.at("/spec/nodeName").asText()).isEqualTo("n2"));
        assertHardwareIsWhatClaimsHave(18);
    }
}
