package dev.sro.testkit.upgrade;

import static dev.sro.testkit.upgrade.UpgradeWorld.LONG;
import static dev.sro.testkit.upgrade.UpgradeWorld.STATE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.SpecialResource;
import dev.sro.testkit.sim.Behavior;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Roll-outs: waves, halts, rollbacks, and what concerns more than one node or special resource. */
final class RolloutScenarioTest {

    private static final String CANARY = "{autoUpgrade: true, maxUnavailable: 100%%, deadlines: {restartSeconds: 120},"
            + " waves: [{name: canary, nodeSelector: {canary: \"true\"}, haltOnFailures: 1}]%s}";

    private final UpgradeWorld world = new UpgradeWorld();

    @AfterEach
    void close() {
        world.close();
    }

    private void broken(String version) {
        world.sandbox.simulation().behaviors().add(Behavior.crashLoop().image("*driver:" + version));
    }

    private List<String> conditions() {
        return world.sandbox.get("gpu").map(SpecialResource::getStatus).orElseThrow().getConditions().stream()
                .filter(condition -> "True".equals(condition.getStatus()))
                .map(Condition::getType)
                .toList();
    }

    private Set<String> types(String reason) {
        return world.sandbox.client().events().v1().events().inAnyNamespace().list().getItems().stream()
                .filter(event -> event.getReason().equals(reason))
                .map(Event::getType)
                .collect(Collectors.toSet());
    }

    private Node node(String name) {
        return world.sandbox.client().nodes().withName(name).get();
    }

    @Test
    void aCanaryThatFailsHaltsTheRollout() {
        String policy = CANARY.formatted("");
        world.ready(policy, 3);
        world.sandbox.nodes().label("node-2", "canary", "true");
        broken("2");

        world.resource("gpu", "2", policy);
        world.sandbox.run(Duration.ofHours(1));

        assertThat(world.status("gpu").getState()).as(() -> world.story("gpu")).isEqualTo("Halted");
        assertThat(conditions()).contains("UpgradeHalted");
        assertThat(world.versions("gpu")).isEqualTo(Map.of("node-0", "1", "node-1", "1", "node-2", "2"));

        // Mended, and told to go on.
        world.sandbox.simulation().behaviors().clear();
        world.resource("gpu", "2", CANARY.formatted(", resume: mended"));
        world.until("gpu", "2");
        assertThat(conditions()).doesNotContain("UpgradeHalted");
        assertThat(types("WaveDone")).as("how far it is").containsOnly("Normal");
        assertThat(types("DriverTimedOut")).as("what went wrong").containsOnly("Warning");
    }

    @Test
    void rollsBackByItselfAndLeavesNodesAloneThatHaveTheGoodDriver() {
        String policy = CANARY.formatted(", rollback: {automatic: true}");
        world.ready(policy, 3);
        world.sandbox.nodes().label("node-2", "canary", "true");
        String good = world.status("gpu").getTarget();
        broken("2");

        world.resource("gpu", "2", policy);
        boolean back = world.sandbox.runUntil(
                LONG,
                () -> good != null
                        && good.equals(world.status("gpu").getTarget())
                        && world.done("gpu")
                        && world.versions("gpu").values().stream().allMatch("1"::equals)
                        && !good.equals(world.status("gpu").getWanted()));

        assertThat(back).as(() -> world.story("gpu")).isTrue();
        assertThat(world.phases(STATE).values()).containsOnly("upgrade-done");
        // One pod with the new driver, and one with the good one again.
        assertThat(world.sandbox
                        .cluster()
                        .recording()
                        .entries(entry -> entry.userAgent().equals("sro")
                                && entry.verb().equals("delete")
                                && entry.resource().equals("pods")))
                .allMatch(entry -> entry.name().startsWith("gpu-driver"))
                .hasSize(2);
        // Who deletes the journal does not bring the bad one back.
        world.sandbox
                .client()
                .configMaps()
                .inNamespace("gpu")
                .withName("gpu-driver-upgrade")
                .delete();
        world.sandbox.run(Duration.ofMinutes(30));
        assertThat(world.versions("gpu").values()).containsOnly("1");
        assertThat(world.status("gpu").getLastGood()).isEqualTo(good);
        assertThat(world.done("gpu")).as(() -> world.story("gpu")).isTrue();
        // A third one is wanted: it goes forward again.
        world.resource("gpu", "3", policy);
        world.until("gpu", "3");
    }

    @Test
    void rollsBackByCommand() {
        String policy = "{autoUpgrade: true, maxParallelUpgrades: 0, maxUnavailable: 100%%%s}";
        world.ready(policy.formatted(""), 2);
        world.resource("gpu", "2", policy.formatted(""));
        world.until("gpu", "2");
        world.sandbox.run(Duration.ofMinutes(1));
        world.resource("gpu", "3", policy.formatted(", paused: true"));
        world.sandbox.run(Duration.ofMinutes(1));
        String third = world.status("gpu").getWanted();

        world.resource("gpu", "3", policy.formatted(", rollback: {of: " + third + "}"));
        world.sandbox.run(Duration.ofMinutes(10));

        assertThat(world.versions("gpu").values()).containsOnly("2");
        assertThat(world.done("gpu")).as(() -> world.story("gpu")).isTrue();
        world.resource("gpu", "3", policy.formatted(""));
        world.until("gpu", "3");
    }

