package dev.sro.plugins.nvidia;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.SpecialResource;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.server.Gvr;
import dev.sro.testkit.sim.Behavior;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.SimGpus;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Quantity;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What nodes offer against what they have. */
class DeviceCountScenarioTest {

    private static final Duration LONG = Duration.ofMinutes(40);

    private static final String SLICE = "nvidia.com/mig-1g.5gb";

    private final SroSandbox sandbox = SroSandbox.create(new NvidiaPlugin());

    @AfterEach
    void close() {
        sandbox.close();
    }

    private void apply(String config) {
        sandbox.run(Duration.ofMinutes(2));
        sandbox.apply(Gpus.resource(config));
    }

    private void ready() {
        assertThat(sandbox.runUntil(LONG, () -> sandbox.isReady(Gpus.NAME)))
                .as(() -> sandbox.state(Gpus.NAME))
                .isTrue();
    }

    private void offers(String node, String resource, String amount) {
        sandbox.client().nodes().withName(node).editStatus(live -> {
            live.getStatus().getAllocatable().put(resource, new Quantity(amount));
            return live;
        });
    }

    private Condition degraded() {
        return sandbox.get(Gpus.NAME)
                .map(SpecialResource::getStatus)
                .flatMap(status -> status.getConditions().stream()
                        .filter(one -> one.getType().equals("Degraded"))
                        .findFirst())
                .orElseThrow();
    }

    private void missing(String... texts) {
        assertThat(sandbox.runUntil(LONG, () -> degraded().getStatus().equals("True")))
                .as(() -> sandbox.state(Gpus.NAME))
                .isTrue();
        assertThat(degraded().getReason()).isEqualTo("NvidiaGpuMissing");
        assertThat(degraded().getMessage()).contains(texts);
        assertThat(sandbox.isReady(Gpus.NAME)).isFalse();
    }

    private boolean reached(String node, String number) {
        Map<String, String> labels =
                sandbox.client().nodes().withName(node).get().getMetadata().getLabels();
        return "Ready".equals(labels.get("specialresource.openshift.io/state-gpu-" + number));
    }

    private List<String> pods(String node, String app) {
        return StreamSupport.stream(sandbox.cluster().api().list(Gvr.PODS).spliterator(), false)
                .filter(pod -> pod.at("/spec/nodeName").asText().equals(node))
                .filter(pod -> pod.at("/metadata/labels/app").asText().equals(app))
                .map(pod -> pod.at("/metadata/name").asText())
                .toList();
    }

    private void restartDevicePlugin(String node) {
        pods(node, "nvidia-device-plugin-daemonset")
                .forEach(pod -> sandbox.client()
                        .pods()
                        .inNamespace("nvidia-gpu-operator")
                        .withName(pod)
                        .delete());
    }

    @Test
    void aNodeThatOffersFewerGpusThanItHasIsAProblemUntilItOffersAll() {
        sandbox.nodes().create("bad", Gpus.NODE.withResource(SimGpus.RESOURCE, "7"));
        sandbox.nodes().create("good", Gpus.NODE);
        apply("{gfd: {enabled: false}, migManager: {enabled: false}}");
        missing(
                "node bad offers 7 of nvidia.com/gpu, 8 are there by count-devices: reset the GPU",
                "log of the pod nvidia-device-plugin-daemonset");
        assertThat(reached("good", "5000")).isTrue();
        assertThat(reached("bad", "5000")).isFalse();
        assertThat(reached("bad", "4900")).as("a pod had a GPU there").isTrue();

        offers("bad", SimGpus.RESOURCE, "8");
        ready();
        assertThat(degraded().getStatus()).isEqualTo("False");
        assertThat(reached("bad", "5000")).isTrue();
    }

