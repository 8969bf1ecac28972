package dev.sro.core.facts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.PciDevice;
import dev.sro.core.fixture.Nodes;
import dev.sro.core.pool.ServedNodes;
import dev.sro.core.yaml.Yaml;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeFeaturesTest {

    private static final String NFD = "feature.node.kubernetes.io/";

    private static final String OBJECT = """
        apiVersion: nfd.k8s-sigs.io/v1alpha1
        kind: NodeFeature
        metadata:
          name: gpu-node
          namespace: nfd
          labels: {nfd.node.kubernetes.io/node-name: gpu-node}
        spec:
          features:
            flags: {kernel.loadedmodule: {elements: {nvme: {}}}}
            attributes:
              kernel.version: {elements: {full: 6.1.0+, major: "6", minor: "1", revision: "0"}}
              system.osrelease: {elements: {ID: rhcos, VERSION_ID: "4.16", OSTREE_VERSION: "416.94.1", RHEL_VERSION: "9.4"}}
            instances:
              pci.device:
                elements:
                - attributes: {class: "0302", vendor: 10de, device: "2330", sriov_totalvfs: "16"}
                - attributes: {class: "0200", vendor: 15b3, device: "101b", sriov_totalvfs: "0"}
                - attributes: {class: "0604", vendor: "nonsense"}
          labels:
            custom-rdma.capable: "true"
            example.com/other: "true"
            feature.node.kubernetes.io/cpu-cpuid.AVX512F: "true"
        """;

    private static NodeFeatures features() {
        return NodeFeatures.of(Yaml.documents("object", OBJECT).get(0)).orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "pci-10de.present",
                "pci-0302_10de.present",
                "pci-0302_10de_2330.present",
                "pci-10de.sriov.capable",
                "pci-0302_10de_2330.sriov.capable",
                "pci-15b3.present",
                "pci-0200_15b3_101b.present",
                "custom-rdma.capable",
                "cpu-cpuid.AVX512F",
                "kernel-loadedmodule.nvme",
            })
    void rawFeaturesComeInEveryFormThatLabelsMayHave(String key) {
        assertThat(features().features()).containsEntry(NFD + key, "true");
        assertThat(ServedNodes.matches(
                        Nodes.with(
                                        Nodes.node("a", Nodes.K1),
                                        facts -> facts.features(features().features()))
                                .facts(),
                        Map.of(NFD + key, "true")))
                .isTrue();
    }

    @Test
    void kernelAndSystemComeAsTheyAre() {
        assertThat(features().node()).isEqualTo("gpu-node");
        assertThat(features().features())
                .containsEntry(NFD + "kernel-version.full", "6.1.0+")
                .containsEntry(NFD + "system-os_release.RHEL_VERSION", "9.4")
                .containsEntry(NFD + "system-os_release.OSTREE_VERSION", "416.94.1");
    }

    @Test
    void whatIsNoFeatureAndWhatSplitsNothingIsLeftOut() {
        assertThat(features().features().keySet())
                .allMatch(key -> key.startsWith(NFD))
                .noneMatch(key -> key.contains("nonsense") || key.contains("0604"))
                .doesNotContain(NFD + "pci-15b3.sriov.capable");
    }

    @Test
    void anObjectThatNamesNoNodeIsAboutNone() {
        assertThat(NodeFeatures.of(Map.of("metadata", Map.of("name", "gpu-node"))))
                .isEmpty();
    }

    @Test
    void pluginsSeeTheDevicesAndLabelsComeFirst() {
        var node = Nodes.with(
                        Nodes.node("a", Nodes.K1),
                        facts -> facts.features(features().features()))
                .facts();
        assertThat(node.pciDevices()).contains(new PciDevice("0302", "10de", "2330"), new PciDevice("", "15b3", ""));
        var denied = Nodes.label(
                Nodes.with(
                        Nodes.node("a", Nodes.K1),
                        facts -> facts.features(features().features())),
                NFD + "pci-10de.present",
                "false");
        assertThat(ServedNodes.matches(denied.facts(), Map.of(NFD + "pci-10de.present", "true")))
                .isFalse();
        assertThat(ServedNodes.matches(node, Map.of("example.com/other", "true")))
                .isFalse();
        assertThat(List.of(node.labels().keySet())).noneMatch(keys -> keys.contains(NFD + "pci-10de.present"));
    }
}
