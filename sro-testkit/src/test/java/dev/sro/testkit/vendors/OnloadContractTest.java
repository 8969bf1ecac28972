package dev.sro.testkit.vendors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.resource.SpecialResource;
import dev.sro.testkit.contract.AcceleratorPluginContract;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OnloadContractTest extends AcceleratorPluginContract {

    @Override
    protected AcceleratorPlugin plugin() {
        return new OnloadPlugin();
    }

    @Override
    protected String specialResource() {
        return Vendors.resource("onload", "{pods: 50}");
    }

    @Override
    protected Map<String, NodeProfile> nodes() {
        return Map.of("a", NodeProfile.of(OsRelease.RHCOS_9).withPci("0200", "1924", "0b03"));
    }

    @Test
    void itsDevicePluginStaysAsLongAsPodsHaveTheDevice() {
        try (SroSandbox sandbox = SroSandbox.create(plugin())) {
            nodes().forEach(sandbox.nodes()::create);
            sandbox.run(Duration.ofMinutes(2));
            sandbox.apply(specialResource());
            assertThat(sandbox.runUntil(Duration.ofMinutes(30), () -> sandbox.isReady("onload")))
                    .as(() -> sandbox.state("onload"))
                    .isTrue();
            use(sandbox, "true");
            sandbox.client().resources(SpecialResource.class).withName("onload").delete();
            sandbox.run(Duration.ofMinutes(5));
            assertThat(sandbox.state("onload")).contains("device-plugin serves pods with amd.com/onload");

            use(sandbox, "false");
            assertThat(sandbox.runUntil(
                            Duration.ofMinutes(10), () -> sandbox.get("onload").isEmpty()))
                    .as(() -> sandbox.state("onload"))
                    .isTrue();
        }
    }

    private static void use(SroSandbox sandbox, String value) {
        sandbox.client().apps().daemonSets().inAnyNamespace().list().getItems().stream()
                .filter(one -> one.getMetadata().getName().contains("device-plugin"))
                .forEach(one -> sandbox.client().resource(one).edit(live -> {
                    live.getMetadata().getAnnotations().put(OnloadPlugin.IN_USE, value);
                    return live;
                }));
    }

    @Test
    void aNameThatNoSocketHasRoomForIsTheUsersProblem() {
        try (SroSandbox sandbox = SroSandbox.create(plugin())) {
            String name = "n".repeat(40);
            sandbox.apply(specialResource().replaceFirst("name: onload", "name: " + name));
            sandbox.settle();

            assertThat(sandbox.state(name))
                    .isEqualTo("Errored: metadata.name: at most 39 characters; choose a shorter one");
        }
    }
}
