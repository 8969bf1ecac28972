package dev.sro.core.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.ProxySettings;
import dev.sro.core.fixture.Nodes;
import dev.sro.core.fixture.Resources;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ValueTrees;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The object hook examples of the original (X1 to X16, as far as they need no cluster), for simple-kmod on workers with kernel K1. */
class HookVectorsTest {

    /** Our addition: two systems may run one kernel. */
    private static final String POOL_LABEL = MetadataKeys.poolLabel("simple-kmod");

    private static final String POOL = "rhcos8.4-" + Nodes.K1;

    private static final String HASH = "b657a71de7fad62f";
    private static final String AFFINE = "annotations: {specialresource.openshift.io/kernel-affine: \"true\"}";
    private static final String WORKER = "node-role.kubernetes.io/worker";

    private static String workload(String kind) {
        return """
            apiVersion: apps/v1
            kind: %s
            metadata:
              name: simple-kmod-driver-container
              labels: {app: simple-kmod-driver-container, keep: me}
              %s
            spec:
              selector: {matchLabels: {app: simple-kmod-driver-container}}
              template:
                metadata: {labels: {app: simple-kmod-driver-container, keep: me}}
                spec:
                  serviceAccountName: simple-kmod
                  containers: [{name: simple-kmod, image: "registry/simple-kmod:v1"}]
                  nodeSelector: {other: "x", feature.node.kubernetes.io/kernel-version.full: ""}
            """.formatted(kind, AFFINE);
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource({"X1,DaemonSet", "X4,Deployment", "X5,StatefulSet"})
    void affineWorkloadGetsNameAppLabelsAndKernel(String id, String kind) {
        KubeObject object = Rendering.of(workload(kind)).object();
        String name = "simple-kmod-driver-container-" + HASH;
        assertThat(object.ref().name()).as(id).isEqualTo(name);
        assertThat(object.map("metadata", "labels")).containsEntry("app", name).containsEntry("keep", "me");
        assertThat(object.map("spec", "selector", "matchLabels")).isEqualTo(Map.of("app", name));
        assertThat(object.map("spec", "template", "metadata", "labels"))
                .containsEntry("app", name)
                .containsEntry("keep", "me");
        assertThat(object.map("spec", "template", "spec", "nodeSelector"))
                .isEqualTo(Map.of("other", "x", WORKER, "", MetadataKeys.KERNEL_LABEL, Nodes.K1, POOL_LABEL, POOL));
        assertThat(object.map("spec", "template", "spec"))
                .containsEntry("serviceAccountName", "simple-kmod")
                .containsEntry(
                        "containers", List.of(Map.of("name", "simple-kmod", "image", "registry/simple-kmod:v1")));
        assertThat(object.annotation(MetadataKeys.POOL)).contains("rhcos8.4-" + Nodes.K1);
    }

    @Test
    void x1OwnedLabelsOnObjectAndTemplateAndAnOwnerThatControls() {
        KubeObject object = Rendering.of(workload("DaemonSet")).object();
        for (Map<String, Object> labels :
                List.of(object.map("metadata", "labels"), object.map("spec", "template", "metadata", "labels"))) {
            assertThat(labels)
                    .containsEntry(MetadataKeys.OWNED, "true")
                    .containsEntry(MetadataKeys.SPECIAL_RESOURCE, "simple-kmod");
        }
        assertThat(object.maps("metadata", "ownerReferences"))
                .containsExactly(Map.of(
                        "apiVersion", "sro.openshift.io/v1beta1",
                        "kind", "SpecialResource",
                        "name", "simple-kmod",
                        "uid", "uid-simple-kmod",
                        "controller", true,
                        "blockOwnerDeletion", true));
        assertThat(object.annotation(MetadataKeys.STATE)).contains("1000-x");
        assertThat(object.annotation(MetadataKeys.APPLIED))
                .hasValueSatisfying(digest -> assertThat(digest).hasSize(16));
    }

    @Test
    void x2AffineBuildConfigGetsNameAndNodeSelectorAndKeepsItsOutput() {
        KubeObject object = Rendering.of("""
            apiVersion: build.openshift.io/v1
            kind: BuildConfig
            metadata: {name: simple-kmod-driver-build, %s}
            spec: {output: {to: {kind: ImageStreamTag, name: "simple-kmod:v${kernelFullVersion}"}}}
            """.formatted(AFFINE)).object();
        assertThat(object.ref().name()).isEqualTo("simple-kmod-driver-build-" + HASH);
        assertThat(object.map("spec", "nodeSelector"))
                .isEqualTo(Map.of(WORKER, "", MetadataKeys.KERNEL_LABEL, Nodes.K1, POOL_LABEL, POOL));
        assertThat(object.map("spec", "output", "to")).containsEntry("name", "simple-kmod:v" + Nodes.K1);
    }

    @Test
    void x6AffinePodGetsNameAndNodeSelectorButNoAppLabel() {
        KubeObject object = Rendering.of("""
            apiVersion: v1
            kind: Pod
            metadata: {name: check, labels: {app: check}, %s}
            spec: {restartPolicy: Never, containers: [{name: c, image: i}]}
            """.formatted(AFFINE)).object();
        assertThat(object.ref().name()).isEqualTo("check-" + HASH);
        assertThat(object.label("app")).contains("check");
        assertThat(object.map("spec", "nodeSelector"))
                .isEqualTo(Map.of(WORKER, "", MetadataKeys.KERNEL_LABEL, Nodes.K1, POOL_LABEL, POOL));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ConfigMap", "Secret", "Service", "ServiceAccount"})
    void x7AffineObjectWithoutPodsChangesNothingButItsName(String kind) {
        KubeObject object = Rendering.of("""
            apiVersion: v1
            kind: %s
            metadata: {name: a, labels: {app: a}, %s}
            """.formatted(kind, AFFINE)).object();
        assertThat(object.ref().name()).isEqualTo("a-" + HASH);
        assertThat(object.label("app")).contains("a");
        assertThat(object.tree()).containsOnlyKeys("apiVersion", "kind", "metadata");
    }

    @Test
    void anAffineJobIsPinnedToTheKernelToo() {
        KubeObject object = Rendering.of("""
            apiVersion: batch/v1
            kind: Job
            metadata: {name: build, %s}
            spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}
            """.formatted(AFFINE)).object();
        assertThat(object.ref().name()).isEqualTo("build-" + HASH);
        assertThat(object.map("spec", "template", "spec", "nodeSelector"))
                .isEqualTo(Map.of(MetadataKeys.KERNEL_LABEL, Nodes.K1, POOL_LABEL, POOL));
    }

    @Test
    void anAffineObjectIsPinnedToTheArchitectureWhereTheKernelDoesNotNameIt() {
        List<KubeObject> objects = Rendering.of(workload("DaemonSet"))
                .on(
                        Nodes.node("a", Nodes.UBUNTU, Nodes.UBUNTU_2204, "amd64"),
                        Nodes.node("b", Nodes.UBUNTU, Nodes.UBUNTU_2204, "arm64"))
                .objects();
        assertThat(objects)
                .extracting(object ->
                        object.map("spec", "template", "spec", "nodeSelector").get("kubernetes.io/arch"))
                .containsExactlyInAnyOrder("amd64", "arm64");
        assertThat(objects).extracting(object -> object.ref().name()).doesNotHaveDuplicates();
    }

    @Test
    void x9NodeSelectorOfTheSpecialResourceWins() {
        Rendering rendering = Rendering.of("""
            apiVersion: apps/v1
            kind: DaemonSet
            metadata: {name: d}
            spec: {template: {spec: {nodeSelector: {a: "1", b: "2"}}}}
            """);
        Resources.spec(rendering.resource).setNodeSelector(Map.of("b", "3", "c", "4"));
        assertThat(rendering.object().map("spec", "template", "spec", "nodeSelector"))
                .isEqualTo(Map.of("a", "1", "b", "3", "c", "4"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Job", "CronJob", "ConfigMap"})
    void x9KindsThatRunAnywhereGetNoNodeSelector(String kind) {
        KubeObject object = Rendering.of("""
            apiVersion: batch/v1
            kind: %s
            metadata: {name: j}
            """.formatted(kind)).object();
        assertThat(object.tree().toString()).doesNotContain(WORKER);
    }

    @Test
    void aNodeSelectorThatIsAPlaceholderCanBeAddedTo() {
        KubeObject object = Rendering.of("""
            apiVersion: apps/v1
            kind: DaemonSet
            metadata: {name: d, %s}
            spec: {template: {spec: {nodeSelector: "${specialresource.spec.nodeSelector}"}}}
            """.formatted(AFFINE)).object();
        assertThat(object.map("spec", "template", "spec", "nodeSelector"))
                .isEqualTo(Map.of(WORKER, "", MetadataKeys.KERNEL_LABEL, Nodes.K1, POOL_LABEL, POOL));
    }

    @ParameterizedTest(name = "X10 {0} in \"{1}\"")
    @CsvSource({
        "Role,'',simple-kmod",
        "Role,openshift-monitoring,openshift-monitoring",
        "ClusterRole,'',''",
        "ClusterRole,somewhere,''",
    })
    void x10NamespaceIsFilledInWhereItIsMissing(String kind, String given, String expected) {
        KubeObject object = Rendering.of("""
            apiVersion: rbac.authorization.k8s.io/v1
            kind: %s
            metadata: {name: r, namespace: "%s"}
            """.formatted(kind, given)).object();
        assertThat(object.ref().namespace()).isEqualTo(expected);
        assertThat(object.metadata().containsKey("namespace")).isEqualTo(!expected.isEmpty());
    }

    @Test
    void x14OperandNamespaceHasItsLabelsAndNoOwner() {
        Desired namespace = NamespaceManifest.render(Resources.resource("simple-kmod", "kmod", Map.of()), "operands");
        KubeObject object = namespace.object();
        assertThat(object.ref().name()).isEqualTo("operands");
        assertThat(object.label(MetadataKeys.OWNED)).contains("true");
        assertThat(object.label(MetadataKeys.SPECIAL_RESOURCE)).contains("simple-kmod");
        assertThat(object.annotation("openshift.io/cluster-monitoring")).contains("true");
        assertThat(object.metadata()).doesNotContainKey("ownerReferences");
    }

    @Test
    void x3AffineBuildRunRunsTheBuildOfItsOwnName() {
        KubeObject object = Rendering.of("""
            apiVersion: shipwright.io/v1alpha1
            kind: BuildRun
            metadata: {name: kmod, %s}
            spec: {buildRef: {name: whatever}}
            """.formatted(AFFINE)).object();
        assertThat(object.ref().name()).isEqualTo("kmod-" + HASH);
        assertThat(object.map("spec", "buildRef")).isEqualTo(Map.of("name", "kmod-" + HASH));
    }

    @Test
    void x8AnObjectThatIsNotAffineByItsAnnotationIsLeftAsItIs() {
        KubeObject object = Rendering.of("""
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: c, annotations: {specialresource.openshift.io/kernel-affine: "false"}}
            """)
                .on(Nodes.node("n1", Nodes.K1), Nodes.node("n2", Nodes.K2))
                .object();
        assertThat(object.ref().name()).isEqualTo("c");
        assertThat(object.annotation(MetadataKeys.POOL)).isEmpty();
    }

    @Test
    void x11APodTemplateWithoutLabelsGetsThem() {
        KubeObject object = Rendering.of("""
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: d}
            spec: {template: {spec: {containers: [{name: c, image: i}]}}}
            """).object();
        assertThat(object.map("spec", "template", "metadata", "labels"))
                .as("the original ended with an error")
                .containsEntry(MetadataKeys.OWNED, "true");
    }

    private static final String PROXIED = """
        metadata: {name: p, annotations: {specialresource.openshift.io/proxy: "true"}}
        """;

    private static final String PODS = """
        {initContainers: [{name: i, image: x}],
         containers: [{name: a, image: x, env: [{name: OWN, value: "1"}, {name: NO_PROXY, value: mine}]},
                      {name: b, image: x}]}
        """;

    @ParameterizedTest(name = "X15 {0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "Pod|v1|{spec: %s}",
                "DaemonSet|apps/v1|{spec: {template: {spec: %s}}}",
                "Deployment|apps/v1|{spec: {template: {spec: %s}}}",
                "StatefulSet|apps/v1|{spec: {template: {spec: %s}}}",
                "Job|batch/v1|{spec: {template: {spec: %s}}}",
                "CronJob|batch/v1|{spec: {jobTemplate: {spec: {template: {spec: %s}}}}}"
            })
    void x15EveryContainerOfEveryWorkloadGetsTheProxyBehindWhatItHas(String kind, String apiVersion, String spec) {
        Rendering rendering = Rendering.of("apiVersion: " + apiVersion + "\nkind: " + kind + "\n" + PROXIED
                + spec.substring(1, spec.length() - 1).formatted(PODS.replace("\n", " ")) + "\n");
        rendering.proxy(new ProxySettings("http://p:1", "http://p:2", ".local", ""));
        KubeObject object = rendering.object();

        assertThat(environments(object.tree()))
                .containsExactly(
                        List.of("HTTP_PROXY=http://p:1", "HTTPS_PROXY=http://p:2", "NO_PROXY=.local"),
                        List.of("OWN=1", "NO_PROXY=mine", "HTTP_PROXY=http://p:1", "HTTPS_PROXY=http://p:2"),
                        List.of("HTTP_PROXY=http://p:1", "HTTPS_PROXY=http://p:2", "NO_PROXY=.local"));
    }

    private static List<List<String>> environments(Map<String, Object> tree) {
        return Workloads.containers(ValueTrees.mutableCopy(tree)).stream()
                .map(container -> ValueTrees.maps(container, "env").stream()
                        .map(variable -> variable.get("name") + "=" + variable.get("value"))
                        .toList())
                .toList();
    }

    @Test
    void x16DocumentsOfCommentsAndBlanksAreIgnored() {
        assertThat(Rendering.of("""
            # nothing but a comment
            ---

            ---
            apiVersion: v1
            kind: ServiceAccount
            metadata: {name: s}
            ---
            # and another
            """).object().ref().name()).isEqualTo("s");
    }

    @Test
    void aCallbackPutsTheKernelWhereItsNameStands() {
        KubeObject object = Rendering.of("""
            apiVersion: apps/v1
            kind: DaemonSet
            metadata: {name: nvidia-driver-daemonset, annotations: {callback: nvidia-driver-daemonset}}
            spec:
              template:
                spec:
                  containers: [{name: c, image: "nvidia/driver:v410-KERNEL_FULL_VERSION", args: ["$KERNEL_FULL_VERSION"]}]
                  nodeSelector: {feature.node.kubernetes.io/kernel-version.full: KERNEL_FULL_VERSION}
            """).object();
        Map<String, Object> pods = object.map("spec", "template", "spec");
        assertThat(ValueTrees.maps(pods, "containers"))
                .containsExactly(Map.of(
                        "name",
                        "c",
                        "image",
                        "nvidia/driver:v410-" + Nodes.K1,
                        "args",
                        List.of("$KERNEL_FULL_VERSION")));
        assertThat(ValueTrees.map(pods, "nodeSelector")).containsEntry(MetadataKeys.KERNEL_LABEL, Nodes.K1);
    }
}
