package dev.sro.core.upgrade.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.DriverUpgradePolicy;
import dev.sro.core.upgrade.policy.RolloutPolicy;
import dev.sro.core.upgrade.policy.UpgradeRules;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who has to go before a driver is replaced, as the machine is told it. */
class EvictionRulesTest {

    private static final KubernetesSerialization YAML = new KubernetesSerialization();

    @ParameterizedTest
    @CsvSource({"Nobody, false, false", "DeviceUsers, true, false", "Everybody, false, true"})
    void thePolicyForADriverHasThoseOfTheSpecialResource(String who, boolean users, boolean everybody) {
        DriverUpgradePolicy spec = YAML.unmarshal("---\n{evict: {who: " + who + "}}", DriverUpgradePolicy.class);

        RolloutPolicy policy = UpgradeRules.read(spec, Optional.empty()).policy("driver");

        assertThat(policy.podDeletion().isPresent()).isEqualTo(users);
        assertThat(policy.drain().isPresent()).isEqualTo(everybody);
    }

    /** Without a plugin it takes words of the special resource to know who uses a device. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "drain: {enable: true} | false",
                "drain: {enable: true}, evict: {resources: [acme.com/]} | true",
                "drain: {enable: true}, evict: {resourceClaims: true} | true",
                "drain: {enable: true}, evict: {draDrivers: [acme.com]} | true",
                "drain: {enable: true}, evict: {who: DeviceUsers} | true",
                "drain: {enable: false} | true"
            })
    void whereNobodyIsKnownToUseTheDeviceADrainClearsTheNode(String written, boolean users) {
        DriverUpgradePolicy spec = YAML.unmarshal("---\n{" + written + "}", DriverUpgradePolicy.class);

        RolloutPolicy policy = UpgradeRules.read(spec, Optional.empty()).policy("driver");

        assertThat(policy.podDeletion().isPresent()).isEqualTo(users);
        assertThat(policy.drain().isPresent()).isEqualTo(written.startsWith("drain: {enable: true"));
    }
}
