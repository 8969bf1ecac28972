package dev.sro.testkit.upgrade;

import static dev.sro.testkit.upgrade.UpgradeWorld.LONG;
import static dev.sro.testkit.upgrade.UpgradeWorld.STATE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.testkit.sim.Behavior;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where there is one node, nobody can go elsewhere: not the users of the device, and not the operator. */
final class OneNodeUpgradeScenarioTest {

    private static final String DRAIN = "{autoUpgrade: true, maxUnavailable: 100%, evict: {who: Everybody}}";

    private final UpgradeWorld world = new UpgradeWorld();

    @AfterEach
    void close() {
        world.close();
    }

    /** Upgrades to version 2; whether a node was cordoned on the way. */
    private boolean upgradedByCordon(String policy) {
        boolean[] cordoned = new boolean[1];
        world.resource("gpu", "2", policy);
        boolean ended = world.sandbox.runUntil(LONG, () -> {
            cordoned[0] |= world.phases(STATE).values().stream().anyMatch(phase -> phase.endsWith(" cordoned"));
            return world.done("gpu") && world.versions("gpu").values().stream().allMatch("2"::equals);
        });
        assertThat(ended).as(() -> world.story("gpu")).isTrue();
        return cordoned[0];
    }

    @ParameterizedTest
    @CsvSource({"app.kubernetes.io/name, special-resource-operator", "sro.dev/operator, true"})
    void aDrainLeavesTheOperatorWhereItIsAndTheNodeOpen(String label, String value) {
        world.ready(DRAIN, 1);
        world.pod("operator", "node-0", false, Map.of(label, value));
        world.pod("web", "node-0", false, Map.of());

        assertThat(upgradedByCordon(DRAIN)).isFalse();

        assertThat(world.there("operator")).isTrue();
        assertThat(world.there("web")).isFalse();
    }

    @Test
    void withMoreNodesTheyAreCordonedAsEverAndTheOperatorStaysAllTheSame() {
        world.ready(DRAIN, 2);
        world.pod("operator", "node-0", false, Map.of("sro.dev/operator", "true"));
        world.pod("web", "node-0", false, Map.of());

        assertThat(upgradedByCordon(DRAIN)).isTrue();

        assertThat(world.there("operator")).isTrue();
        assertThat(world.there("web")).isFalse();
    }

    /** Nothing keeps them off the node: who came after the attempt began is not asked to go once more. */
    @ParameterizedTest
    @CsvSource({"'{autoUpgrade: true}'", "'{autoUpgrade: true, maxUnavailable: 100%, evict: {who: Everybody}}'"})
    void usersThatComeBackAtOnceDoNotKeepTheUpgradeFromItsEnd(String policy) {
        world.ready(policy, 1);
        world.sandbox
                .client()
                .load(new ByteArrayInputStream("""
                    apiVersion: apps/v1
                    kind: Deployment
                    metadata: {name: trainer, namespace: default}
                    spec:
                      replicas: 2
                      selector: {matchLabels: {app: trainer}}
                      template:
                        metadata: {labels: {app: trainer}}
                        spec:
                          containers:
                          - name: main
                            image: registry.example/app:1
                            resources: {limits: {example.com/gpu: 1}}
                    """.getBytes(StandardCharsets.UTF_8)))
                .create();
        world.sandbox.run(Duration.ofSeconds(20));

        assertThat(upgradedByCordon(policy)).isFalse();

        assertThat(world.sandbox.cluster().recording().counts())
                .as("each once")
                .containsEntry("create pods/eviction", 2L);
    }

    @Test
    void aNodeThatFailsStaysOpen() {
        String policy = "{autoUpgrade: true, deadlines: {restartSeconds: 120}}";
        world.ready(policy, 1);
        world.sandbox.simulation().behaviors().add(Behavior.crashLoop().image("*driver:2"));

        world.resource("gpu", "2", policy);
        boolean failed = world.sandbox.runUntil(
                LONG, () -> String.valueOf(world.phases(STATE).get("node-0")).startsWith("upgrade-failed"));

        assertThat(failed).as(() -> world.story("gpu")).isTrue();
        assertThat(world.phases(STATE)).containsEntry("node-0", "upgrade-failed");
    }
}
