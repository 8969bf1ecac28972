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
import java.util.Set;
import org.junit.jupiter.api.Test;

class AmdContractTest extends AcceleratorPluginContract {

    private static final NodeProfile NODE = NodeProfile.of(OsRelease.UBUNTU_22).withPci("0380", "1002", "74a1");

    @Override
    protected AcceleratorPlugin plugin() {
        return new AmdPlugin();
    }

    @Override
    protected String specialResource() {
        return Vendors.resource("amd", "{version: \"6.4\"}");
    }

    @Override
    protected Map<String, NodeProfile> nodes() {
        return Map.of("a", NODE, "b", NODE.withOs(OsRelease.RHEL_9));
    }

    /** Its definition is 400 KB and has tests of its own. */
    @Override
    protected Set<String> unchecked() {
        return Set.of("kmm.sigs.x-k8s.io/v1beta1/Module");
    }

    @Override
    protected void prepare(SroSandbox sandbox) {
        sandbox.serve("kmm.sigs.x-k8s.io", "v1beta1", "Module", "modules", true);
    }

    /** What Kernel Module Management would report. */
    @Override
    protected void simulate(SroSandbox sandbox) {
        var modules = sandbox.client().genericKubernetesResources("kmm.sigs.x-k8s.io/v1beta1", "Module");
        for (GenericKubernetesResource module : modules.inAnyNamespace().list().getItems()) {
            if (module.get("status") == null) {
                module.setAdditionalProperty(
                        "status", Map.of("moduleLoader", Map.of("desiredNumber", 1, "availableNumber", 1)));
                modules.inNamespace(module.getMetadata().getNamespace())
                        .resource(module)
                        .updateStatus();
            }
        }
    }

    @Test
    void waitsForTheCustomResourceThatItNeedsAndGoesOnWhenItIsThere() {
        try (SroSandbox sandbox = SroSandbox.create(plugin())) {
            nodes().forEach(sandbox.nodes()::create);
            sandbox.run(Duration.ofMinutes(1));
            sandbox.apply(specialResource());
            sandbox.run(Duration.ofMinutes(1));
            assertThat(sandbox.state("amd"))
                    .startsWith("Errored: ")
                    .contains("modules.kmm.sigs.x-k8s.io", "install what provides it");

            prepare(sandbox);
            sandbox.run(Duration.ofSeconds(40));

            assertThat(sandbox.state("amd"))
                    .startsWith("Progressing: 1000-module")
                    .contains("0 of 0 nodes have it");
        }
    }
}
