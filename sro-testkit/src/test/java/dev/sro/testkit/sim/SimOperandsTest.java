package dev.sro.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.server.Controller;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What pods of device plugins and feature discoveries do to simulated nodes. */
class SimOperandsTest {

    private static final Duration LONG = Duration.ofMinutes(5);

    private EmbeddedCluster cluster = EmbeddedCluster.builder().build();
    private Simulation[] simulation = new Simulation[1];

    @AfterEach
    void close() {
        cluster.close();
    }

    private void start(Controller.Factory operands) {
        cluster.close();
        cluster = EmbeddedCluster.builder()
                .controller((api, clock) -> {
                    simulation[0] = SimControllers.install(api, clock);
                    return simulation[0];
                })
                .controller(operands)
                .build();
        simulation[0].nodes().create("a", SimGpus.node(OsRelease.UBUNTU_22).withLabel("gpus", "yes"));
        simulation[0].nodes().create("b", NodeProfile.of(OsRelease.UBUNTU_22));
        cluster.advance(LONG);
    }

    /** Its pods go to the nodes with the label {@code gpus}. */
    private void run(String app) {
        DaemonSet set = cluster.client().getKubernetesSerialization().unmarshal("""
            apiVersion: apps/v1
            kind: DaemonSet
            metadata: {name: %1$s, namespace: default}
            spec:
              selector: {matchLabels: {app: %1$s}}
              template:
                metadata: {labels: {app: %1$s}}
                spec:
                  nodeSelector: {gpus: "yes"}
                  containers: [{name: main, image: "registry.example/%1$s:1"}]
            """.formatted(app), DaemonSet.class);
        cluster.client().resource(set).create();
        cluster.settle();
    }

    private void stop(String app) {
        cluster.client()
                .apps()
                .daemonSets()
                .inNamespace("default")
                .withName(app)
                .delete();
        cluster.advance(LONG);
    }

    private String offered(String node, String list, String resource) {
        return simulation[0]
                .nodes()
                .get(node)
                .at("/status/" + list)
                .path(resource)
                .asText("none");
    }

    private JsonNode labels(String node) {
        return simulation[0].nodes().get(node).at("/metadata/labels");
    }

    @Test
    void theResourceIsOfferedOnceThePodIsReadyAndOnItsNodeOnly() {
        start(SimOperands.create(SimOperands.devicePlugin("plugin", "acme.com/device", 4)));
        run("plugin");
        assertThat(offered("a", "allocatable", "acme.com/device")).isEqualTo("none");

        cluster.advance(LONG);

        assertThat(offered("a", "allocatable", "acme.com/device")).isEqualTo("4");
        assertThat(offered("a", "capacity", "acme.com/device")).isEqualTo("4");
        assertThat(offered("b", "allocatable", "acme.com/device")).isEqualTo("none");
    }

    @Test
    void aPluginThatLeavesLeavesTheCapacityBehindAndNothingToAllocate() {
        start(SimOperands.create(SimOperands.devicePlugin("plugin", "acme.com/device", 4)));
        run("plugin");
        cluster.advance(LONG);

        stop("plugin");

        assertThat(offered("a", "capacity", "acme.com/device")).isEqualTo("4");
        assertThat(offered("a", "allocatable", "acme.com/device")).isEqualTo("0");
    }

    @Test
    void labelsComeWithThePodAndGoWithIt() {
        start(SimOperands.create(SimOperands.labeller("discovery", Map.of("acme.com/count", "4"))));
        run("discovery");
        cluster.advance(LONG);
        assertThat(labels("a").path("acme.com/count").asText()).isEqualTo("4");
        assertThat(labels("b").has("acme.com/count")).isFalse();

        stop("discovery");

        assertThat(labels("a").has("acme.com/count")).isFalse();
        assertThat(labels("a").path("gpus").asText()).as("another's").isEqualTo("yes");
    }

    @Test
    void oneAppMayHaveSeveralEffects() {
        start(SimOperands.create(
                SimOperands.devicePlugin("plugin", "acme.com/device", 4),
                SimOperands.labeller("plugin", Map.of("acme.com/count", "4"))));
        run("plugin");
        cluster.advance(LONG);

        assertThat(offered("a", "allocatable", "acme.com/device")).isEqualTo("4");
        assertThat(labels("a").path("acme.com/count").asText()).isEqualTo("4");
    }

    @Test
    void podsOfOthersDoNothing() {
        start(SimOperands.create(SimOperands.labeller("discovery", Map.of("acme.com/count", "4"))));
        run("web");
        cluster.advance(LONG);

        assertThat(labels("a").has("acme.com/count")).isFalse();
    }

    @Test
    void operandsOfGpusOfferCountAndNameThem() {
        start(SimGpus.operands(8));
        assertThat(labels("a")
                        .path("feature.node.kubernetes.io/pci-0302_10de.present")
                        .asText())
                .as("seen by Node Feature Discovery")
                .isEqualTo("true");
        assertThat(labels("b").has("feature.node.kubernetes.io/pci-0302_10de.present"))
                .isFalse();
        assertThat(offered("a", "allocatable", SimGpus.RESOURCE)).isEqualTo("none");

        run("nvidia-device-plugin-daemonset");
        run("gpu-feature-discovery");
        run("nvidia-mig-manager");
        cluster.advance(LONG);

        assertThat(offered("a", "allocatable", SimGpus.RESOURCE)).isEqualTo("8");
        assertThat(labels("a").path("nvidia.com/gpu.count").asText()).isEqualTo("8");
        assertThat(labels("a").path("nvidia.com/mig.config.state").asText()).isEqualTo("success");
    }
}
