package dev.sro.testkit.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class FirstLightTest {

    @Test
    void reachesReadyOnTwoKernels() {
        try (SroSandbox sandbox = SroSandbox.create(new KmodPlugin())) {
            sandbox.cluster().recording().start();
            sandbox.simulation().registry().onlyPushed("registry.example/kmod:*");
            sandbox.nodes().create("a", NodeProfile.of(OsRelease.RHEL_9).withLabel("example.com/device", "true"));
            sandbox.nodes().create("b", NodeProfile.of(OsRelease.UBUNTU_22).withLabel("example.com/device", "true"));
            sandbox.apply(KmodPlugin.RESOURCE);
            boolean ready = sandbox.runUntil(Duration.ofMinutes(3), () -> sandbox.isReady("kmod"));
            sandbox.cluster().recording().entries().stream().filter(e -> e.toString().contains("sro")).limit(60).forEach(System.out::println);
            System.out.println(sandbox.client().getKubernetesSerialization().asYaml(sandbox.get("kmod").orElseThrow().getStatus()));
            assertThat(ready).isTrue();
        }
    }
}
