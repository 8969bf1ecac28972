package dev.sro.testkit.upgrade;

import static dev.sro.testkit.upgrade.UpgradeWorld.LONG;
import static dev.sro.testkit.upgrade.UpgradeWorld.STATE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.UpgradeNodeStatus;
import dev.sro.testkit.server.Recording;
import dev.sro.testkit.sim.Behavior;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Upgrades of a driver, node by node, with counted requests. */
final class UpgradeScenarioTest {

    private final UpgradeWorld world = new UpgradeWorld();

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void replacesDriversNodeByNodeWithinTheBudgetAndInSixWritesEach() {
        String policy = "{autoUpgrade: true, maxParallelUpgrades: 2, maxUnavailable: 50%}";
        world.ready(policy, 5);

        world.resource("gpu", "2", policy);
        long[] most = new long[1];
        boolean ended = world.sandbox.runUntil(LONG, () -> {
            long cordoned = world.phases(STATE).values().stream()
                    .filter(phase -> phase.endsWith(" cordoned"))
                    .count();
            most[0] = Math.max(most[0], cordoned);
            return world.done("gpu") && world.versions("gpu").values().stream().allMatch("2"::equals);
        });

        assertThat(ended).as(() -> world.story("gpu")).isTrue();
        assertThat(most[0]).isEqualTo(2);
        assertThat(world.phases(STATE).values()).containsOnly("upgrade-done");
        Map<String, Long> counts = world.sandbox.cluster().recording().counts();
        // One of the six is the deletion of the driver's pod.
        assertThat(counts).containsEntry("delete pods", 5L);
        assertThat(world.nodeWrites().values()).allMatch(count -> count <= 5);
        assertThat(world.sandbox.cluster().recording().entries())
                .noneMatch(
                        entry -> entry.userAgent().equals("sro") && entry.verb().equals("get"));
    }

    @Test
    void makesNoRequestOnceItIsDone() {
        String policy = "{autoUpgrade: true}";
        world.ready(policy, 2);
        world.resource("gpu", "2", policy);
        world.until("gpu", "2");
        world.sandbox.run(Duration.ofMinutes(1));
        world.sandbox.cluster().recording().start();

        world.sandbox.run(Duration.ofHours(3));

        assertThat(world.sandbox
                        .cluster()
                        .recording()
                        .entries(entry ->
                                entry.userAgent().equals("sro") && !entry.verb().equals("watch")))
                .isEmpty();
    }

    @Test
    void evictsOnlyWhoUsesTheDevice() {
        String policy = "{autoUpgrade: true}";
        world.ready(policy, 1);
        world.pod("trainer", "node-0", true, Map.of());
        world.pod("web", "node-0", false, Map.of());
        world.pod("kept", "node-0", true, Map.of("sro.dev/gpu.driver-upgrade-drain.skip", "true"));

        world.resource("gpu", "2", policy);
        world.until("gpu", "2");

        assertThat(world.there("trainer")).isFalse();
        assertThat(world.there("web")).isTrue();
        assertThat(world.there("kept")).isTrue();
        assertThat(world.sandbox.cluster().recording().counts()).containsEntry("create pods/eviction", 1L);
    }

    @Test
    void saysWhichDisruptionBudgetBlocksWhichPodAndGoesOnWithOtherNodes() {
        String policy = "{autoUpgrade: true, maxParallelUpgrades: 1, maxUnavailable: 100%,"
                + " podDeletion: {timeoutSeconds: 600}}";
        world.ready(policy, 2);
        world.pod("trainer", "node-0", true, Map.of("app", "trainer"));
        world.sandbox
                .client()
                .load(new java.io.ByteArrayInputStream("""
                    apiVersion: policy/v1
                    kind: PodDisruptionBudget
                    metadata: {name: keep-trainer, namespace: default}
                    spec: {minAvailable: 1, selector: {matchLabels: {app: trainer}}}
                    """.getBytes(java.nio.charset.StandardCharsets.UTF_8)))
                .create();
        world.sandbox.run(Duration.ofSeconds(10));

        world.resource("gpu", "2", policy);
        world.sandbox.run(Duration.ofMinutes(5));

        UpgradeNodeStatus stuck = Objects.requireNonNull(world.stuck("node-0"), () -> world.story("gpu"));
        assertThat(stuck.getReason()).isEqualTo("EvictionRefused");
        assertThat(stuck.getMessage()).contains("default/trainer", "keep-trainer");
        assertThat(world.versions("gpu")).containsEntry("node-0", "1");

        // After its time the node counts as failed, and the other one gets its turn.
        boolean other = world.sandbox.runUntil(
                LONG, () -> "2".equals(world.versions("gpu").get("node-1")));
        assertThat(other).as(() -> world.story("gpu")).isTrue();
        assertThat(world.versions("gpu")).containsEntry("node-0", "1");
        assertThat(world.there("trainer")).isTrue();
        assertThat(Objects.requireNonNull(world.stuck("node-0")).getReason()).isEqualTo("PodDeletionTimedOut");
    }

