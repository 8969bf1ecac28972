package dev.sro.testkit.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class NodeFeaturesTest {
    @Test
    void labelsAMachineAsNodeFeatureDiscoveryDoes() {
        assertThat(NodeFeatures.of("6.12.117+deb13-cloud-amd64", """
                        PRETTY_NAME="Debian GNU/Linux 13 (trixie)"
                        NAME="Debian GNU/Linux"
                        VERSION_ID="13"
                        ID=debian
                        """))
                .isEqualTo(Map.of(
                        "feature.node.kubernetes.io/kernel-version.full", "6.12.117_deb13-cloud-amd64",
                        "feature.node.kubernetes.io/kernel-version.major", "6",
                        "feature.node.kubernetes.io/kernel-version.minor", "12",
                        "feature.node.kubernetes.io/kernel-version.revision", "117",
                        "feature.node.kubernetes.io/system-os_release.ID", "debian",
                        "feature.node.kubernetes.io/system-os_release.VERSION_ID", "13",
                        "feature.node.kubernetes.io/system-os_release.VERSION_ID.major", "13"));
    }
}
