package dev.sro.testkit.upgrade;

import static dev.sro.testkit.upgrade.UpgradeWorld.LONG;
import static dev.sro.testkit.upgrade.UpgradeWorld.STATE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.testkit.sim.Behavior;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Nodes that SRO boots itself, by a pod. */
final class RebootScenarioTest {

    private static final String POLICY = "{autoUpgrade: true, reboot: {by: Pod%s}%s}";

    private final UpgradeWorld world = new UpgradeWorld();

    @AfterEach
    void close() {
        world.close();
    }

    private List<Pod> rebooters() {
        return world.sandbox.client().pods().inNamespace("gpu").list().getItems().stream()
                .filter(pod -> "reboot"
                        .equals(
                                pod.getMetadata().getAnnotations() == null
                                        ? null
                                        : pod.getMetadata().getAnnotations().get("sro.dev/driver-upgrade")))
                .toList();
    }

    private String bootId() {
        return world.sandbox
                .client()
                .nodes()
                .withName("node-0")
                .get()
                .getStatus()
                .getNodeInfo()
                .getBootID();
    }

    private void begin(String policy) {
        world.bystander();
        world.ready(policy, 1);
        world.resource("gpu", "boot-2", policy);
        assertThat(world.sandbox.runUntil(LONG, () -> !rebooters().isEmpty()))
                .as(() -> world.story("gpu"))
                .isTrue();
    }

    @Test
    void aPodBootsTheNodeOnceItIsEmptyAndGoesAfterIt() {
        begin(POLICY.formatted("", ""));

        Pod pod = rebooters().get(0);
        Container container = pod.getSpec().getContainers().get(0);
        assertThat(world.phases(STATE)).containsEntry("node-0", "reboot-required cordoned");
        assertThat(pod.getSpec().getNodeName()).isEqualTo("node-0");
        assertThat(container.getImage()).endsWith("driver:boot-2");
        assertThat(container.getSecurityContext().getPrivileged()).isTrue();
        assertThat(container.getCommand()).endsWith("sro", "systemctl", "reboot");
        assertThat(container.getEnv())
                .extracting(EnvVar::getName, EnvVar::getValue)
                .containsExactly(org.assertj.core.groups.Tuple.tuple("SRO_BOOT", bootId()));

        world.sandbox.nodes().reboot("node-0");
        world.until("gpu", "boot-2");
        world.sandbox.run(Duration.ofMinutes(1));
        assertThat(rebooters()).isEmpty();
        assertThat(world.phases(STATE)).containsEntry("node-0", "upgrade-done");
    }

    @Test
    void anotherImageAndCommandBoot() {
        begin(POLICY.formatted(", image: example.com/tools:1, command: [/sbin/shutdown, -r, now]", ""));

        Container container = rebooters().get(0).getSpec().getContainers().get(0);
        assertThat(container.getImage()).isEqualTo("example.com/tools:1");
        assertThat(container.getCommand()).endsWith("/sbin/shutdown", "-r", "now");
    }

    @Test
    void whyAPodBootsNothingIsSaidAndTheNodeFailsInTime() {
        world.sandbox
                .simulation()
                .behaviors()
                .add(Behavior.pullError("no such tools").image("example.com/tools:*"));
        // The new driver loads in a new boot only.
        world.sandbox.simulation().behaviors().add(Behavior.neverReady().image("*driver:boot-2"));
        begin(POLICY.formatted(", image: example.com/tools:1", ", deadlines: {rebootSeconds: 600}"));
        world.sandbox.run(Duration.ofMinutes(2));

        var stuck = Objects.requireNonNull(world.status("gpu").getStuck()).get(0);
        assertThat(stuck.getReason()).isEqualTo("WaitingForReboot");
        assertThat(stuck.getMessage()).contains("gpu-reboot-node-0", "ImagePullBackOff");

        boolean failed = world.sandbox.runUntil(
                Duration.ofMinutes(15),
                () -> world.phases(STATE).getOrDefault("node-0", "").startsWith("upgrade-failed"));
        assertThat(failed).as(() -> world.story("gpu")).isTrue();
        world.sandbox.run(Duration.ofMinutes(1));
        assertThat(rebooters()).isEmpty();
    }

    @Test
    void theTeardownTakesThePodAlong() {
        begin(POLICY.formatted("", ""));

        world.sandbox.client().resource(world.sandbox.get("gpu").orElseThrow()).delete();
        assertThat(world.sandbox.runUntil(LONG, () -> world.sandbox.get("gpu").isEmpty()))
                .isTrue();
        assertThat(rebooters()).isEmpty();
    }
}
