package dev.sro.testkit.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.NodeFacts;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.api.operation.DriverSet;
import dev.sro.api.operation.PodUse;
import dev.sro.api.operation.UpgradeAction;
import dev.sro.api.operation.UpgradePolicy;
import dev.sro.api.operation.UpgradeStrategy;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Two drivers are upgraded at once, of which one builds upon the other: nobody but the plugins says which goes first. */
class CapabilityOrderScenarioTest {

    private static final String POLICY = "{autoUpgrade: true, maxUnavailable: 100%, maxParallelUpgrades: 1}";

    /** The driver of {@link GpuPlugin}, with what it brings and what comes before it. */
    private record Ordered(GpuPlugin plugin, Set<String> provides, Set<String> after)
            implements AcceleratorPlugin, UpgradePolicy {
        @Override
        public PluginDescriptor descriptor() {
            return plugin.descriptor();
        }

        @Override
        public StateGraph states(RecipeContext context) {
            List<State> states = plugin.states(context).states();
            State driver = State.builder()
                    .from(states.get(0))
                    .after(Set.of())
                    .addAllProvides(provides)
                    .addAllAfterCapabilities(after)
                    .build();
            return StateGraph.chain(driver, states.get(1));
        }

        @Override
        public UpgradeStrategy upgradeStrategy(RecipeContext context) {
            return plugin.upgradeStrategy(context);
        }

        @Override
        public boolean usesDevice(PodUse pod) {
            return plugin.usesDevice(pod);
        }

        @Override
        public UpgradeAction upgradeAction(DriverSet running, DriverSet desired, NodeFacts node) {
            return plugin.upgradeAction(running, desired, node);
        }
    }

    private static GpuPlugin plugin(String name) {
        return new GpuPlugin(name, UpgradeStrategy.builder().build());
    }

    private static void resource(SroSandbox sandbox, String name, String version) {
        sandbox.apply("""
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: %1$s}
            spec:
              namespace: %1$s
              plugin: {name: %1$s}
              nodeSelector: {example.com/device: "true"}
              set: {apiVersion: sro.openshift.io/v1beta1, kind: Values, version: "%2$s", digest: "%2$s"}
              upgradePolicy: %3$s
            """.formatted(name, version, POLICY));
    }

    private static Map<String, String> versions(SroSandbox sandbox, String name) {
        Map<String, String> versions = new TreeMap<>();
        for (Pod pod : sandbox.client().pods().inNamespace(name).list().getItems()) {
            String image = pod.getSpec().getContainers().get(0).getImage();
            if (image.contains("/driver:") && pod.getMetadata().getDeletionTimestamp() == null) {
                versions.put(String.valueOf(pod.getSpec().getNodeName()), image.substring(image.indexOf(':') + 1));
            }
        }
        return versions;
    }

    @Test
    void whatOthersBuildUponIsUpgradedFirst() {
        try (SroSandbox sandbox = SroSandbox.create(
                new Ordered(plugin("gpu"), Set.of(), Set.of("network-driver")),
                new Ordered(plugin("net"), Set.of("network-driver"), Set.of()))) {
            sandbox.nodes()
                    .createMany("node-", 3, NodeProfile.of(OsRelease.RHEL_9).withLabel("example.com/device", "true"));
            resource(sandbox, "gpu", "1");
            resource(sandbox, "net", "1");
            assertThat(sandbox.runUntil(Duration.ofHours(1), () -> sandbox.isReady("gpu") && sandbox.isReady("net")))
                    .isTrue();

            resource(sandbox, "gpu", "2");
            resource(sandbox, "net", "2");
            boolean[] before = new boolean[1];
            boolean ended = sandbox.runUntil(Duration.ofHours(6), () -> {
                Map<String, String> net = versions(sandbox, "net");
                Map<String, String> gpu = versions(sandbox, "gpu");
                gpu.forEach((node, version) -> before[0] |= version.equals("2") && "1".equals(net.get(node)));
                return gpu.size() == 3
                        && net.size() == 3
                        && gpu.values().stream().allMatch("2"::equals)
                        && net.values().stream().allMatch("2"::equals)
                        && sandbox.isReady("gpu")
                        && sandbox.isReady("net");
            });

            assertThat(ended)
                    .as(() -> sandbox.state("gpu") + " / " + sandbox.state("net"))
                    .isTrue();
            assertThat(before[0]).isFalse();
        }
    }
}
