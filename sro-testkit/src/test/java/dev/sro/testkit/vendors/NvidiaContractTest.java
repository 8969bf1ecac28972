package dev.sro.testkit.vendors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.KernelVersion;
import dev.sro.api.NodeFacts;
import dev.sro.api.OsRelease;
import dev.sro.api.operation.DriverSet;
import dev.sro.api.operation.PodUse;
import dev.sro.api.operation.UpgradeAction;
import dev.sro.core.model.MetadataKeys;
import dev.sro.testkit.contract.AcceleratorPluginContract;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.sim.NodeProfile;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Toleration;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NvidiaContractTest extends AcceleratorPluginContract {

    private static final NodeProfile GPU_NODE = NodeProfile.of(dev.sro.testkit.sim.OsRelease.UBUNTU_22)
            .withPci("0302", "10de", "20b0")
            .withResource("nvidia.com/gpu", "8")
            .withLabel("nvidia.com/mig.config.state", "success");

    @Override
    protected AcceleratorPlugin plugin() {
        return new NvidiaPlugin();
    }

    @Override
    protected String specialResource() {
        return Vendors.resource("nvidia", "{}");
    }

    @Override
    protected Map<String, NodeProfile> nodes() {
        return Map.of("ubuntu", GPU_NODE, "rhel", GPU_NODE.withOs(dev.sro.testkit.sim.OsRelease.RHEL_9));
    }

    private static DriverSet driver(String version, String image) {
        return DriverSet.builder()
                .version(version)
                .image(image)
                .kernel(new KernelVersion("5.15.0-91-generic"))
                .build();
    }

    @Test
    void aChangeOfTheWrappingAloneIsARestart() {
        NodeFacts node = NodeFacts.builder()
                .name("a")
                .kernel(new KernelVersion("5.15.0-91-generic"))
                .os(new OsRelease("ubuntu", "22.04"))
                .architecture("amd64")
                .build();
        NvidiaPlugin plugin = new NvidiaPlugin();
        DriverSet running = driver("550", "registry.example/driver:550-a");

        assertThat(plugin.upgradeAction(running, running, node)).isEqualTo(UpgradeAction.NONE);
        assertThat(plugin.upgradeAction(running, driver("550", "registry.example/driver:550-b"), node))
                .isEqualTo(UpgradeAction.RESTART_ONLY);
        assertThat(plugin.upgradeAction(running, driver("560", "registry.example/driver:560"), node))
                .isEqualTo(UpgradeAction.FULL);
        assertThat(plugin.usesDevice(new PodUse("a", "b", Map.of(), Map.of("nvidia.com/mig-1g.5gb", "1"), Set.of())))
                .isTrue();
    }

    @Test
    void aNodeForVirtualMachinesHoldsUpNothingAndHasNoContainerOperands() {
        try (SroSandbox sandbox = SroSandbox.create(plugin())) {
            sandbox.nodes().create("containers", GPU_NODE);
            sandbox.nodes().create("machines", GPU_NODE.withLabel("nvidia.com/gpu.workload.config", "vm-passthrough"));
            sandbox.run(Duration.ofMinutes(2));
            sandbox.apply(specialResource());
            sandbox.run(Duration.ofMinutes(10));

            assertThat(sandbox.client()
                            .nodes()
                            .withName("containers")
                            .get()
                            .getMetadata()
                            .getLabels())
                    .containsEntry(MetadataKeys.stateLabel("nvidia", "1100"), "Ready");
            assertThat(sandbox.client()
                            .pods()
                            .inNamespace("nvidia-operator")
                            .list()
                            .getItems())
                    .filteredOn(pod -> "machines".equals(pod.getSpec().getNodeName()))
                    .allMatch(pod -> pod.getMetadata().getName().startsWith("nvidia-driver"));
        }
    }

    @Test
    void theNodeIsNotReachedBeforeTheDevicePluginOffersTheResource() {
        try (SroSandbox sandbox = SroSandbox.create(plugin())) {
            sandbox.nodes()
                    .create(
                            "a",
                            NodeProfile.of(dev.sro.testkit.sim.OsRelease.UBUNTU_22)
                                    .withPci("0302", "10de", "20b0")
                                    .withLabel("nvidia.com/mig.config.state", "success"));
            sandbox.run(Duration.ofMinutes(2));
            sandbox.apply(specialResource());
            sandbox.run(Duration.ofMinutes(10));
            assertThat(sandbox.state("nvidia"))
                    .contains("0600-device-plugin", "node a offers 0 of nvidia.com/gpu, 1 are needed");

            sandbox.client().nodes().withName("a").editStatus(node -> {
                node.getStatus().getAllocatable().put("nvidia.com/gpu", new Quantity("8"));
                return node;
            });

            assertThat(sandbox.runUntil(Duration.ofMinutes(10), () -> sandbox.isReady("nvidia")))
                    .isTrue();
        }
    }

    @Test
    void everyOperandToleratesTheTaintOfItsNodes() {
        try (SroSandbox sandbox = SroSandbox.create(plugin())) {
            nodes().forEach(sandbox.nodes()::create);
            sandbox.run(Duration.ofMinutes(2));
            sandbox.apply(specialResource());
            sandbox.runUntil(Duration.ofMinutes(30), () -> sandbox.isReady("nvidia"));

            List<List<Toleration>> tolerations =
                    sandbox.client().apps().daemonSets().inNamespace("nvidia-operator").list().getItems().stream()
                            .map(set -> set.getSpec().getTemplate().getSpec().getTolerations())
                            .toList();
            assertThat(tolerations)
                    .hasSizeGreaterThan(6)
                    .allSatisfy(list ->
                            assertThat(list).extracting(Toleration::getKey).contains("nvidia.com/gpu"));
        }
    }
}
