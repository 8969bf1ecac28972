package dev.sro.testkit.preflight;

import static dev.sro.testkit.preflight.FakeRegistry.OCI_MANIFEST;
import static dev.sro.testkit.preflight.FakeRegistry.gzip;
import static dev.sro.testkit.preflight.FakeRegistry.layer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.build.BuildSettings;
import dev.sro.core.image.Images;
import dev.sro.core.outgoing.OutgoingGate;
import dev.sro.core.recipe.source.HttpClients;
import dev.sro.core.recipe.source.Registries;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.sim.Behavior;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Images of drivers that no registry has are built, in a cluster whose builds push into a registry over HTTP. */
class DriverBuildScenarioTest {

    private static final Duration LIMIT = Duration.ofMinutes(30);

    @TempDir
    private Path folder;

    private final Images images =
            new Images(new Registries(new HttpClients(OutgoingGate.open()), Duration.ofSeconds(10)));
    private final SroSandbox sandbox = SroSandbox.create(new DriverPlugin());
    private final Set<String> pushed = new HashSet<>();
    private FakeRegistry registry;

    @BeforeEach
    void start() throws IOException {
        registry = new FakeRegistry();
        sandbox.preflights(images, folder.resolve("registries.conf"));
        sandbox.simulation().registry().onlyPushed(registry.host() + "/*");
        begin(BuildSettings.DEFAULTS);
    }

    @AfterEach
    void stop() {
        sandbox.close();
        registry.close();
    }

    private void begin(BuildSettings settings) {
        sandbox.kill();
        sandbox.builds(settings);
        sandbox.start();
    }

    private void nodes(int kernels) {
        for (int i = 0; i < kernels; i++) {
            sandbox.nodes()
                    .create(
                            "node-" + i,
                            NodeProfile.of(OsRelease.RHEL_9).withKernel("5.14.0-" + (i + 1) + ".el9.x86_64"));
        }
        sandbox.run(Duration.ofMinutes(1));
    }

    /** What the simulated builds push is in the registry that the operator asks. */
    private boolean until(BooleanSupplier condition) {
        return sandbox.runUntil(LIMIT, () -> {
            for (String image : sandbox.simulation().registry().pushes()) {
                if (pushed.add(image)) {
                    String path = image.substring(registry.host().length() + 1);
                    int colon = path.lastIndexOf(':');
                    byte[] files = gzip(layer(Map.of("etc/driver", image)));
                    registry.push(path.substring(0, colon), path.substring(colon + 1), OCI_MANIFEST, files);
                }
            }
            return condition.getAsBoolean();
        });
    }

    private void apply(String build) {
        sandbox.apply("""
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: acme}
            spec:
              namespace: acme
              plugin: {name: acme}
              driver:
                containerImage: "%s/acme/driver:v1-${KERNEL_FULL_VERSION}"
                build: {%s}
            """.formatted(registry.host(), build));
    }

    private List<Job> jobs() {
        return sandbox.client().batch().v1().jobs().inNamespace("acme").list().getItems();
    }

    private List<String> pushes() {
        return sandbox.simulation().registry().pushes();
    }

    private boolean ready() {
        return sandbox.isReady("acme");
    }

    @Test
    void buildsWhatIsMissingAndThenRunsIt() {
        nodes(2);
        apply("dockerfile: \"FROM scratch\"");
        assertThat(until(this::ready)).as(sandbox.state("acme")).isTrue();
        assertThat(pushes())
                .containsExactlyInAnyOrder(
                        registry.host() + "/acme/driver:v1-5.14.0-1.el9.x86_64",
                        registry.host() + "/acme/driver:v1-5.14.0-2.el9.x86_64");
        assertThat(sandbox.client()
                        .apps()
                        .daemonSets()
                        .inNamespace("acme")
                        .list()
                        .getItems())
                .extracting(set -> set.getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers()
                        .get(0)
                        .getImage())
                .containsExactlyInAnyOrderElementsOf(pushes());
    }

    @Test
    void buildsNothingThatIsThere() {
        registry.push("acme/driver", "v1-5.14.0-1.el9.x86_64", OCI_MANIFEST, gzip(layer(Map.of("etc/driver", "x"))));
        sandbox.simulation().registry().push(registry.host() + "/acme/driver:v1-5.14.0-1.el9.x86_64");
        nodes(1);
        apply("dockerfile: \"FROM scratch\"");
        assertThat(until(this::ready)).as(sandbox.state("acme")).isTrue();
        assertThat(jobs()).isEmpty();
    }

    @Test
    void showsTheEndOfTheLogOfAFailureAndTriesAgainLater() {
        sandbox.simulation()
                .behaviors()
                .add(Behavior.fail(1, Duration.ofSeconds(3))
                        .workload("acme-build-*")
                        .times(1));
        sandbox.simulation().logs().pod("acme/acme-build-*", "resolving\nlookup base.example: no such host\n");
        nodes(1);
        apply("dockerfile: \"FROM scratch\"");
        assertThat(until(() -> status().contains("no such host"))).as(status()).isTrue();
        assertThat(status()).contains("BuildFailed").contains("attempt 1, the next one at");
        assertThat(until(this::ready)).as(sandbox.state("acme")).isTrue();
        assertThat(jobs())
                .singleElement()
                .satisfies(job -> assertThat(job.getMetadata().getName()).endsWith("-2"));
    }

