package dev.sro.plugins.nvidia;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.sro.api.device.DeviceClassValue;
import dev.sro.api.device.Exposure;
import dev.sro.testkit.operator.SroSandbox;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** By which names pods ask for GPUs. */
class ExposuresTest {

    private static Exposure exposure(String config) {
        return new NvidiaPlugin().exposure(Gpus.context(Gpus.kubernetes(), config));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | nvidia.com/gpu",
                "{mig: {strategy: none}} | nvidia.com/gpu",
                "{mig: {strategy: mixed}} | nvidia.com/gpu nvidia.com/mig-*",
                "{devicePlugin: {env: [{name: MIG_STRATEGY, value: mixed}]}} | nvidia.com/gpu nvidia.com/mig-*",
                "{devicePlugin: {args: [--mig-strategy=mixed]}} | nvidia.com/gpu nvidia.com/mig-*",
                "{devicePlugin: {config: {name: shares}}} | nvidia.com/gpu nvidia.com/gpu.shared nvidia.com/mig-*",
                "{sandboxWorkloads: {enabled: true}} | nvidia.com/*",
                "{sandboxWorkloads: {enabled: true}, sandboxDevicePlugin: {enabled: false}} | nvidia.com/gpu",
                "{sandboxWorkloads: {enabled: true, mode: kata}, sandboxDevicePlugin: {enabled: false}} | nvidia.com/*"
            })
    void theDevicePluginOffersWhatTheSettingsMakeIt(String config, String names) {
        assertThat(exposure(config).mode()).isEqualTo(Exposure.Mode.DEVICE_PLUGIN);
        assertThat(exposure(config).resourceNames()).containsExactly(names.split(" ", -1));
    }

    @Test
    void withoutADevicePluginNobodyIsSaidToOfferAnything() {
        assertThat(exposure("{devicePlugin: {enabled: false}}").mode()).isEqualTo(Exposure.Mode.NONE);
    }

    @Test
    void claimsNameTheClassesThatAreInstalled() {
        Exposure exposure = exposure("{dra: {enabled: true}}");

        assertThat(exposure.draDriver()).contains("gpu.nvidia.com");
        List<GenericKubernetesResource> installed = Arrays.stream(
                        Resources.text("device-classes.yaml").split("---\n", -1))
                .map(yaml -> Serialization.unmarshal(yaml, GenericKubernetesResource.class))
                .toList();
        assertThat(exposure.deviceClasses())
                .extracting(DeviceClassValue::name, DeviceClassValue::selectors, DeviceClassValue::extendedResource)
                .containsExactlyElementsOf(installed.stream()
                        .map(found -> tuple(
                                found.getMetadata().getName(),
                                List.of(found.<Object>get("spec", "selectors", 0, "cel", "expression")),
                                Optional.ofNullable(found.<Object>get("spec", "extendedResourceName"))))
                        .toList());
    }

    @Test
    void aDefaultClassNeedsNoResourcesInTheSpecialResource() {
        try (SroSandbox sandbox = SroSandbox.create(new NvidiaPlugin())) {
            sandbox.nodes().create("one", Gpus.NODE);
            sandbox.apply(Gpus.resource("{mig: {strategy: mixed}}")
                    + "  partitioning: {soft: {priorityClasses: [{name: high, value: 9}], defaultClass: high}}\n");
            assertThat(sandbox.runUntil(Duration.ofMinutes(40), () -> sandbox.isReady(Gpus.NAME)))
                    .as(() -> sandbox.state(Gpus.NAME))
                    .isTrue();

            List<GenericKubernetesResource> policies = sandbox.client()
                    .genericKubernetesResources("admissionregistration.k8s.io/v1", "MutatingAdmissionPolicy")
                    .list()
                    .getItems();
            assertThat(policies.toString())
                    .contains("r in ['nvidia.com/gpu']", "r.startsWith('nvidia.com/mig-')")
                    .contains("'high'");
        }
    }
}
