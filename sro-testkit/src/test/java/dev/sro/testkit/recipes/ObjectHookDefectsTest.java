package dev.sro.testkit.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.plugin.Plugins;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.sim.Behavior;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the original got wrong with objects, and the examples of it that need a cluster. Those that need none are in {@code
 * HookVectorsTest} of sro-core, readiness in {@code ReadinessTest}.
 */
class ObjectHookDefectsTest {

    private static final Duration LIMIT = Duration.ofMinutes(20);

    private final SroSandbox sandbox = SroSandbox.create(true, Plugins.of());

    @BeforeEach
    void nodes() {
        NodeProfile node = NodeProfile.of(OsRelease.RHCOS_8).withRole("worker");
        sandbox.nodes().create("one", node);
        sandbox.nodes().create("two", node);
        sandbox.run(Duration.ofMinutes(2));
    }

    @AfterEach
    void close() {
        sandbox.close();
    }

    private void recipe(String name, String... states) {
        ConfigMapBuilder map = new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(name)
                .withName(name)
                .endMetadata();
        for (int i = 0; i < states.length; i++) {
            map.addToData(i + "000-state.yaml", states[i]);
        }
        sandbox.client()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .createOr(existing -> existing.update());
        sandbox.client().resource(map.build()).createOr(existing -> existing.update());
        sandbox.apply("""
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: %1$s}
            spec: {namespace: %1$s}
            """.formatted(name));
    }

    private void awaitReady(String name) {
        assertThat(sandbox.runUntil(LIMIT, () -> sandbox.isReady(name)))
                .as(() -> sandbox.state(name))
                .isTrue();
    }

    private static String daemonSet(String name, String image) {
        return """
            apiVersion: apps/v1
            kind: DaemonSet
            metadata: {name: %1$s}
            spec:
              selector: {matchLabels: {app: %1$s}}
              template:
                metadata: {labels: {app: %1$s}}
                spec: {containers: [{name: c, image: "%2$s"}]}
            """.formatted(name, image);
    }

    private DaemonSet daemonSet(String name) {
        return Objects.requireNonNull(sandbox.client()
                .apps()
                .daemonSets()
                .inNamespace("acme")
                .withName(name)
                .get());
    }

    private Pod pod(String name) {
        return Objects.requireNonNull(
                sandbox.client().pods().inNamespace("acme").withName(name).get());
    }

    private static String pod(String name, String restartPolicy) {
        return """
            apiVersion: v1
            kind: Pod
            metadata: {name: %s, annotations: {specialresource.openshift.io/wait: "true"}}
            spec: {%s containers: [{name: c, image: "check:1"}]}
            """.formatted(name, restartPolicy);
    }

    @Test
    @DisplayName("X13; one-timer Pods were never created: here one runs once, and a restart does not run it again")
    void aPodThatIsNeverRestartedRunsOnce() {
        sandbox.simulation()
                .behaviors()
                .add(Behavior.succeedAfter(Duration.ofSeconds(30)).image("check:1"));
        recipe("acme", pod("once", "restartPolicy: Never,"));
        awaitReady("acme");
        String uid = pod("once").getMetadata().getUid();

        sandbox.kill();
        sandbox.start();
        sandbox.run(Duration.ofHours(1));

        assertThat(pod("once").getMetadata().getUid()).isEqualTo(uid);
        assertThat(pod("once").getStatus().getPhase()).isEqualTo("Succeeded");
    }

    @Test
    @DisplayName("X13: a Pod of another restart policy is made again when it is missing")
    void aPodThatIsMissingIsMadeAgain() {
        recipe("acme", pod("always", "restartPolicy: Always,").replace("wait: \"true\"", "wait: \"false\""));
        awaitReady("acme");
        String uid = pod("always").getMetadata().getUid();

        sandbox.client()
                .pods()
                .inNamespace("acme")
                .withName("always")
                .withGracePeriod(0)
                .delete();
        sandbox.run(Duration.ofMinutes(2));

        assertThat(pod("always").getMetadata().getUid()).isNotEqualTo(uid);
    }

