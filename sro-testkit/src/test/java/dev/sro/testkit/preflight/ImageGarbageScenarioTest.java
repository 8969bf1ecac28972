package dev.sro.testkit.preflight;

import static dev.sro.testkit.preflight.FakeRegistry.OCI_MANIFEST;
import static dev.sro.testkit.preflight.FakeRegistry.gzip;
import static dev.sro.testkit.preflight.FakeRegistry.layer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.build.BuildSettings;
import dev.sro.core.build.ImageGarbage;
import dev.sro.core.image.Images;
import dev.sro.core.outgoing.OutgoingGate;
import dev.sro.core.recipe.source.HttpClients;
import dev.sro.core.recipe.source.Registries;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Images that SRO built are deleted when nobody needs them any more, and not before. */
class ImageGarbageScenarioTest {

    private static final String INTERNAL = "image-registry.openshift-image-registry.svc:5000";
    private static final Duration LIMIT = Duration.ofMinutes(30);
    private static final ResourceDefinitionContext STREAMS = new ResourceDefinitionContext.Builder()
            .withGroup("image.openshift.io")
            .withVersion("v1")
            .withKind("ImageStream")
            .withPlural("imagestreams")
            .withNamespaced(true)
            .build();

    @TempDir
    private Path folder;

    private final Images images =
            new Images(new Registries(new HttpClients(OutgoingGate.open()), Duration.ofSeconds(10)));
    private final Set<String> pushed = new HashSet<>();
    private FakeRegistry registry;
    private @Nullable SroSandbox sandbox;

    @BeforeEach
    void open() throws IOException {
        registry = new FakeRegistry();
    }

    @AfterEach
    void close() {
        if (sandbox != null) {
            sandbox.close();
        }
        registry.close();
    }

    private SroSandbox sandbox() {
        return Objects.requireNonNull(sandbox);
    }

    /** What the cluster's own registry has is in ours, too. */
    private void start(SroSandbox cluster, ImageGarbage.Reach reach, int keep) throws IOException {
        sandbox = cluster;
        Path mirrors = Files.writeString(folder.resolve("registries.conf"), """
            [[registry]]
            prefix = "%s"
            location = "%s"
            """.formatted(INTERNAL, registry.host()));
        cluster.preflights(images, mirrors);
        cluster.simulation().registry().onlyPushed(registry.host() + "/*");
        cluster.kill();
        cluster.builds(BuildSettings.builder()
                .garbage(new ImageGarbage.Policy(reach, keep, Duration.ofDays(2)))
                .build());
        cluster.start();
        cluster.nodes().create("node-0", NodeProfile.of(OsRelease.RHEL_9).withKernel("5.14.0-1.el9.x86_64"));
        cluster.run(Duration.ofMinutes(1));
    }

    private void driver(String host, String version) {
        sandbox().apply("""
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: acme}
            spec:
              namespace: acme
              plugin: {name: acme}
              driver:
                containerImage: "%s/acme/driver:%s"
                build: {dockerfile: "FROM scratch\\nLABEL version=%s"}
            """.formatted(host, version, version));
        assertThat(sandbox().runUntil(LIMIT, () -> {
                    mirror();
                    return sandbox().isReady("acme") && running(host + "/acme/driver:" + version);
                }))
                .as(sandbox().state("acme"))
                .isTrue();
    }

    private void mirror() {
        for (String image : sandbox().simulation().registry().pushes()) {
            if (pushed.add(image)) {
                String path = image.substring(image.indexOf('/') + 1);
                int colon = path.lastIndexOf(':');
                byte[] files = gzip(layer(Map.of("etc/driver", image)));
                registry.push(path.substring(0, colon), path.substring(colon + 1), OCI_MANIFEST, files);
            }
        }
    }

    private boolean running(String image) {
        return sandbox().client().apps().daemonSets().inNamespace("acme").list().getItems().stream()
                .anyMatch(set -> set.getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers()
                        .get(0)
                        .getImage()
                        .equals(image));
    }

    private List<Object> tags() {
        GenericKubernetesResource stream = sandbox()
                .client()
                .genericKubernetesResources(STREAMS)
                .inNamespace("acme")
                .withName("driver")
                .get();
        assertThat(stream).isNotNull();
        return ((List<?>) stream.<List<?>>get("status", "tags"))
                .stream().<Object>map(tag -> ((Map<?, ?>) tag).get("tag")).toList();
    }

