package dev.sro.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.operator.KmodPlugin;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import dev.sro.testkit.sim.Simulation;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import org.junit.jupiter.api.Test;

@SroTest(plugins = KmodPlugin.class)
final class SroTestTest {

    @Test
    void bringsAPluginToReady(SroSandbox sandbox, Simulation simulation) {
        simulation.nodes().create("n", NodeProfile.of(OsRelease.RHEL_9).withLabel("example.com/device", "true"));
        sandbox.apply(KmodPlugin.RESOURCE);

        assertThat(sandbox.runUntil(Duration.ofMinutes(10), () -> sandbox.isReady("kmod")))
                .isTrue();
    }

    @Test
    void allParametersAreOfOneSandbox(SroSandbox sandbox, EmbeddedCluster cluster, KubernetesClient client) {
        assertThat(cluster).isSameAs(sandbox.cluster());
        assertThat(client).isSameAs(sandbox.client());
        assertThat(client.nodes().list().getItems()).isEmpty();
    }

    @Test
    @SroTest(openShift = true)
    void theMethodDecidesBeforeTheClass(KubernetesClient client) {
        assertThat(client.hasApiGroup("build.openshift.io", true)).isTrue();
    }
}