    @Test
    @DisplayName("X12: a Service keeps the address that it was given when it changes")
    void aServiceKeepsItsAddress() {
        String service = """
            apiVersion: v1
            kind: Service
            metadata: {name: s}
            spec: {selector: {app: s}, ports: [{port: %d}]}
            """;
        recipe("acme", service.formatted(80));
        awaitReady("acme");
        String address = service().getSpec().getClusterIP();

        recipe("acme", service.formatted(81));
        sandbox.run(Duration.ofMinutes(2));

        assertThat(service().getSpec().getPorts().get(0).getPort()).isEqualTo(81);
        assertThat(service().getSpec().getClusterIP()).isNotEmpty().isEqualTo(address);
    }

    private Service service() {
        return Objects.requireNonNull(
                sandbox.client().services().inNamespace("acme").withName("s").get());
    }

    @Test
    @DisplayName("drift was not corrected: only the stored hash was compared")
    void whatIsChangedByHandIsPutBack() {
        recipe("acme", daemonSet("d", "d:1"));
        awaitReady("acme");

        sandbox.client().apps().daemonSets().inNamespace("acme").withName("d").edit(live -> {
            live.getSpec().getTemplate().getSpec().getContainers().get(0).setImage("d:mine");
            return live;
        });
        sandbox.run(Duration.ofMinutes(2));

        assertThat(daemonSet("d")
                        .getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers()
                        .get(0)
                        .getImage())
                .isEqualTo("d:1");
    }

    @Test
    @DisplayName("objects were overwritten without resourceVersion: fields of others are kept here")
    void whatOthersAddStays() {
        recipe("acme", daemonSet("d", "d:1"));
        awaitReady("acme");
        sandbox.client()
                .apps()
                .daemonSets()
                .inNamespace("acme")
                .withName("d")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"spec\": {\"template\": {\"metadata\": {\"annotations\": {\"example.com/restarted\":"
                                + " \"now\"}}}}}");

        recipe("acme", daemonSet("d", "d:2"));
        sandbox.run(Duration.ofMinutes(5));

