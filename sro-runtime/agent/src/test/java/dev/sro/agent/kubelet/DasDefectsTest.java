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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What went wrong with the Dynamic Accelerator Slicer, on one node with one A100: each test has the number that docs/slicing/das.md has. Those
 * that are not here are in the tests that are named there.
 */
class DasDefectsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String DRIVER = "slices.sro.dev";
    private static final String GPU = "gpu-0000-10-00-0-";

    private final SimulationFactory simulated = new SimulationFactory();
    private final EmbeddedCluster cluster =
            EmbeddedCluster.builder().controller(simulated).build();
    private final FakeNode node;

    DasDefectsTest() throws IOException {
        node = new FakeNode("n1", "A100-40GB", 1, cluster.serveHttp(0).uri());
    }

    @BeforeEach
    void oneNodeOfOneGpu() throws Exception {
        create(Gvr.NAMESPACES, "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'ns'}}");
        DraClasses.create(List.of(Catalogue.builtin().model("A100-40GB")), DraOptions.of(DraServer.of("v1.36.3")), true)
                .forEach(one -> cluster.api().create(Gvr.DEVICECLASSES, JSON.valueToTree(one)));
        simulated.simulation().nodes().create("n1", NodeProfile.of(OsRelease.UBUNTU_22));
        advance(10);
        start();
        assertThat(node.said("published: ")).startsWith("published: 2 ResourceSlices new");
    }

    @AfterEach
    void close() throws IOException {
        node.close();
        cluster.close();
    }

    private void start() throws Exception {
        node.start();
        simulated.simulation().dra().register("n1", DRIVER, node);
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

    private void pod(String name, String container, String more) {
        create(
                Gvr.PODS,
                "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'" + name + "','namespace':'ns'},'spec':{"
                        + "'terminationGracePeriodSeconds':1,'containers':[{'name':'c','image':'img:1'" + container
                        + "}]" + more + "}}");
        advance(20);
    }

    private void limits(String name, String resource) {
        pod(name, ",'resources':{'limits':{'" + resource + "':1}}", "");
    }

    /** A pod with a claim for one slice of each profile, in this order. */
    private void claims(String name, String... classes) {
        List<String> requests = new ArrayList<>();
        for (String each : classes) {
            requests.add(
                    "{'name':'r" + requests.size() + "','exactly':{'deviceClassName':'" + each + "." + DRIVER + "'}}");
        }
        create(
                Gvr.RESOURCECLAIMS,
                "{'apiVersion':'resource.k8s.io/v1','kind':'ResourceClaim','metadata':{'name':'" + name
                        + "','namespace':'ns'},'spec':{'devices':{'requests':[" + String.join(",", requests) + "]}}}");
        pod(name, "", ",'resourceClaims':[{'name':'s','resourceClaimName':'" + name + "'}]");
    }

    private void delete(String name) {
        assertThat(cluster.api().delete(Gvr.PODS, "ns", name, DeleteOptions.DEFAULT))
                .isTrue();
        advance(60);
    }

    private Map<String, String> phases() {
        return cluster.api().list(Gvr.PODS).stream()
                .collect(Collectors.toMap(
                        pod -> pod.at("/metadata/name").asText(),
                        pod -> pod.at("/status/phase").asText(),
                        (a, b) -> b,
                        TreeMap::new));
    }

    private String uid(String pod) {
        return cluster.api()
                .get(Gvr.PODS, "ns", pod)
                .orElseThrow()
                .at("/metadata/uid")
                .asText();
    }

    @Test
    void p1aPodThatIsDeletedWhileItWaitsBlocksNothing() throws Exception {
        claims("whole", "7g-40gb");
        limits("waits", "nvidia.com/mig-3g.20gb");
        assertThat(phases()).containsEntry("waits", "Pending");
        delete("waits");
        delete("whole");
        limits("next", "nvidia.com/mig-3g.20gb");
        limits("last", "nvidia.com/mig-3g.20gb");
        assertThat(phases()).containsOnly(Map.entry("next", "Running"), Map.entry("last", "Running"));
    }

    @Test
    void p2andP3mediaProfilesKeepTheirKindUnderBothNames() throws Exception {
        limits("nvidia", "nvidia.com/mig-1g.5gb.me");
        assertThat(node.hardware()).singleElement().asString().contains("1g-5gb-plus-me");
        delete("nvidia");
        limits("das", "mig.das.com/1g.5gb-plus-me");
        assertThat(phases()).containsEntry("das", "Running");
        assertThat(node.hardware()).singleElement().asString().contains("1g-5gb-plus-me");
        limits("second", "mig.das.com/1g.5gb-plus-me");
        assertThat(phases()).as("there is one per GPU").containsEntry("second", "Pending");
    }

    @Test
    void p4podsThatAskForWholeGpusOfTheDevicePluginAreLeftAlone() throws Exception {
        limits("old", "nvidia.com/gpu");
        JsonNode pod = cluster.api().get(Gvr.PODS, "ns", "old").orElseThrow();
        assertThat(pod.at("/spec/containers/0/resources/limits/nvidia.com~1gpu").asText())
                .isEqualTo("1");
        assertThat(cluster.api().list(Gvr.RESOURCECLAIMS)).isEmpty();
        assertThat(node.hardware()).isEmpty();
    }

    @Test
    void p5theOrderOfRequestsDoesNotMatter() throws Exception {
        claims("small-first", "3g-20gb", "4g-20gb");
        assertThat(phases()).containsEntry("small-first", "Running");
        assertThat(node.hardware()).containsExactlyInAnyOrder(GPU + "4g-20gb-0", GPU + "3g-20gb-4");
    }

    @Test
    void p8aPodThatGoesTakesItsOwnSliceAlong() throws Exception {
        claims("a", "1g-5gb");
        claims("b", "1g-5gb");
        String kept = cluster.api()
                .get(Gvr.RESOURCECLAIMS, "ns", "b")
                .orElseThrow()
                .at("/status/allocation/devices/results/0/device")
                .asText();
        delete("a");
        assertThat(node.hardware()).containsExactly(kept);
        assertThat(node.specifications()).hasSize(1);
    }

    @Test
    void p11andP12neitherKubeletNorAgentThatStartAnewEndPods() throws Exception {
        claims("two", "1g-5gb", "2g-10gb");
        String uid = uid("two");
        List<String> before = node.hardware();
        node.stop();
        simulated.simulation().dra().unregister("n1", DRIVER);
        start();
        advance(60);
        assertThat(uid("two")).isEqualTo(uid);
        assertThat(phases()).containsEntry("two", "Running");
        assertThat(node.hardware()).hasSize(2).containsExactlyInAnyOrderElementsOf(before);
        limits("next", "nvidia.com/mig-3g.20gb");
        assertThat(phases()).containsEntry("next", "Running");
    }

    @Test
    void p13aContainerWithTwoProfilesHasOneSpecificationWithBoth() throws Exception {
        claims("two", "1g-5gb", "2g-10gb");
        assertThat(node.hardware()).hasSize(2);
        assertThat(node.specifications()).hasSize(1);
    }

    @Test
    void p15aSliceThatIsFreedWakesThoseWhoWait() throws Exception {
        claims("whole", "7g-40gb");
        limits("waits", "nvidia.com/mig-1g.5gb");
        assertThat(phases()).containsEntry("waits", "Pending");
        delete("whole");
        assertThat(phases()).containsOnly(Map.entry("waits", "Running"));
    }
}
