package ${package};

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.driver.RegistryProbe.Finding;
import dev.sro.core.driver.RegistryProbe.Kind;
import dev.sro.core.driver.RegistryProbe.Query;
import dev.sro.core.engine.port.ImageLooks;
import dev.sro.core.feature.FeatureRules;
import dev.sro.core.image.RegistrySettings;
import dev.sro.core.yaml.Yaml;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import dev.sro.testkit.sim.SimRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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

    /** A node with the card, which offers the resource as the device plugin would. */
    static NodeProfile node(OsRelease os) {
        return NodeProfile.of(os)
                .withPci("1200", "${pci}", "0001")
                .withResource("${resource}", "4")
                .withRules(FeatureRules.of(Yaml.documents("rule", file("node-feature-rule.yaml"))));
    }

    private static SroSandbox sandbox() {
        SroSandbox sandbox = SroSandbox.create(new ${vendor}Plugin());
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

            assertThat(sandbox.runUntil(LIMIT, () -> sandbox.isReady("${plugin}"))).isTrue();
            assertThat(daemonSets(sandbox, "${plugin}-driver")).isEqualTo(2);
            assertThat(daemonSets(sandbox, "${plugin}-device-plugin")).isEqualTo(1);
        }
    }

    @Test
    void buildsTheDriverWhereThereIsNoImage() {
        try (SroSandbox sandbox = sandbox()) {
            SimRegistry registry = sandbox.simulation().registry();
            registry.onlyPushed("registry.example/${plugin}/driver*");
            sandbox.driverImages(looks(registry));
            sandbox.kill();
            sandbox.start();

            sandbox.apply(file("special-resource.yaml"));

            assertThat(sandbox.runUntil(LIMIT, () -> sandbox.isReady("${plugin}"))).isTrue();
            assertThat(registry.pushes())
                    .hasSize(2)
                    .allSatisfy(image -> assertThat(image).startsWith("registry.example/${plugin}/driver-built:"));
        }
    }

    /** SRO sees the images that were pushed. */
    private static ImageLooks looks(SimRegistry registry) {
        return new ImageLooks() {
            @Override
            public Finding look(Query query, RegistrySettings settings) {
                return registry.exists(query.image())
                        ? new Finding(Kind.FOUND, "", "")
                        : Finding.of(Kind.MISSING, "nobody pushed it");
            }

            @Override
            public RegistrySettings settings(String namespace, List<String> pullSecrets) {
                return RegistrySettings.NONE;
            }
        };
    }

    @Test
    void saysWhatIsWrongWithTheSetting() {
        try (SroSandbox sandbox = sandbox()) {
            sandbox.apply(file("special-resource.yaml").replace("registry: registry.example", "registry: ///"));
            sandbox.settle();

            assertThat(sandbox.get("${plugin}").orElseThrow().getStatus().getState())
                    .startsWith("Errored: spec.plugin.config.registry:");
        }
    }
}