    @Test
    void aPausedRolloutBeginsNoNode() {
        String policy = "{autoUpgrade: true, paused: true}";
        world.ready(policy, 2);
        world.resource("gpu", "2", policy);
        world.sandbox.run(Duration.ofHours(1));

        assertThat(world.versions("gpu").values()).containsOnly("1");
        assertThat(world.status("gpu").getState()).isEqualTo("Held");
        world.resource("gpu", "2", "{autoUpgrade: true}");
        world.until("gpu", "2");
    }

    @Test
    void aSkippedNodeKeepsItsDriver() {
        String policy = "{autoUpgrade: true, maxUnavailable: 100%}";
        world.ready(policy, 2);
        world.sandbox.nodes().label("node-0", "sro.dev/gpu.driver-upgrade.skip", "true");

        world.resource("gpu", "2", policy);
        world.sandbox.run(Duration.ofHours(1));

        assertThat(world.versions("gpu")).isEqualTo(Map.of("node-0", "1", "node-1", "2"));
    }

    @Test
    void usesTheLabelsOfAnotherOperator() {
        String policy = "{autoUpgrade: true, stateLabel: nvidia.com/gpu-driver-upgrade-state}";
        world.ready(policy, 1);
        world.resource("gpu", "2", policy);
        world.until("gpu", "2");

        assertThat(node("node-0").getMetadata().getLabels())
                .containsEntry("nvidia.com/gpu-driver-upgrade-state", "upgrade-done")
                .doesNotContainKey(STATE);
    }

    @Test
    void aDriverThatAsksForPermissionLoadsOnACordonedNodeOnly() {
        String key = "example.com/net-driver-wait-for-safe-load";
        world.sandbox.nodes().createMany("node-", 1, UpgradeWorld.PROFILE);
        world.resource("net", "1", "{autoUpgrade: true}");
        world.until("net", "1");

        world.sandbox
                .client()
                .nodes()
                .withName("node-0")
                .edit(node -> node.edit()
                        .editMetadata()
                        .addToAnnotations(key, "net-driver")
                        .endMetadata()
                        .build());
        boolean[] cordoned = new boolean[1];
        boolean allowed = world.sandbox.runUntil(LONG, () -> {
            cordoned[0] |= Boolean.TRUE.equals(node("node-0").getSpec().getUnschedulable());
            return !node("node-0").getMetadata().getAnnotations().containsKey(key);
        });

        assertThat(allowed).as(() -> world.story("net")).isTrue();
        world.until("net", "1");
        assertThat(node("node-0").getSpec().getUnschedulable()).isNotEqualTo(true);
    }

    @Test
    void twoSpecialResourcesWorkOnANodeOneAfterTheOther() {
        String policy = "{autoUpgrade: true, maxUnavailable: 100%%, maxParallelUpgrades: 0%s}";
        world.ready(policy.formatted(", after: [net]"), 3);
        world.resource("net", "1", policy.formatted(""));
        world.until("net", "1");

        world.resource("net", "2", policy.formatted(""));
        world.resource("gpu", "2", policy.formatted(", after: [net]"));
        boolean[] together = new boolean[1];
        boolean[] before = new boolean[1];
        boolean ended = world.sandbox.runUntil(LONG, () -> {
            Map<String, String> net = world.phases("sro.dev/net.driver-upgrade-state");
            Map<String, String> gpu = world.phases(STATE);
            for (String node : net.keySet()) {
                boolean netWorks = net.getOrDefault(node, "").matches("(pod|validation|uncordon|cordon|drain).*");
                boolean gpuWorks = gpu.getOrDefault(node, "").matches("(pod|validation|uncordon|cordon|drain).*");
                together[0] |= netWorks && gpuWorks;
                before[0] |= "2".equals(world.versions("gpu").get(node))
                        && "1".equals(world.versions("net").get(node));
            }
            return world.done("gpu")
                    && world.done("net")
                    && world.versions("gpu").values().stream().allMatch("2"::equals)
                    && world.versions("net").values().stream().allMatch("2"::equals);
        });

        assertThat(ended).as(() -> world.story("gpu") + world.story("net")).isTrue();
        assertThat(together[0]).isFalse();
        assertThat(before[0]).isFalse();
    }