        var template = daemonSet("d").getSpec().getTemplate();
        assertThat(template.getSpec().getContainers().get(0).getImage()).isEqualTo("d:2");
        assertThat(template.getMetadata().getAnnotations()).containsEntry("example.com/restarted", "now");
    }

    @Test
    @DisplayName("X10; cluster-scoped kinds were five names, one misspelled: here the cluster says which they are")
    void noKindOutsideOfNamespacesGetsOne() {
        recipe("acme", """
            apiVersion: scheduling.k8s.io/v1
            kind: PriorityClass
            metadata: {name: acme}
            value: 10
            ---
            apiVersion: storage.k8s.io/v1
            kind: CSIDriver
            metadata: {name: csi.acme.example}
            spec: {attachRequired: false}
            """);
        awaitReady("acme");

        assertThat(sandbox.client()
                        .scheduling()
                        .v1()
                        .priorityClasses()
                        .withName("acme")
                        .get())
                .isNotNull();
        assertThat(sandbox.client()
                        .storage()
                        .v1()
                        .csiDrivers()
                        .withName("csi.acme.example")
                        .get())
                .isNotNull();
    }

    @Test
    @DisplayName("X11: a pod template that its selector does not fit is refused with the field, and nothing crashes")
    void aTemplateThatTheSelectorDoesNotFitIsRefused() {
        recipe("acme", """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: d}
            spec:
              selector: {matchLabels: {app: d}}
              template: {spec: {containers: [{name: c, image: i}]}}
            """);
        sandbox.run(Duration.ofMinutes(5));

        assertThat(sandbox.state("acme"))
                .startsWith("Errored:")
                .contains("Deployment", "spec.template.metadata.labels");
    }

    private static String driver(String vendor) {
        return """
            apiVersion: build.openshift.io/v1
            kind: BuildConfig
            metadata:
              name: %1$s-build
              annotations: {specialresource.openshift.io/driver-container-vendor: v, specialresource.openshift.io/wait: "true"}
            spec:
              triggers: [{type: ConfigChange}]
              source: {type: Git, git: {uri: "https://git.example.com/a.git"}}
              strategy: {type: Docker, dockerStrategy: {}}
              output: {to: {kind: ImageStreamTag, name: "%1$s:v{{.KernelVersion}}"}}
            ---
            apiVersion: image.openshift.io/v1
            kind: ImageStream
            metadata: {name: %1$s}
            """.formatted(vendor);
    }

    private static String driverSet(String vendor) {
        return daemonSet(
                        vendor,
                        "image-registry.openshift-image-registry.svc:5000/" + vendor + "/" + vendor
                                + ":v{{.KernelVersion}}")
                .replace(
                        "metadata: {name: " + vendor + "}",
                        "metadata: {name: " + vendor
                                + ", annotations: {specialresource.openshift.io/driver-container-vendor: v}}");
    }

    @Test
    @DisplayName(
            "X2; the vendor to build for was one for the whole process: here each special resource decides by itself")
    void oneSpecialResourceBuildsWhileAnotherOfTheSameVendorDoesNot() {
        String kernel = sandbox.client()
                .nodes()
                .withName("one")
                .get()
                .getStatus()
                .getNodeInfo()
                .getKernelVersion();
        sandbox.simulation().registry().push("image-registry.openshift-image-registry.svc:5000/ready/ready:v" + kernel);
        recipe("ready", driver("ready"), driverSet("ready"));
        recipe("absent", driver("absent"), driverSet("absent"));
        awaitReady("absent");
        awaitReady("ready");

        assertThat(builds("ready")).isZero();
        assertThat(builds("absent")).isOne();
    }

    private int builds(String namespace) {
        return sandbox.client()
                .genericKubernetesResources("build.openshift.io/v1", "BuildConfig")
                .inNamespace(namespace)
                .list()
                .getItems()
                .size();
    }

    @Test
    @DisplayName("lengths were not checked: a name that can be no label is refused by its length")
    void aNameThatIsTooLongIsRefused() {
        recipe("acme", daemonSet("d".repeat(64), "d:{{.KernelVersion}}"));
        recipe("fits", daemonSet("d".repeat(63), "d:{{.KernelVersion}}"));
        awaitReady("fits");

        assertThat(sandbox.state("acme")).startsWith("Errored:").contains("characters, 63 are allowed");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: c, labels: [a]}}",
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: c, annotations: {callback: {a: b}}}}",
                "{apiVersion: v1, kind: ConfigMap, metadata: [c]}",
                "{apiVersion: v1, kind: Namespace, metadata: {name: acme, labels: {a: [b]}}}",
                "{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: d}, spec: {template: {spec: {containers:"
                        + " c}}}}",
                "{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: d}, spec: {template: [x]}}",
                "{apiVersion: v1, kind: ConfigMap}",
                "- a list",
                "just text",
                "{{",
                "{{template \"a\"}}",
                "{{.Nothing}}",
                "{{range .GroupName}}{{end}}}",
                "a: [",
                "\tx: y"
            })
    @DisplayName("anything that is no manifest is refused, and the operator goes on")
    void whatIsNoManifestIsRefused(String text) {
        recipe("acme", text);
        sandbox.run(Duration.ofMinutes(2));
        assertThat(sandbox.state("acme")).startsWith("Errored:");

        recipe("acme", daemonSet("d", "d:1"));
        awaitReady("acme");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: c, labels: {a: }, annotations: {b: }}}",
                "{apiVersion: v1, kind: Namespace, metadata: {name: acme, labels: {a: }}}",
                "# nothing",
                ""
            })
    void whatIsEmptyIsNoMistake(String text) {
        recipe("acme", text);
        awaitReady("acme");
    }
}