    @Test
    void tagsOfAnImageStreamGoWhenNobodyNeedsThem() throws IOException {
        start(SroSandbox.createOpenShift(new DriverPlugin()), ImageGarbage.Reach.OPENSHIFT, 1);
        driver(INTERNAL, "v1");
        driver(INTERNAL, "v2");
        driver(INTERNAL, "v3");
        assertThat(tags()).containsExactlyInAnyOrder("v1", "v2", "v3");

        sandbox().run(Duration.ofDays(1));
        assertThat(tags()).as("not yet").containsExactlyInAnyOrder("v1", "v2", "v3");
        sandbox().run(Duration.ofDays(3));
        assertThat(tags()).as("one that nobody needs stays").containsExactlyInAnyOrder("v2", "v3");
        sandbox().run(Duration.ofDays(10));
        assertThat(tags()).containsExactlyInAnyOrder("v2", "v3");
    }

    @Test
    void anImageThatIsNeededAgainStays() throws IOException {
        start(SroSandbox.createOpenShift(new DriverPlugin()), ImageGarbage.Reach.OPENSHIFT, 0);
        driver(INTERNAL, "v1");
        driver(INTERNAL, "v2");
        sandbox().run(Duration.ofDays(1));
        driver(INTERNAL, "v1");
        sandbox().run(Duration.ofDays(5));
        assertThat(tags()).containsExactly("v1");
    }

    @Test
    void theImageStreamStaysWhenNothingIsBuiltAnyMore() throws IOException {
        start(SroSandbox.createOpenShift(new DriverPlugin()), ImageGarbage.Reach.OPENSHIFT, 5);
        driver(INTERNAL, "v1");
        registry.push("acme/other", "v2", OCI_MANIFEST, gzip(layer(Map.of("etc/driver", "x"))));
        sandbox().simulation().registry().push(registry.host() + "/acme/other:v2");
        sandbox().apply("""
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: acme}
            spec:
              namespace: acme
              plugin: {name: acme}
              driver: {containerImage: "%s/acme/other:v2"}
            """.formatted(registry.host()));
        sandbox().run(Duration.ofDays(1));
        assertThat(running(registry.host() + "/acme/other:v2")).isTrue();
        assertThat(tags()).containsExactly("v1");
        sandbox().kill();
        sandbox().start();
        sandbox().run(Duration.ofDays(1));
        assertThat(tags()).as("a new operator knows it, too").containsExactly("v1");
    }

    @Test
    void otherRegistriesAreLeftAloneUnlessToldSo() throws IOException {
        start(SroSandbox.create(new DriverPlugin()), ImageGarbage.Reach.OPENSHIFT, 0);
        registry.allow(FakeRegistry.Deletes.TAGS);
        driver(registry.host(), "v1");
        driver(registry.host(), "v2");
        sandbox().run(Duration.ofDays(5));
        assertThat(registry.has("acme/driver", "v1")).isTrue();
    }

    @ParameterizedTest
    @EnumSource(names = {"TAGS", "DIGESTS"})
    void aRegistryIsAskedToDeleteATagOrElseADigest(FakeRegistry.Deletes way) throws IOException {
        start(SroSandbox.create(new DriverPlugin()), ImageGarbage.Reach.EVERYWHERE, 0);
        registry.allow(way);
        driver(registry.host(), "v1");
        driver(registry.host(), "v2");
        sandbox().run(Duration.ofDays(3));
        assertThat(registry.has("acme/driver", "v1")).isFalse();
        assertThat(registry.has("acme/driver", "v2")).isTrue();
        int requests = registry.requests.size();
        sandbox().run(Duration.ofDays(3));
        assertThat(registry.requests).as("once").hasSize(requests);
    }

    @Test
    void aRegistryThatDoesNotDeleteIsToldOf() throws IOException {
        start(SroSandbox.create(new DriverPlugin()), ImageGarbage.Reach.EVERYWHERE, 0);
        driver(registry.host(), "v1");
        driver(registry.host(), "v2");
        sandbox().run(Duration.ofDays(3));
        assertThat(registry.has("acme/driver", "v1")).isTrue();
        assertThat(String.valueOf(sandbox().get("acme").orElseThrow().getStatus()))
                .contains("the registry does not delete images (HTTP 405");
        assertThat(sandbox().isReady("acme")).isTrue();
    }

    @Test
    void whatHasTheDigestOfAnImageThatStaysIsNotDeletedByDigest() throws IOException {
        start(SroSandbox.create(new DriverPlugin()), ImageGarbage.Reach.EVERYWHERE, 0);
        registry.allow(FakeRegistry.Deletes.DIGESTS);
        driver(registry.host(), "v1");
        driver(registry.host(), "v2");
        byte[] same = gzip(layer(Map.of("etc/driver", "same")));
        registry.push("acme/driver", "v1", OCI_MANIFEST, same);
        registry.push("acme/driver", "v2", OCI_MANIFEST, same);
        sandbox().run(Duration.ofDays(3));
        assertThat(registry.has("acme/driver", "v2")).isTrue();
        assertThat(String.valueOf(sandbox().get("acme").orElseThrow().getStatus()))
                .contains("has the same digest");
    }
}
