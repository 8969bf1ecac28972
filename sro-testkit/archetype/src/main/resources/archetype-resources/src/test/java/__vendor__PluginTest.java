package ${package};

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** From nodes to Ready, on a cluster in this JVM and in its own time. */
class ${vendor}PluginTest {
    private static final Duration LIMIT = Duration.ofMinutes(30);

    static String file(String name) {
        try {
            return Files.readString(Path.of("deploy", name));
        } catch (IOException e) {
            throw new IllegalStateException(name + " cannot be read", e);
        }
    }

    /** A node with the card, on which Node Feature Discovery has the rule. */
    static NodeProfile node(OsRelease os) {
        return NodeProfile.of(os).withPci("1200", "${pci}", "0001").withRules(file("node-feature-rule.yaml"));
    }

    private static SroSandbox sandbox() {
        // No container runs here: offerDevices() has nodes offer the resource as soon as the device plugin's pod is ready.
        SroSandbox sandbox = SroSandbox.create(new ${vendor}Plugin()).offerDevices();
        sandbox.nodes().create("a", node(OsRelease.RHEL_9));
        sandbox.nodes().create("b", node(OsRelease.UBUNTU_22));
        sandbox.nodes().create("no-card", NodeProfile.of(OsRelease.RHEL_9));
        sandbox.run(Duration.ofMinutes(2)); // Node Feature Discovery labels nodes a while after they come
        return sandbox;
    }

    private static int daemonSets(SroSandbox sandbox, String prefix) {
        return (int) sandbox.client().apps().daemonSets().inNamespace("${plugin}").list().getItems().stream()
                .filter(set -> set.getMetadata().getName().startsWith(prefix))
                .count();
    }

    @Test
    void bringsADriverToEachKernelAndTheDeviceToPods() {
        try (SroSandbox sandbox = sandbox()) {
            sandbox.apply(file("special-resource.yaml"));

            sandbox.awaitReady("${plugin}", LIMIT);
            assertThat(daemonSets(sandbox, "${plugin}-driver")).isEqualTo(2);
            assertThat(daemonSets(sandbox, "${plugin}-device-plugin")).isEqualTo(1);
        }
    }

    @Test
    void buildsTheDriverWhereThereIsNoImage() {
        try (SroSandbox sandbox = sandbox()) {
            sandbox.registry().onlyPushed("registry.example/${plugin}/driver*");
            sandbox.apply(file("special-resource.yaml"));

            sandbox.awaitReady("${plugin}", LIMIT);
            assertThat(sandbox.registry().pushes())
                    .hasSize(2)
                    .allSatisfy(image -> assertThat(image).startsWith("registry.example/${plugin}/driver:1.0.0-"));
        }
    }

    @Test
    void saysWhatIsWrongWithTheSetting() {
        try (SroSandbox sandbox = sandbox()) {
            sandbox.apply(file("special-resource.yaml").replace("registry: registry.example", "registry: ///"));
            sandbox.settle();

            assertThat(sandbox.state("${plugin}")).startsWith("Errored: spec.plugin.config.registry:");
        }
    }
}