    @Test
    void aRebootIsAskedForByAnAnnotationAndTheNodeGoesOnAfterIt() {
        String policy = "{autoUpgrade: true, reboot: {annotation: example.com/reboot-me}}";
        world.bystander();
        world.ready(policy, 1);
        world.resource("gpu", "boot-2", policy);
        boolean asked = world.sandbox.runUntil(
                LONG, () -> node("node-0").getMetadata().getAnnotations().containsKey("example.com/reboot-me"));
        assertThat(asked).as(() -> world.story("gpu")).isTrue();
        assertThat(world.phases(STATE)).containsEntry("node-0", "reboot-required cordoned");

        world.sandbox.nodes().reboot("node-0");
        world.until("gpu", "boot-2");

        assertThat(node("node-0").getMetadata().getAnnotations()).doesNotContainKey("example.com/reboot-me");
        assertThat(world.phases(STATE)).containsEntry("node-0", "upgrade-done");
    }

    @Test
    void anotherOperatorDoesCordonAndDrainWhereItIsAsked() {
        world.sandbox.serve("maintenance.example.com", "v1alpha1", "NodeMaintenance", "nodemaintenances", true);
        String policy = "{autoUpgrade: true, maintenance: {kind: maintenance.example.com/v1alpha1/NodeMaintenance}}";
        world.ready(policy, 1);

        world.resource("gpu", "2", policy);
        world.sandbox.run(Duration.ofMinutes(5));
        var kind = world.sandbox
                .client()
                .genericKubernetesResources("maintenance.example.com/v1alpha1", "NodeMaintenance")
                .inNamespace("gpu");
        assertThat(kind.list().getItems()).as(() -> world.story("gpu")).hasSize(1);
        assertThat(world.versions("gpu")).containsEntry("node-0", "1");
        assertThat(world.phases(STATE)).containsEntry("node-0", "node-maintenance-required");

        var asked = kind.list().getItems().get(0);
        asked.setAdditionalProperty(
                "status", Map.of("conditions", List.of(Map.of("type", "Ready", "status", "True", "reason", "Ready"))));
        kind.resource(asked).updateStatus();
        world.until("gpu", "2");
        world.sandbox.run(Duration.ofMinutes(1));
        assertThat(kind.list().getItems()).isEmpty();
    }

    @Test
    void whatAnUpgradeHoldsGoesWithItsPolicyAndWithTheSpecialResource() {
        String policy = "{autoUpgrade: true, deadlines: {restartSeconds: 3600}}";
        world.bystander();
        world.ready(policy, 1);
        world.sandbox.simulation().behaviors().add(Behavior.neverReady().image("*driver:2"));
        world.resource("gpu", "2", policy);
        world.sandbox.run(Duration.ofMinutes(5));
        assertThat(world.phases(STATE)).containsEntry("node-0", "pod-restart-required cordoned");

        world.sandbox.client().resource(world.sandbox.get("gpu").orElseThrow()).delete();
        boolean gone =
                world.sandbox.runUntil(LONG, () -> world.sandbox.get("gpu").isEmpty());

        assertThat(gone).isTrue();
        assertThat(world.phases(STATE)).containsEntry("node-0", "");
        assertThat(node("node-0").getMetadata().getAnnotations().keySet()).noneMatch(key -> key.startsWith("sro.dev/"));
        assertThat(world.sandbox.client().configMaps().inNamespace("gpu").list().getItems())
                .extracting(ConfigMap::getMetadata)
                .noneMatch(metadata -> metadata.getName().startsWith("gpu-driver-"));
    }

    @Test
    void letsGoOfNodesWhenItsPolicyIsTakenAway() {
        world.bystander();
        world.ready("{autoUpgrade: true, deadlines: {restartSeconds: 3600}}", 1);
        world.sandbox.simulation().behaviors().add(Behavior.neverReady().image("*driver:2"));
        world.resource("gpu", "2", "{autoUpgrade: true, deadlines: {restartSeconds: 3600}}");
        world.sandbox.run(Duration.ofMinutes(5));
        assertThat(world.phases(STATE)).containsEntry("node-0", "pod-restart-required cordoned");

        world.sandbox.client().resources(SpecialResource.class).withName("gpu").edit(resource -> {
            Objects.requireNonNull(resource.getSpec()).setUpgradePolicy(null);
            return resource;
        });
        world.sandbox.run(Duration.ofMinutes(5));

        assertThat(world.phases(STATE)).containsEntry("node-0", "");
        assertThat(world.sandbox
                        .client()
                        .apps()
                        .daemonSets()
                        .inNamespace("gpu")
                        .list()
                        .getItems())
                .noneMatch(daemonSet -> "OnDelete"
                        .equals(daemonSet.getSpec().getUpdateStrategy().getType()));
    }

    @Test
    void aPolicyWithoutMeaningIsRefusedWithTheField() {
        world.sandbox.nodes().createMany("node-", 1, UpgradeWorld.PROFILE);
        world.resource(
                "gpu",
                "1",
                "{autoUpgrade: true, maintenanceWindows: [{start: \"22:00\", durationMinutes: 60, timeZone: Mars}]}");
        world.sandbox.run(Duration.ofMinutes(1));

        assertThat(world.sandbox.state("gpu")).contains("spec.upgradePolicy.maintenanceWindows[0].", "Mars");
    }
}
