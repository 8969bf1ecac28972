package dev.sro.runtime.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.plugin.PluginHost;
import dev.sro.runtime.Cli;
import dev.sro.runtime.PluginDirectory;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.server.Gvr;
import dev.sro.testkit.sim.Behavior;
import dev.sro.testkit.sim.OsRelease;
import dev.sro.testkit.sim.SimGpus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two vendors' plugins, from their jars, on one node. */
class NetworkBeforeGpuScenarioTest {

    private static final Duration LONG = Duration.ofMinutes(20);

    static final String GPU = """
        apiVersion: sro.openshift.io/v1beta1
        kind: SpecialResource
        metadata: {name: gpu}
        spec:
          namespace: gpu
          plugin: {name: nvidia-gpu, config: {driver: {rdma: {enabled: true}}}}
        """;

    static final String ONLOAD = """
        apiVersion: sro.openshift.io/v1beta1
        kind: SpecialResource
        metadata: {name: onload}
        spec:
          namespace: onload
          plugin:
            name: solarflare-onload
            config:
              onload:
                version: 9.0.1
                userImage: registry.example/onload/user:9.0.1
                kernelMappings:
                - regexp: '^.*$'
                  kernelModuleImage: registry.example/onload/module:9.0.1-${KERNEL_FULL_VERSION}
                  sfc: {}
              devicePlugin:
                devicePluginImage: registry.example/onload/device-plugin:3.0.0
        """;

    @TempDir
    private Path plugins;

    @Test
    void theGpuDriverWithPeerMemoryWaitsForTheNetworkDriverWhereThereIsACard() {
        Cli.plugin(plugins, "sro-plugins-nvidia", "nvidia-gpu");
        Cli.plugin(plugins, "sro-plugins-solarflare", "solarflare-onload");
        try (PluginHost host = PluginDirectory.open(plugins);
                SroSandbox sandbox =
                        SroSandbox.create(EmbeddedCluster.builder().controller(SimGpus.operands(8)), host.current())) {
            sandbox.nodes()
                    .create(
                            "both",
                            SimGpus.node(OsRelease.UBUNTU_22)
                                    .withPci("0200", "1924", "0b03")
                                    .withResource("amd.com/onload", "100"));
            sandbox.nodes().create("gpu-only", SimGpus.node(OsRelease.UBUNTU_22));
            sandbox.run(Duration.ofMinutes(2));
            Behavior slow = Behavior.neverReady().workload("onload-driver-load*");
            sandbox.simulation().behaviors().add(slow);
            sandbox.apply(ONLOAD);
            sandbox.apply(GPU);

            assertThat(sandbox.runUntil(LONG, () -> drivers(sandbox).equals(Set.of("gpu-only"))))
                    .as(() -> sandbox.state("gpu"))
                    .isTrue();
            sandbox.run(Duration.ofMinutes(2));
            assertThat(drivers(sandbox)).containsExactly("gpu-only");
            assertThat(sandbox.state("gpu")).contains("network-driver", "both");

            sandbox.simulation().behaviors().remove(slow);
            sandbox.client().pods().inNamespace("onload").delete();
            boolean[] early = new boolean[1];
            assertThat(sandbox.runUntil(LONG, () -> {
                        early[0] |= drivers(sandbox).contains("both") && !hasNetworkDriver(sandbox, "both");
                        return sandbox.isReady("gpu") && sandbox.isReady("onload");
                    }))
                    .as(() -> sandbox.state("gpu") + " " + sandbox.state("onload"))
                    .isTrue();
            assertThat(early[0]).isFalse();
            assertThat(drivers(sandbox)).containsExactly("both", "gpu-only");
            assertThat(hasNetworkDriver(sandbox, "gpu-only")).isFalse();
        }
    }

    private static boolean hasNetworkDriver(SroSandbox sandbox, String node) {
        return sandbox.nodes()
                .get(node)
                .at("/metadata/labels")
                .path("sro.dev/capability-network-driver")
                .asText()
                .equals("ready");
    }

    /** Nodes with a pod of the GPU driver. */
    private static Set<String> drivers(SroSandbox sandbox) {
        return sandbox.cluster().api().list(Gvr.PODS).stream()
                .filter(pod -> pod.at("/metadata/name").asText().startsWith("nvidia-driver-daemonset"))
                .map(pod -> pod.at("/spec/nodeName").asText())
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
