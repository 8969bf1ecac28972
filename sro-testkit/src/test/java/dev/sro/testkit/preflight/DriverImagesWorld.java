package dev.sro.testkit.preflight;

import static dev.sro.testkit.preflight.FakeRegistry.OCI_MANIFEST;
import static dev.sro.testkit.preflight.FakeRegistry.gzip;
import static dev.sro.testkit.preflight.FakeRegistry.layer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.Pool;
import dev.sro.api.Reach;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.api.driver.ImageCandidate;
import dev.sro.api.driver.ImageCandidates;
import dev.sro.api.driver.ImageResolver;
import dev.sro.api.resource.PoolStatus;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.image.Images;
import dev.sro.core.outgoing.OutgoingGate;
import dev.sro.core.recipe.source.HttpClients;
import dev.sro.core.recipe.source.Registries;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.server.Recording;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A cluster with a node, an operator and a registry over HTTP, and what one asks of them. */
abstract class DriverImagesWorld {
    static final String OLD = "5.15.0-91-generic";
    static final String NEW = "5.15.0-94-generic";
    static final byte[] CONTENT = gzip(layer(Map.of("etc/passwd", "root")));

    static final String SETTINGS = """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: settings}
        """;

    static final String DRIVER = """
        apiVersion: apps/v1
        kind: DaemonSet
        metadata:
          name: driver
          annotations: {specialresource.openshift.io/kernel-affine: "true"}
        spec:
          selector: {matchLabels: {app: driver}}
          template:
            metadata: {labels: {app: driver}}
            spec:
              containers:
              - {name: driver, image: "${driverImage}"}
        """;

    /** As somebody else made it: it names an image of its own. */
    static final String UNMODIFIED = DRIVER.replace("${driverImage}", "example.com/other:1")
            .replace("kernel-affine: \"true\"", "kernel-affine: \"true\", sro.dev/use-driver-image: driver");

    /** Its second state is what spec.plugin.config.yaml has; its first one needs no image. */
    private static class TextPlugin implements AcceleratorPlugin {
        @Override
        public PluginDescriptor descriptor() {
            return PluginDescriptor.of("text", "1.0.0", "Test Vendor");
        }

        @Override
        public StateGraph states(RecipeContext context) {
            String yaml = String.valueOf(context.config().get("yaml"));
            return StateGraph.chain(
                    State.of("0000-settings", ManifestTemplate.text("settings.yaml", SETTINGS)),
                    State.builder()
                            .id("1000-driver")
                            .reach(Reach.nodeByNode())
                            .addManifests(ManifestTemplate.text("driver.yaml", yaml))
                            .build());
        }
    }

    /** Says itself which images there are: those of {@code spec.plugin.config.images}. */
    private static final class ImagesPlugin extends TextPlugin implements ImageResolver {
        @Override
        public PluginDescriptor descriptor() {
            return PluginDescriptor.of("images", "1.0.0", "Test Vendor");
        }

        @Override
        public ImageCandidates images(RecipeContext context, Pool pool) {
            ImageCandidates.Builder candidates = ImageCandidates.builder();
            for (Object image :
                    (List<?>) Objects.requireNonNull(context.config().get("images"))) {
                candidates.addCandidates(ImageCandidate.of(
                        ImageCandidate.Kind.PREBUILT,
                        String.valueOf(image).replace("KERNEL", pool.kernel().normalized())));
            }
            return candidates.build();
        }
    }

    @TempDir
    Path folder;

    final SroSandbox sandbox = SroSandbox.create(new TextPlugin(), new ImagesPlugin());
    FakeRegistry registry;

    @BeforeEach
    void start() throws IOException {
        registry = new FakeRegistry();
        sandbox.kill();
        sandbox.preflights(
                new Images(new Registries(new HttpClients(OutgoingGate.open()), Duration.ofSeconds(10))),
                folder.resolve("registries.conf"));
        node("one", OLD);
        sandbox.run(Duration.ofMinutes(1));
        sandbox.start();
    }

    @AfterEach
    void stop() {
        sandbox.close();
        registry.close();
    }

    void node(String name, String kernel) {
        sandbox.nodes().create(name, NodeProfile.of(OsRelease.UBUNTU_22).withKernel(kernel));
    }

    void apply(String driver, String yaml) {
        apply("text", "driver: {" + driver + "}", "yaml: |\n" + yaml.indent(6));
    }

    void apply(String plugin, String more, String config) {
        sandbox.apply("""
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: acme}
            spec:
              namespace: acme
              %s
              plugin:
                name: %s
                config:
            %s
            """.formatted(more, plugin, config.indent(6)));
        sandbox.settle();
    }

    void image(String tag) {
        registry.push("acme/driver", tag, OCI_MANIFEST, CONTENT);
    }

    String named(String tag) {
        return registry.host() + "/acme/driver:" + tag;
    }

    void byKernel() {
        apply("containerImage: \"" + named("${KERNEL_FULL_VERSION}") + "\"", DRIVER);
    }

    List<String> images() {
        return sandbox.client().apps().daemonSets().inNamespace("acme").list().getItems().stream()
                .map(DriverImagesWorld::image)
                .sorted()
                .toList();
    }

    private static String image(DaemonSet daemonSet) {
        return daemonSet
                .getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .get(0)
                .getImage();
    }

    PoolStatus pool(String kernel) {
        SpecialResource resource = sandbox.get("acme").orElseThrow();
        return Objects.requireNonNull(resource.getStatus()).getPools().stream()
                .filter(pool -> kernel.equals(pool.getKernel()))
                .findFirst()
                .orElseThrow();
    }

    /** An hour in which nobody is asked anything. */
    void idle() {
        sandbox.run(Duration.ofMinutes(10));
        Recording recording = sandbox.cluster().recording();
        recording.start();
        int asked = registry.requests.size();
        sandbox.run(Duration.ofHours(1));
        assertThat(recording.entries(entry -> String.valueOf(entry).contains("acme")))
                .isEmpty();
        assertThat(registry.requests).hasSize(asked);
        recording.stop();
    }
}
