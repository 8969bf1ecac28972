package dev.sro.core.upgrade.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.DriverUpgradePolicy;
import java.util.List;
import org.junit.jupiter.api.Test;

class UpgradeKeysTest {

    @Test
    void areThoseOfNvidiasOperatorWhereItsLabelIsNamed() {
        DriverUpgradePolicy policy = new DriverUpgradePolicy();
        policy.setStateLabel("nvidia.com/gpu-driver-upgrade-state");
        UpgradeKeys keys = UpgradeKeys.of("any", policy);

        assertThat(keys.state()).isEqualTo("nvidia.com/gpu-driver-upgrade-state");
        assertThat(keys.skip()).isEqualTo("nvidia.com/gpu-driver-upgrade.skip");
        assertThat(keys.requested()).isEqualTo("nvidia.com/gpu-driver-upgrade-requested");
        assertThat(keys.keepPod()).isEqualTo("nvidia.com/gpu-driver-upgrade-drain.skip");
        assertThat(keys.safeLoad()).isEqualTo("nvidia.com/gpu-driver-upgrade.driver-wait-for-safe-load");
        assertThat(keys.initiallyUnschedulable())
                .isEqualTo("nvidia.com/gpu-driver-upgrade.node-initial-state.unschedulable");
    }

    @Test
    void areNeverTooLongAndNeverTheSame() {
        UpgradeKeys one = UpgradeKeys.of("a".repeat(200) + "1", new DriverUpgradePolicy());
        UpgradeKeys two = UpgradeKeys.of("a".repeat(200) + "2", new DriverUpgradePolicy());

        List<String> all = List.of(
                one.state(),
                one.skip(),
                one.requested(),
                one.note(),
                one.reboot(),
                one.initiallyUnschedulable(),
                two.state(),
                two.initiallyUnschedulable());
        assertThat(all)
                .doesNotHaveDuplicates()
                .allMatch(key -> key.substring(key.indexOf('/') + 1).length() <= 63);
    }
}
