package dev.sro.testkit.upgrade;

import static dev.sro.testkit.upgrade.ResetPlugin.RESETS;
import static dev.sro.testkit.upgrade.UpgradeWorld.LONG;
import static dev.sro.testkit.upgrade.UpgradeWorld.STATE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.SpecialResource;
import dev.sro.testkit.operator.SroSandbox;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Devices that need a reset get it by the machinery of upgrades: one node after the other, each drained before. */
final class DeviceResetScenarioTest {

    private static final String POLICY = "{autoUpgrade: true, maxUnavailable: 100%}";

    private final UpgradeWorld world = new UpgradeWorld(SroSandbox.create(new ResetPlugin()));
    private final ResetAgent agent = new ResetAgent(world);

    @AfterEach
    void close() {
        world.close();
    }

    private void until(BooleanSupplier condition) {
        boolean ended = world.sandbox.runUntil(LONG, () -> {
            agent.look();
            return condition.getAsBoolean();
        });
        assertThat(ended).as(() -> world.story("gpu")).isTrue();
    }

    private boolean done(String node) {
        return "upgrade-done".equals(world.phases(STATE).get(node));
    }

    /** At work, and nothing is needed of it or ordered any more. */
    private boolean reset(String node) {
        return done(node)
                && agent.annotation(node, RESETS.needed()).isEmpty()
                && agent.annotation(node, RESETS.order()).isEmpty();
    }

    @Test
    void aNodeIsDrainedForTheResetAndValidatedAfterIt() {
        world.bystander();
        world.ready(POLICY, 1);
        world.pod("trainer", "node-0", true, Map.of());
        agent.needs("node-0", "0000:3b:00.0,0000:3c:00.0");

        until(() -> !agent.annotation("node-0", RESETS.order()).isEmpty());
        assertThat(agent.annotation("node-0", RESETS.order())).isEqualTo("0000:3b:00.0,0000:3c:00.0");
        assertThat(world.phases(STATE)).containsEntry("node-0", "device-reset-required cordoned");
        assertThat(Objects.requireNonNull(world.stuck("node-0")).getReason()).isEqualTo("WaitingForReset");
        assertThat(world.there("trainer")).isFalse();

        until(() -> reset("node-0"));
        assertThat(agent.resets()).containsExactly("node-0");
        assertThat(agent.onNode("node-0")).containsExactly("agent", "driver");
        assertThat(world.versions("gpu")).containsEntry("node-0", "1");
        world.sandbox.awaitReady("gpu", LONG);
    }

    @Test
    void nodesAreResetWithinTheBudget() {
        world.ready("{autoUpgrade: true, maxParallelUpgrades: 2, maxUnavailable: 100%}", 5);
        List<String> nodes = List.of("node-0", "node-1", "node-2", "node-3");
        nodes.forEach(node -> agent.needs(node, "0000:3b:00.0"));

        until(() -> nodes.stream().allMatch(this::reset));
        assertThat(agent.resets()).containsExactlyInAnyOrderElementsOf(nodes);
        assertThat(agent.mostCordoned()).isEqualTo(2);
        assertThat(world.nodeWrites()).as("nobody needs anything of it").doesNotContainKey("node-4");
    }

    @Test
    void whereDevicesCannotBeResetTheNodeGoesBackToWorkAndIsLeft() {
        agent.cannot("node-0");
        world.ready(POLICY, 2);
        agent.needs("node-0", "0000:3b:00.0");

        until(() -> agent.resets().size() == 1 && done("node-0"));
        world.sandbox.run(Duration.ofMinutes(1));
        assertThat(agent.annotation("node-0", RESETS.order())).isEmpty();
        var stuck = Objects.requireNonNull(world.stuck("node-0"));
        assertThat(stuck.getReason()).isEqualTo("ResetFailed");
        assertThat(stuck.getMessage()).contains("0000:3b:00.0 could not be reset, says state 2000-agent");
        Map<String, Long> writes = world.nodeWrites();
        world.sandbox.run(Duration.ofHours(3));
        assertThat(world.nodeWrites()).isEqualTo(writes);

        agent.annotate("node-0", RESETS.failed(), "");
        until(() -> agent.resets().size() == 2 && done("node-0"));
        agent.annotate("node-0", "sro.dev/gpu.driver-upgrade-requested", "true");
        until(() -> agent.resets().size() == 3 && done("node-0"));
        assertThat(agent.annotation("node-0", RESETS.failed())).isEqualTo("0000:3b:00.0");
    }

