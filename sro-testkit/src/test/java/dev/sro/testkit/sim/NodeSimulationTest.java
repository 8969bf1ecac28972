package dev.sro.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.server.Gvr;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeSimulationTest {
    private static final String NFD = "feature.node.kubernetes.io/";

    @ParameterizedTest
    @CsvSource({
        "4.18.0-305.19.1.el8_4.x86_64, 4.18.0-305.19.1.el8_4.x86_64",
        "5.15.0-91-generic, 5.15.0-91-generic",
        "6.1.0+, 6.1.0",
        "1.2.3+4, 1.2.3_4",
        "'6.5.0 #1 SMP', 6.5.0__1_SMP",
        "_-5.4.0-, 5.4.0"
    })
    void writesTheKernelAsALabelValue(String raw, String label) {
        assertThat(NfdLabels.normalise(raw)).isEqualTo(label);
    }

    @Test
    void labelsARedHatCoreOsMachineAsNfdDoes() {
        NodeProfile profile = NodeProfile.of(OsRelease.RHCOS_8)
                .withPci("0302", "10de", "2330")
                .withDevice(new PciDevice("0200", "1924", "0b03", true));

        assertThat(NfdLabels.derive(profile))
                .containsEntry(NFD + "kernel-version.full", "4.18.0-305.19.1.el8_4.x86_64")
                .containsEntry(NFD + "kernel-version.major", "4")
                .containsEntry(NFD + "kernel-version.minor", "18")
                .containsEntry(NFD + "kernel-version.revision", "0")
                .containsEntry(NFD + "system-os_release.ID", "rhcos")
                .containsEntry(NFD + "system-os_release.VERSION_ID", "4.10")
                .containsEntry(NFD + "system-os_release.VERSION_ID.major", "4")
                .containsEntry(NFD + "system-os_release.VERSION_ID.minor", "10")
                .containsEntry(NFD + "system-os_release.RHEL_VERSION", "8.4")
                .containsEntry(NFD + "pci-0302_10de.present", "true")
                .containsEntry(NFD + "pci-0200_1924.present", "true")
                .containsEntry(NFD + "pci-0200_1924.sriov.capable", "true")
                .containsEntry(NFD + "cpu-cpuid.AVX", "true");
    }

    @ParameterizedTest
    @CsvSource({
        "vendor, pci-10de.present",
        "vendor device, pci-10de_2330.present",
        "class vendor device, pci-0302_10de_2330.present"
    })
    void spellsPciLabelsAsConfigured(String fields, String label) {
        NodeProfile profile = NodeProfile.of(OsRelease.UBUNTU_24)
                .withPci("0302", "10de", "2330")
                .withPciLabelFields(fields.split(" ", -1));

        assertThat(NfdLabels.derive(profile)).containsKey(NFD + label);
    }

    @Test
    void labelsComeAfterNfdsLagAndAreListedInItsAnnotation() {
        try (SimWorld world = new SimWorld(SimTimings.DEFAULTS.withNfdLag(Duration.ofSeconds(60)))) {
            world.sim.nodes().create("n", NodeProfile.of(OsRelease.SLES_15));
            world.advance("PT59S");
            assertThat(labels(world)).doesNotContainKey(NFD + "kernel-version.full");

            world.advance("PT2S");

            assertThat(labels(world)).containsEntry(NFD + "kernel-version.full", "5.14.21-150500.55.39-default");
            assertThat(JsonNodes.text(world.get(Gvr.NODES, "n"), "metadata", "annotations", NfdLabels.ANNOTATION))
                    .contains("kernel-version.full,kernel-version.major");
        }
    }

    @Test
    void aNodeOfAnotherClusterIsReadyHereWithItsOwnKernelLabelsAndTaints() {
        ObjectNode node = JsonNodes.object();
        ObjectNode metadata =
                node.putObject("metadata").put("name", "n").put("uid", "theirs").put("resourceVersion", "7");
        metadata.putObject("labels").put("acme.example/card", "true");
        JsonNodes.child(node, "spec")
                .putArray("taints")
                .addObject()
                .put("key", "acme.example/only")
                .put("effect", "NoSchedule");
        JsonNodes.child(node, "status", "allocatable").put("acme.example/card", "2");
        JsonNodes.child(node, "status", "nodeInfo").put("kernelVersion", "6.6.6-acme");
        JsonNodes.child(node, "status")
                .putArray("conditions")
                .addObject()
                .put("type", "Ready")
                .put("status", "False");
        try (SimWorld world = new SimWorld()) {
            world.sim.nodes().add(node);
            world.advance("PT5S");

            ObjectNode here = world.get(Gvr.NODES, "n");
            assertThat(ready(world)).isEqualTo("True");
            assertThat(labels(world)).containsEntry("acme.example/card", "true");
            assertThat(taints(world)).contains("acme.example/only").doesNotContain("not-ready");
            assertThat(JsonNodes.text(here, "metadata", "uid")).isNotEqualTo("theirs");
            assertThat(JsonNodes.text(here, "status", "nodeInfo", "kernelVersion"))
                    .isEqualTo("6.6.6-acme");
            assertThat(JsonNodes.at(here, "status", "allocatable")
                            .path("acme.example/card")
                            .asText())
                    .isEqualTo("2");
            assertThat(JsonNodes.at(here, "status", "allocatable").path("pods").asText())
                    .isEqualTo("250");
        }
    }

    @Test
    void aNodeWithoutNfdHasOnlyTheLabelsOfItsKubelet() {
        try (SimWorld world = new SimWorld()) {
            world.sim.nodes().create("n", NodeProfile.of(OsRelease.FLATCAR).withoutNfd());
            world.advance("PT5M");

            assertThat(labels(world).keySet()).noneMatch(k -> k.startsWith(NFD));
            assertThat(labels(world))
                    .containsEntry("kubernetes.io/hostname", "n")
                    .containsEntry("kubernetes.io/arch", "amd64")
                    .containsEntry("node-role.kubernetes.io/worker", "");
            assertThat(JsonNodes.text(world.get(Gvr.NODES, "n"), "status", "nodeInfo", "kernelVersion"))
                    .isEqualTo("6.1.77-flatcar");
        }
    }

    @Test
    void rebootsIntoAnotherKernelWithLabelsThatFollowLater() {
        try (SimWorld world = new SimWorld()) {
            world.node("n").advance("PT5S");
            String bootId = JsonNodes.text(world.get(Gvr.NODES, "n"), "status", "nodeInfo", "bootID");

            world.sim.nodes().reboot("n", "6.8.0-60-generic+");
            world.cluster.settle();
            assertThat(ready(world)).isEqualTo("False");
            assertThat(taints(world)).contains("node.kubernetes.io/not-ready");
            world.advance("PT31S");

            assertThat(ready(world)).isEqualTo("True");
            assertThat(taints(world)).isEqualTo("[]");
            ObjectNode node = world.get(Gvr.NODES, "n");
            assertThat(JsonNodes.text(node, "status", "nodeInfo", "bootID")).isNotEqualTo(bootId);
            assertThat(JsonNodes.text(node, "status", "nodeInfo", "kernelVersion"))
                    .isEqualTo("6.8.0-60-generic+");
            assertThat(labels(world)).containsEntry(NFD + "kernel-version.full", "5.15.0-91-generic");

            world.advance("PT2S");

            assertThat(labels(world)).containsEntry(NFD + "kernel-version.full", "6.8.0-60-generic");
        }
    }

    @Test
    void anUpgradeOfTheOperatingSystemReplacesItsLabels() {
        try (SimWorld world = new SimWorld()) {
            world.sim.nodes().create("n", NodeProfile.of(OsRelease.RHCOS_8)).label("n", NFD + "custom-mine", "1");
            world.advance("PT5S");

            world.sim.nodes().reboot("n", OsRelease.UBUNTU_24);
            world.advance("PT40S");

            assertThat(labels(world))
                    .containsEntry(NFD + "system-os_release.ID", "ubuntu")
                    .containsEntry(NFD + "custom-mine", "1")
                    .doesNotContainKey(NFD + "system-os_release.RHEL_VERSION");
        }
    }

    @Test
    void aCardThatIsTakenOutLosesItsLabel() {
        try (SimWorld world = new SimWorld()) {
            world.sim.nodes().create("n", NodeProfile.of(OsRelease.RHEL_8).withPci("0302", "10de", "2330"));
            world.advance("PT5S");
            assertThat(labels(world)).containsKey(NFD + "pci-0302_10de.present");

            world.sim.nodes().change("n", NodeProfile::withoutDevices);
            world.advance("PT5S");

            assertThat(labels(world)).doesNotContainKey(NFD + "pci-0302_10de.present");
        }
    }

    @Test
    void takesOnANodeThatSomebodyElseCreated() {
        try (SimWorld world = new SimWorld()) {
            world.api.create(
                    Gvr.NODES,
                    SimWorld.json("{'apiVersion':'v1','kind':'Node','metadata':{'name':'n'},'status':{"
                            + "'allocatable':{'cpu':'4','pods':'10'},'nodeInfo':{'kernelVersion':'5.4.0-mine'}}}"));
            world.cluster.settle();
            assertThat(ready(world)).isEmpty();
            world.advance("PT1S");

            assertThat(ready(world)).isEqualTo("True");
            assertThat(taints(world)).isEqualTo("[]");
            assertThat(JsonNodes.text(world.get(Gvr.NODES, "n"), "status", "nodeInfo", "kernelVersion"))
                    .isEqualTo("5.4.0-mine");
        }
    }

    @Test
    void aCordonBecomesATaintAndGoesWithIt() {
        try (SimWorld world = new SimWorld()) {
            world.node("n").advance("PT1S");
            world.sim.nodes().cordon("n");
            world.cluster.settle();
            assertThat(taints(world)).contains("node.kubernetes.io/unschedulable");

            world.sim.nodes().uncordon("n");
            world.cluster.settle();

            assertThat(taints(world)).isEqualTo("[]");
        }
    }

    @Test
    void podsOfANodeThatStopsAnsweringGetUnreadyAndThenLeaveUnlessTheyTolerateIt() {
        try (SimWorld world = new SimWorld()) {
            world.node("n").advance("PT1S");
            world.pod("plain", SimWorld.podSpec("i", ""));
            world.daemonSet("ds", "i", "");
            world.advance("PT2S");

            world.sim.nodes().notReady("n");
            world.advance("PT10S");
            assertThat(world.api.podsOnNode("n")).hasSize(2).noneMatch(Pods::ready);
            world.advance("PT6M");

            assertThat(JsonNodes.deleting(world.get(Gvr.PODS, "plain"))).isTrue();
            assertThat(world.api.podsOnNode("n"))
                    .filteredOn(p -> !JsonNodes.deleting(p))
                    .hasSize(1);

            world.sim.nodes().ready("n");
            world.advance("PT2S");

            assertThat(Pods.ready(world.podOn("n"))).isTrue();
        }
    }

    private static Map<String, String> labels(SimWorld world) {
        return JsonNodes.strings(world.get(Gvr.NODES, "n"), "metadata", "labels");
    }

    private static String ready(SimWorld world) {
        return JsonNodes.text(Conditions.find(world.get(Gvr.NODES, "n"), "Ready"), "status");
    }

    private static String taints(SimWorld world) {
        ObjectNode node = world.get(Gvr.NODES, "n");
        return JsonNodes.has(node, "spec", "taints")
                ? JsonNodes.at(node, "spec", "taints").toString()
                : "[]";
    }
}