    @Test
    void buildsOnceWhatDoesNotCompile() {
        sandbox.simulation()
                .behaviors()
                .add(Behavior.fail(1, Duration.ofSeconds(3)).workload("acme-build-*"));
        sandbox.simulation().logs().pod("acme/acme-build-*", "cc -c x.c\nx.c:1: error: no such header\n");
        nodes(1);
        apply("dockerfile: \"FROM scratch\"");
        assertThat(until(() -> status().contains("no such header")))
                .as(status())
                .isTrue();
        sandbox.run(Duration.ofHours(3));

        assertThat(status()).contains("BuildFailed", "x.c:1: error: no such header; attempt 1, the last one");
        assertThat(jobs())
                .singleElement()
                .satisfies(job -> assertThat(job.getMetadata().getName()).doesNotEndWith("-2"));
    }

    private String status() {
        return sandbox.get("acme")
                .map(SpecialResource::getStatus)
                .map(String::valueOf)
                .orElse("");
    }

    @Test
    void runsSoManyBuildsAtATime() {
        begin(BuildSettings.builder().perResource(2).build());
        nodes(5);
        apply("dockerfile: \"FROM scratch\"");
        int[] most = new int[1];
        assertThat(until(() -> {
                    int running = (int) jobs().stream()
                            .filter(job ->
                                    job.getStatus() == null || job.getStatus().getSucceeded() == null)
                            .count();
                    most[0] = Math.max(most[0], running);
                    return ready();
                }))
                .as(sandbox.state("acme"))
                .isTrue();
        assertThat(most[0]).isEqualTo(2);
        assertThat(pushes()).hasSize(5).doesNotHaveDuplicates();
    }

    @Test
    void buildsOnceMoreWhenTheDockerfileChanges() {
        sandbox.client()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName("acme")
                        .endMetadata()
                        .build())
                .create();
        dockerfile("FROM scratch");
        nodes(1);
        apply("dockerfileConfigMap: {name: files}");
        assertThat(until(this::ready)).as(sandbox.state("acme")).isTrue();
        String first = jobs().get(0).getMetadata().getName();

        dockerfile("FROM scratch\nLABEL a=b");
        assertThat(until(() -> pushes().size() == 2 && ready())).as(status()).isTrue();
        assertThat(jobs())
                .singleElement()
                .satisfies(job -> assertThat(job.getMetadata().getName()).isNotEqualTo(first));
        sandbox.run(Duration.ofHours(2));
        assertThat(pushes()).hasSize(2);
    }

    private void base(String content) {
        registry.push("acme/base", "9", OCI_MANIFEST, gzip(layer(Map.of("etc/base", content))));
    }

    @Test
    void buildsOnceMoreWhenTheTagOfTheBaseImageMoved() {
        base("old");
        nodes(1);
        apply("dockerfile: \"ARG BASE_IMAGE\\nFROM $BASE_IMAGE\", baseImage: \"" + registry.host() + "/acme/base:9\"");
        assertThat(until(this::ready)).as(sandbox.state("acme")).isTrue();
        String first = jobs().get(0).getMetadata().getName();

        sandbox.run(Duration.ofHours(3));
        assertThat(jobs())
                .as("nothing moved")
                .singleElement()
                .satisfies(job -> assertThat(job.getMetadata().getName()).isEqualTo(first));

        base("new");
        sandbox.run(Duration.ofHours(1));
        assertThat(until(() -> pushes().size() == 2 && ready())).as(status()).isTrue();
        assertThat(jobs())
                .singleElement()
                .satisfies(job -> assertThat(job.getMetadata().getName()).isNotEqualTo(first));
        sandbox.run(Duration.ofHours(3));
        assertThat(pushes()).as("once").hasSize(2);
    }

    @Test
    void aRegistryThatDoesNotAnswerIsNoReasonToBuildAnythingAgain() {
        base("old");
        nodes(1);
        apply("dockerfile: \"ARG BASE_IMAGE\\nFROM $BASE_IMAGE\", baseImage: \"" + registry.host() + "/acme/base:9\"");
        assertThat(until(this::ready)).as(sandbox.state("acme")).isTrue();
        registry.close();
        sandbox.run(Duration.ofHours(4));
        assertThat(ready()).as(sandbox.state("acme")).isTrue();
        assertThat(pushes()).hasSize(1);
    }

    private void dockerfile(String text) {
        ConfigMap map = new ConfigMapBuilder()
                .withNewMetadata()
                .withName("files")
                .withNamespace("acme")
                .endMetadata()
                .addToData("dockerfile", text)
                .build();
        sandbox.client().resource(map).serverSideApply();
        sandbox.settle();
    }

    @Test
    void buildsNothingAgainAfterARestart() {
        nodes(2);
        apply("dockerfile: \"FROM scratch\"");
        assertThat(until(() -> !jobs().isEmpty())).isTrue();
        sandbox.kill();
        sandbox.run(Duration.ofSeconds(2));
        sandbox.start();
        assertThat(until(this::ready)).as(sandbox.state("acme")).isTrue();
        assertThat(pushes()).hasSize(2).doesNotHaveDuplicates();

        sandbox.run(Duration.ofMinutes(5));
        sandbox.kill();
        sandbox.start();
        sandbox.run(Duration.ofMinutes(1));
        assertThat(pushes()).hasSize(2);
    }
}