    @Test
    void aNewDriverAndAResetAreOneDrain() {
        world.bystander();
        world.ready(POLICY, 1);
        world.pod("trainer", "node-0", true, Map.of());
        agent.needs("node-0", "0000:3b:00.0");
        world.resource("gpu", "2", POLICY);

        until(() -> agent.resets().size() == 1);
        assertThat(world.versions("gpu")).as("the driver comes first").containsEntry("node-0", "2");
        assertThat(agent.onNode("node-0")).containsExactly("agent", "driver");
        until(() -> {
            assertThat(world.phases(STATE).get("node-0"))
                    .satisfiesAnyOf(
                            phase -> assertThat(phase).endsWith("cordoned"),
                            phase -> assertThat(phase).isEqualTo("upgrade-done"));
            return reset("node-0");
        });
    }

    @Test
    void anOperatorThatIsKilledAnywhereGoesOn() {
        world.ready(POLICY, 2);
        agent.needs("node-0", "0000:3b:00.0");
        for (String phase : List.of("device-reset-required cordoned", "validation-required cordoned")) {
            until(() -> phase.equals(world.phases(STATE).get("node-0")));
            world.sandbox.kill();
            world.sandbox.start();
        }
        until(() -> reset("node-0"));
        assertThat(agent.resets()).containsExactly("node-0");
        world.sandbox.awaitReady("gpu", LONG);
    }

    @Test
    void anAgentThatDoesNothingIsWaitedForForSoLong() {
        agent.sleeps("node-0");
        world.ready("{autoUpgrade: true, deadlines: {resetSeconds: 600}}", 4);
        agent.needs("node-0", "0000:3b:00.0");

        until(() -> "upgrade-failed cordoned".equals(world.phases(STATE).get("node-0")));
        world.sandbox.run(Duration.ofHours(3));
        assertThat(world.phases(STATE)).containsEntry("node-0", "upgrade-failed cordoned");
        assertThat(Objects.requireNonNull(world.stuck("node-0")).getReason()).isEqualTo("ResetTimedOut");
        assertThat(agent.annotation("node-0", RESETS.order())).isEmpty();

        agent.needs("node-0", "");
        until(() -> done("node-0"));
    }

    @Test
    void withoutAPolicyNothingIsOrdered() {
        world.sandbox.nodes().createMany("node-", 1, UpgradeWorld.PROFILE);
        world.resource("gpu", "1", "{autoUpgrade: false}");
        world.sandbox.awaitReady("gpu", LONG);
        world.sandbox.run(Duration.ofMinutes(1));
        world.sandbox.cluster().recording().start();
        agent.needs("node-0", "0000:3b:00.0");
        world.sandbox.run(Duration.ofHours(1));
        assertThat(agent.resets()).isEmpty();
        assertThat(world.nodeWrites()).isEmpty();
    }

    /** Which state resets is the plugin's to say, and what is wrong with it is said before a node is drained for it. */
    @ParameterizedTest
    @CsvSource({
        "2000-agnet, is no state of the plugin",
        "4000-validation, give it Reach.ownBarrier()",
    })
    void resetsByAStateThatCannotDoThemAreAProblemOfThePluginAndNoNodeIsTouched(String by, String said) {
        try (UpgradeWorld wrong = new UpgradeWorld(SroSandbox.create(new ResetPlugin(ResetPlugin.by(by))))) {
            ResetAgent asking = new ResetAgent(wrong);
            wrong.sandbox.nodes().createMany("node-", 1, UpgradeWorld.PROFILE);
            wrong.resource("gpu", "1", POLICY);
            asking.needs("node-0", "0000:3b:00.0");
            wrong.sandbox.run(Duration.ofMinutes(10));

            assertThat(wrong.sandbox.explain("gpu"))
                    .contains("plugin gpu failed in upgradeStrategy", "DeviceResets.by", by, said);
            assertThat(wrong.sandbox
                            .get("gpu")
                            .map(SpecialResource::getStatus)
                            .orElseThrow()
                            .getConditions())
                    .anyMatch(condition -> "PluginError".equals(condition.getReason()));
            assertThat(asking.annotation("node-0", RESETS.order())).isEmpty();
            assertThat(wrong.phases(STATE).get("node-0")).doesNotContain("cordoned");
        }
    }
}