    @Test
    void aNodeThatFailsStaysOutOfWorkAndTheOthersGoOn() {
        String policy = "{autoUpgrade: true, maxUnavailable: 100%, deadlines: {restartSeconds: 120}}";
        world.ready(policy, 3);
        world.sandbox
                .simulation()
                .behaviors()
                .add(Behavior.crashLoop().image("*driver:2").node("node-1"));

        world.resource("gpu", "2", policy);
        boolean others = world.sandbox.runUntil(
                LONG,
                () -> "upgrade-done".equals(world.phases(STATE).get("node-2"))
                        && "2".equals(world.versions("gpu").get("node-2")));

        assertThat(others).as(() -> world.story("gpu")).isTrue();
        assertThat(world.phases(STATE))
                .containsEntry("node-0", "upgrade-done")
                .containsEntry("node-1", "upgrade-failed cordoned");
        assertThat(Objects.requireNonNull(world.stuck("node-1")).getPhase()).isEqualTo("upgrade-failed");

        // Mended and asked for again, by the annotation that other operators have too.
        world.sandbox.simulation().behaviors().clear();
        world.sandbox
                .client()
                .nodes()
                .withName("node-1")
                .edit(node -> node.edit()
                        .editMetadata()
                        .addToAnnotations("sro.dev/gpu.driver-upgrade-requested", "true")
                        .endMetadata()
                        .build());
        world.until("gpu", "2");
        assertThat(world.phases(STATE)).containsEntry("node-1", "upgrade-done");
        assertThat(world.sandbox
                        .client()
                        .nodes()
                        .withName("node-1")
                        .get()
                        .getMetadata()
                        .getAnnotations())
                .doesNotContainKey("sro.dev/gpu.driver-upgrade-requested");
    }

    @Test
    void aChangeThatTheDigestSaysIsNoneOfTheDriversRestartsItUnderItsUsers() {
        String policy = "{autoUpgrade: true}";
        world.ready(policy, 1);
        world.pod("trainer", "node-0", true, Map.of());

        world.resource("gpu", "2", "1", policy);
        world.until("gpu", "2");

        assertThat(world.there("trainer")).isTrue();
        assertThat(world.sandbox.cluster().recording().counts()).doesNotContainKey("create pods/eviction");
    }

    @Test
    void keepsAManualCordon() {
        String policy = "{autoUpgrade: true, maxUnavailable: 100%}";
        world.ready(policy, 2);
        world.sandbox.nodes().cordon("node-0");
        world.sandbox.run(Duration.ofSeconds(2));

        world.resource("gpu", "2", policy);
        world.until("gpu", "2");

        assertThat(world.phases(STATE))
                .containsEntry("node-0", "upgrade-done cordoned")
                .containsEntry("node-1", "upgrade-done");
    }

    @Test
    void recoversFromALabelThatWasEditedByHand() {
        String policy = "{autoUpgrade: true, deadlines: {restartSeconds: 600}}";
        world.ready(policy, 2);
        world.sandbox
                .simulation()
                .behaviors()
                .add(Behavior.readyAfter(Duration.ofMinutes(2)).image("*driver:2"));
        world.resource("gpu", "2", policy);
        world.sandbox.run(Duration.ofSeconds(30));
        assertThat(world.phases(STATE)).containsEntry("node-0", "pod-restart-required cordoned");

        world.sandbox.nodes().label("node-0", STATE, "upgrade-done");
        world.sandbox.run(Duration.ofSeconds(5));
        world.sandbox.nodes().label("node-1", STATE, "nonsense");
        world.until("gpu", "2");

        assertThat(world.phases(STATE).values()).containsOnly("upgrade-done");
    }

    @Test
    void goesOnWhereItWasWhenTheOperatorIsKilled() {
        String policy = "{autoUpgrade: true}";
        world.ready(policy, 3);
        world.resource("gpu", "2", policy);
        for (int i = 0; i < 20 && !world.done("gpu"); i++) {
            world.sandbox.run(Duration.ofMillis(700));
            world.sandbox.kill();
            world.sandbox.run(Duration.ofMillis(300));
            world.sandbox.start();
        }
        world.until("gpu", "2");

        assertThat(world.phases(STATE).values()).containsOnly("upgrade-done");
        assertThat(world.sandbox.cluster().recording().entries(Recording.Entry::isWrite))
                .filteredOn(entry ->
                        entry.verb().equals("delete") && entry.resource().equals("pods"))
                .filteredOn(entry -> entry.userAgent().equals("sro"))
                .hasSize(3);
    }
}
