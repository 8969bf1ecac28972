package dev.sro.testkit.vendors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.testkit.contract.AcceleratorPluginContract;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class IntelContractTest extends AcceleratorPluginContract {

    @Override
    protected AcceleratorPlugin plugin() {
        return new IntelPlugin();
    }

    @Override
    protected String specialResource() {
        return Vendors.resource("intel", "{}");
    }

    @Override
    protected Map<String, NodeProfile> nodes() {
        return Map.of("a", NodeProfile.of(OsRelease.RHCOS_9).withPci("0380", "8086", "56c0"));
    }

    @Override
    protected boolean openShift() {
        return true;
    }

    @Override
    protected void prepare(SroSandbox sandbox) {
        sandbox.serve("nfd.k8s-sigs.io", "v1alpha1", "NodeFeatureRule", "nodefeaturerules", false);
    }

    @Test
    void theRuleThatOthersMayNeedStaysWhenTheSpecialResourceGoes() {
        try (SroSandbox sandbox = SroSandbox.createOpenShift(plugin())) {
            nodes().forEach(sandbox.nodes()::create);
            prepare(sandbox);
            sandbox.run(Duration.ofMinutes(2));
            sandbox.apply(specialResource());
            assertThat(sandbox.runUntil(Duration.ofMinutes(30), () -> sandbox.isReady("intel")))
                    .isTrue();

            sandbox.client().resource(sandbox.get("intel").orElseThrow()).delete();
            assertThat(sandbox.runUntil(
                            Duration.ofMinutes(30), () -> sandbox.get("intel").isEmpty()))
                    .isTrue();
            sandbox.run(Duration.ofMinutes(5));

            assertThat(sandbox.client()
                            .genericKubernetesResources("nfd.k8s-sigs.io/v1alpha1", "NodeFeatureRule")
                            .list()
                            .getItems())
                    .extracting((GenericKubernetesResource rule) ->
                            rule.getMetadata().getName())
                    .containsExactly("intel-sgx");
            assertThat(sandbox.client().namespaces().withName("intel-operator").get())
                    .isNull();
        }
    }
}
