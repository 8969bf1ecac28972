package dev.sro.plugins.nvidia;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.sro.api.KernelVersion;
import dev.sro.api.operation.DeviceResets;
import dev.sro.api.operation.DriverSet;
import dev.sro.api.operation.PodUse;
import dev.sro.api.operation.UpgradeAction;
import io.fabric8.kubernetes.api.model.Toleration;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the plugin says of upgrades and scheduling. */
class NvidiaPluginTest {

    private final NvidiaPlugin plugin = new NvidiaPlugin();

    private static DriverSet driver(String version, String image) {
        return DriverSet.builder()
                .version(version)
                .image(image)
                .kernel(new KernelVersion("5.15.0-91-generic"))
                .build();
    }

    @ParameterizedTest
    @CsvSource({
        "nvidia.com/gpu, true",
        "nvidia.com/gpu.shared, true",
        "nvidia.com/mig-1g.5gb, true",
        "nvidia.com/hostdev, false",
        "amd.com/gpu, false",
        "memory, false"
    })
    void aPodUsesGpusByWhatItAsksFor(String resource, boolean uses) {
        assertThat(plugin.usesDevice(new PodUse("a", "b", Map.of(), Map.of(resource, "1"), Set.of())))
                .isEqualTo(uses);
    }

    @Test
    void aPodUsesGpusByItsClaims() {
        assertThat(plugin.usesDevice(new PodUse("a", "b", Map.of(), Map.of(), Set.of("gpu.nvidia.com"))))
                .isTrue();
        assertThat(plugin.usesDevice(new PodUse("a", "b", Map.of(), Map.of(), Set.of("slices.sro.dev"))))
                .as("a slice that the agent made")
                .isTrue();
        assertThat(plugin.usesDevice(new PodUse("a", "b", Map.of(), Map.of(), Set.of("nic.example"))))
                .isFalse();
    }

    @Test
    void aMirrorOfTheSameDriverIsARestart() {
        var node = Gpus.ubuntu(Map.of());
        DriverSet running = driver("550", "registry.example/driver:550-ubuntu22.04");

        assertThat(plugin.upgradeAction(running, running, node)).isEqualTo(UpgradeAction.NONE);
        assertThat(plugin.upgradeAction(running, driver("550", "mirror.example/driver:550-ubuntu22.04"), node))
                .isEqualTo(UpgradeAction.RESTART_ONLY);
        assertThat(plugin.upgradeAction(running, driver("560", "registry.example/driver:560-ubuntu22.04"), node))
                .isEqualTo(UpgradeAction.FULL);
    }

    @Test
    void aNodeIsPutBackToWorkWhenTheDriverIsProved() {
        assertThat(plugin.upgradeStrategy(Gpus.context(Gpus.kubernetes(), "{}")).validateBefore())
                .containsExactly("3000-driver-validation");
    }

    @Test
    void resetsOfGpusAreOrderedWhereTheSettingsSaySo() {
        String asked = "{slices: {enabled: true, resets: true}}";
        assertThat(plugin.upgradeStrategy(Gpus.context(Gpus.kubernetes(), "{slices: {enabled: true}}"))
                        .deviceResets())
                .isEmpty();
        assertThat(plugin.upgradeStrategy(Gpus.context(Gpus.kubernetes(), "{slices: {resets: true}}"))
                        .deviceResets())
                .isEmpty();
        assertThat(plugin.upgradeStrategy(Gpus.context(Gpus.kubernetes(), asked))
                        .deviceResets())
                .contains(
                        new DeviceResets(Labels.RESET_NEEDED, Labels.RESET, Labels.RESET_FAILED, "4500-slices-agent"));
        assertThat(plugin.states(Gpus.context(Gpus.kubernetes(), asked)).states())
                .filteredOn(state -> state.id().equals("4500-slices-agent"))
                .singleElement()
                .satisfies(state -> assertThat(state.reach().hasOwnBarrier())
                        .as("it stays while devices are reset")
                        .isTrue());
    }

    @Test
    void theExporterIsReadAsOftenAsTheSettingsSayOrNotAtAll() {
        assertThat(plugin.monitoring(
                        Gpus.context(Gpus.kubernetes(), "{dcgmExporter: {serviceMonitor: {interval: 1m30s}}}")))
                .satisfies(monitoring -> {
                    assertThat(monitoring.service()).contains("nvidia-dcgm-exporter");
                    assertThat(monitoring.interval()).isEqualTo(Duration.ofSeconds(90));
                });
        assertThat(plugin.monitoring(
                                Gpus.context(Gpus.kubernetes(), "{dcgmExporter: {serviceMonitor: {enabled: false}}}"))
                        .service())
                .isEmpty();
    }

    @Test
    void tolerationsOfTheSettingsComeBesideTheUsualOne() {
        assertThat(plugin.scheduling(Gpus.context(
                                Gpus.kubernetes(),
                                "{daemonsets: {tolerations: [{key: batch, operator: Equal, value: ml, effect:"
                                        + " NoExecute, tolerationSeconds: 60}]}}"))
                        .tolerations())
                .extracting(Toleration::getKey, Toleration::getEffect, Toleration::getTolerationSeconds)
                .containsExactly(tuple("nvidia.com/gpu", "NoSchedule", null), tuple("batch", "NoExecute", 60L));
    }
}