    @Test
    void whileAGpuIsMissingTheValidationTakesNoOtherAndWhatRunsGoesOn() {
        sandbox.nodes().create("one", Gpus.NODE);
        apply("{}");
        ready();

        offers("one", SimGpus.RESOURCE, "7");
        missing("node one offers 7 of nvidia.com/gpu, 8 are there");
        sandbox.run(Duration.ofMinutes(10));
        assertThat(pods("one", "nvidia-device-plugin-validator")).isEmpty();
        assertThat(pods("one", "nvidia-device-plugin-daemonset")).hasSize(1);
        assertThat(pods("one", "nvidia-dcgm-exporter")).hasSize(1);

        sandbox.nodes().change("one", node -> SimGpus.counting(Gpus.NODE, "nvidia.com/gpu=7"));
        offers("one", SimGpus.RESOURCE, "7");
        restartDevicePlugin("one");
        ready();
    }

    @Test
    void aNodeOnWhichNoPodCouldHaveAGpuIsNotValidatedHoweverManyItOffers() {
        sandbox.nodes().create("good", Gpus.NODE);
        sandbox.nodes().create("bad", Gpus.NODE);
        sandbox.simulation().behaviors().add(Behavior.crashLoop().node("bad").container("plugin-validation"));
        apply("{}");

        assertThat(sandbox.runUntil(LONG, () -> reached("good", "5000"))).isTrue();
        assertThat(reached("bad", "4000")).isTrue();
        assertThat(reached("bad", "5000")).isFalse();
    }

    @Test
    void aNodeThatNobodyHasCountedYetIsWaitedFor() {
        NodeProfile silent = Gpus.NODE.withMessage("count-devices", "");
        sandbox.nodes().create("one", silent);
        apply("{}");
        sandbox.run(LONG);
        assertThat(sandbox.isReady(Gpus.NAME)).isFalse();
        assertThat(degraded().getStatus()).isEqualTo("False");
        assertThat(sandbox.state(Gpus.NAME)).contains("node one waits for container count-devices");

        sandbox.nodes().change("one", node -> Gpus.NODE);
        restartDevicePlugin("one");
        ready();
    }

    @Test
    void slicesOfMixedMigAreComparedOneResourceAfterTheOther() {
        NodeProfile cut = SimGpus.counting(Gpus.NODE, "nvidia.com/gpu=7", SLICE + "=1", SLICE + "=1", SLICE + "=1")
                .withResource(SimGpus.RESOURCE, "7")
                .withResource(SLICE, "3");
        sandbox.nodes().create("cut", cut);
        sandbox.nodes().create("whole", Gpus.NODE);
        apply("{mig: {strategy: mixed}, gfd: {enabled: false}, migManager: {enabled: false}}");
        ready();

        offers("cut", SLICE, "2");
        missing("node cut offers 2 of " + SLICE + ", 3 are there");
        assertThat(reached("whole", "5000")).isTrue();

        offers("cut", SLICE, "3");
        ready();

        offers("cut", SLICE, "0");
        sandbox.run(Duration.ofMinutes(10));
        assertThat(degraded().getStatus())
                .as("the device plugin has not answered")
                .isEqualTo("False");
        assertThat(sandbox.state(Gpus.NAME)).contains("node cut offers 0 of " + SLICE + ", 3 are there");
    }

    @Test
    void gpusThatAreSharedAreOfferedAsOftenAsOneAnother() {
        sandbox.nodes()
                .create(
                        "renamed",
                        Gpus.NODE.withResource(SimGpus.RESOURCE, "0").withResource(SimGpus.RESOURCE + ".shared", "16"));
        sandbox.nodes().create("one", Gpus.NODE.withResource(SimGpus.RESOURCE, "32"));
        apply("{devicePlugin: {config: {name: shares, default: slices}},"
                + " validator: {plugin: {env: [{name: WITH_WORKLOAD, value: 'false'}]}}}");
        ready();

        offers("one", SimGpus.RESOURCE, "28");
        missing("node one offers 28 of nvidia.com/gpu, 8 are there", "the same number of shares of each");
        assertThat(reached("renamed", "5000")).isTrue();

        offers("one", SimGpus.RESOURCE, "32");
        ready();
    }

    @Test
    void theComparisonCanBeSwitchedOff() {
        sandbox.nodes().create("one", Gpus.NODE.withResource(SimGpus.RESOURCE, "7"));
        apply("{validator: {plugin: {env: [{name: WITH_COUNT, value: 'false'}]}}}");
        ready();
    }
}
