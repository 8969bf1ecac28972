package dev.sro.core.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.ManifestTemplate;
import dev.sro.api.Problem;
import dev.sro.api.State;
import dev.sro.core.fixture.Nodes;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RendererTest {

    private static final String AFFINE = "annotations: {specialresource.openshift.io/kernel-affine: \"true\"}";

    private static String configMap(String name, String value) {
        return """
            ---
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: %s}
            data: {k: "%s"}
            """.formatted(name, value);
    }

    private static ManifestTemplate text(String yaml) {
        return ManifestTemplate.text("x.yaml", yaml);
    }

    private static Problem problem(DesiredState state, String pool) {
        return Objects.requireNonNull(state.problems().get(pool));
    }

    private static String code(DesiredState state, String pool) {
        return Optional.ofNullable(state.problems().get(pool))
                .map(Problem::code)
                .orElse("none");
    }

    @Test
    void suppliesTheVariablesOfSro() {
        KubeObject object = Rendering.of("""
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: "${name}", %s}
            data:
              a: "${namespace} ${kernelFullVersion} ${kernelPatchVersion} ${kernelAffinityHash}"
              b: "${operatingSystemId} ${operatingSystemDecimal} ${operatingSystemMajor}"
              c: "${operatingSystemMajorMinor} ${architecture} ${specialresource.metadata.name}"
            """.formatted(AFFINE)).object();
        assertThat(object.map("data"))
                .isEqualTo(Map.of(
                        "a", "simple-kmod " + Nodes.K1 + " 4.18.0-305 b657a71de7fad62f",
                        "b", "rhcos 8.4 rhcos8",
                        "c", "rhcos8.4 amd64 simple-kmod"));
    }

    @Test
    void twoKernelsMakeTwoAffineObjectsAndOneShared() {
        DesiredState state = Rendering.of(configMap("shared", "x") + """
            ---
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: own, %s}
            """.formatted(AFFINE))
                .on(Nodes.node("a", Nodes.K1), Nodes.node("b", Nodes.K2))
                .state();
        assertThat(state.problems()).isEmpty();
        assertThat(state.shared()).hasSize(1).allMatch(desired -> desired.pool() == null);
        assertThat(state.byPool().values().stream().flatMap(List::stream))
                .extracting(desired -> desired.object().ref().name())
                .containsExactlyInAnyOrder("own-b657a71de7fad62f", "own-e383247e62b56585");
    }

    @Test
    void digestIsStableAndChangesWithTheContent() {
        KubeObject one = Rendering.of(configMap("a", "1")).object();
        assertThat(Rendering.of(configMap("a", "1")).object()).isEqualTo(one);
        assertThat(Rendering.of(configMap("a", "2")).object().annotation(MetadataKeys.APPLIED))
                .isPresent()
                .isNotEqualTo(one.annotation(MetadataKeys.APPLIED));
    }

    @Test
    void secretTextsBecomeDataAsTheServerShowsThem() {
        KubeObject object = Rendering.of("""
            apiVersion: v1
            kind: Secret
            metadata: {name: s}
            data: {a: Zmlyc3Q=, b: b2xk}
            stringData: {b: new, "n": 1}
            """).object();
        assertThat(object.map("data")).isEqualTo(Map.of("a", "Zmlyc3Q=", "b", "bmV3", "n", "MQ=="));
        assertThat(object.tree()).doesNotContainKey("stringData");
    }

    @Test
    void bytesInSeveralLinesStandInOneAsTheServerShowsThem() {
        assertThat(Rendering.of("""
            apiVersion: v1
            kind: Secret
            metadata: {name: s}
            data: {a: "Zmly\\nc3Q=\\n", b: b2xk}
            """).object().map("data")).isEqualTo(Map.of("a", "Zmlyc3Q=", "b", "b2xk"));
        assertThat(Rendering.of("""
            apiVersion: apiregistration.k8s.io/v1
            kind: APIService
            metadata: {name: v1.a}
            spec: {caBundle: "Zmly\\r\\nc3Q="}
            """).object().map("spec")).isEqualTo(Map.of("caBundle", "Zmlyc3Q="));
    }

    @Test
    void aJobStaysWhenItHasEnded() {
        assertThat(Rendering.of("""
            apiVersion: batch/v1
            kind: Job
            metadata: {name: j}
            spec: {ttlSecondsAfterFinished: 60, backoffLimit: 1}
            """).object().map("spec"))
                .containsEntry("backoffLimit", 1)
                .doesNotContainKey("ttlSecondsAfterFinished");
    }

    @Test
    void fieldsThatOnlyTheServerWritesAreLeftOut() {
        KubeObject object = Rendering.of("""
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: c.example.com, creationTimestamp: null, resourceVersion: "5", uid: u, generation: 2}
            status: {acceptedNames: {kind: "", plural: ""}, conditions: [], storedVersions: []}
            """).object();
        assertThat(object.tree()).doesNotContainKey("status");
        assertThat(object.metadata()).containsOnlyKeys("name", "labels", "annotations", "ownerReferences");
    }

    @ParameterizedTest
    @CsvSource({"DaemonSet,64", "Job,64", "Service,64", "ConfigMap,254"})
    void aNameThatIsTooLongIsAProblemBeforeItIsWritten(String kind, int longest) {
        String manifest = """
            apiVersion: v1
            kind: %s
            metadata: {name: "%s", %s}
            """;
        // The suffix takes nothing from it: what it leaves no room for is cut.
        assertThat(code(
                        Rendering.of(manifest.formatted(kind, "a".repeat(longest - 1), AFFINE))
                                .state(),
                        pool()))
                .isEqualTo("none");
        DesiredState state = Rendering.of(manifest.formatted(kind, "a".repeat(longest), AFFINE))
                .state();
        assertThat(code(state, pool())).isEqualTo("NameTooLong");
        assertThat(problem(state, pool()).owner()).isEqualTo(Problem.Owner.USER);
    }

    @Test
    void aSharedObjectThatComesOutDifferentlyIsAProblemOfThatPoolOnly() {
        DesiredState state = Rendering.of(configMap("a", "${kernelFullVersion}"))
                .on(Nodes.node("a", Nodes.K1), Nodes.node("b", Nodes.K2))
                .state();
        assertThat(state.problems().values()).extracting(Problem::code).containsExactly("NotKernelAffine");
        assertThat(state.problems().values().iterator().next().message()).contains(MetadataKeys.KERNEL_AFFINE);
        assertThat(state.shared()).hasSize(1);
    }

    @Test
    void aPoolThatCannotBeRenderedGetsNoneOfItsObjects() {
        String affine = """
            ---
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: %s, %s}
            """;
        DesiredState state = Rendering.of(affine.formatted("a", AFFINE) + configMap("b", "${kernelFullVersion}"))
                .on(Nodes.node("a", Nodes.K1), Nodes.node("b", Nodes.K2))
                .state();
        String broken = state.problems().keySet().iterator().next();
        assertThat(state.byPool().get(broken)).isEmpty();
        assertThat(state.byPool().values().stream().mapToInt(List::size).sum()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kind: ConfigMap\nmetadata: {name: a}",
                "apiVersion: v1\nmetadata: {name: a}",
                "apiVersion: v1\nkind: ConfigMap",
                "apiVersion: v1\nkind: ConfigMap\nmetadata: text",
                "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: [a]}",
            })
    void anObjectWithoutIdentityIsAnInvalidManifest(String yaml) {
        assertThat(code(Rendering.of(yaml).state(), pool())).isEqualTo("InvalidManifest");
    }

    @Test
    void theSameObjectTwiceInAStateIsAProblem() {
        assertThat(code(Rendering.of(configMap("a", "1") + configMap("a", "2")).state(), pool()))
                .isEqualTo("DuplicateObject");
    }

    @Test
    void theSameObjectInTwoStatesIsAProblemOfTheLaterOne() {
        List<DesiredState> states = Rendering.of(
                        State.of("1000-a", text(configMap("c", "1"))), State.of("2000-b", text(configMap("c", "1"))))
                .states();
        assertThat(states.get(0).problems()).isEmpty();
        assertThat(states.get(0).shared()).hasSize(1);
        assertThat(code(states.get(1), "")).isEqualTo("DuplicateObject");
        assertThat(problem(states.get(1), "").message()).contains("1000-a", "2000-b", "ConfigMap");
        assertThat(states.get(1).shared()).isEmpty();
    }

    @Test
    void aClusterStateIsRenderedOnceAndHasNoPoolVariables() {
        State.Builder state = State.builder().id("1000-x").scope(State.Scope.CLUSTER);
        DesiredState good = Rendering.of(
                        state.addManifests(text(configMap("a", "${name}"))).build())
                .on(Nodes.node("a", Nodes.K1), Nodes.node("b", Nodes.K2))
                .state();
        assertThat(good.shared()).hasSize(1);
        assertThat(good.byPool().values()).hasSize(2).allMatch(List::isEmpty);
        DesiredState bad = Rendering.of(State.builder()
                        .id("1000-x")
                        .scope(State.Scope.CLUSTER)
                        .addManifests(text(configMap("a", "${kernelFullVersion}")))
                        .build())
                .state();
        assertThat(code(bad, "")).isEqualTo("UndefinedVariable");
    }

    @Test
    void aKernelAffineObjectInAClusterStateIsAProblem() {
        DesiredState state = Rendering.of(State.builder()
                        .id("1000-x")
                        .scope(State.Scope.CLUSTER)
                        .addManifests(text("""
                            apiVersion: v1
                            kind: ConfigMap
                            metadata: {name: a, %s}
                            """.formatted(AFFINE)))
                        .build())
                .state();
        assertThat(code(state, "")).isEqualTo("KernelAffineOutsidePool");
    }

    @Test
    void objectsOfThePluginAreCompletedLikeText() {
        Rendering rendering = Rendering.of(State.of(
                "1000-x",
                ManifestTemplate.objects(
                        "objects",
                        new ConfigMapBuilder()
                                .withNewMetadata()
                                .withName("${name}-c")
                                .endMetadata()
                                .addToData("k", "${mine}")
                                .build())));
        rendering.plugin.variables = (context, pool) -> Map.of("mine", pool.architecture());
        KubeObject object = rendering.object();
        assertThat(object.ref().toString()).isEqualTo("ConfigMap simple-kmod/simple-kmod-c");
        assertThat(object.map("data")).isEqualTo(Map.of("k", "amd64"));
        assertThat(object.label(MetadataKeys.OWNED)).contains("true");
    }

    @Test
    void hooksOfThePluginSeeTextAndObjectsBeforeThoseOfSro() {
        Rendering rendering = Rendering.of(configMap("a", "@@") + configMap("b", "1"));
        rendering.plugin.beforeDecode = text -> text.replace("@@", "hooked");
        rendering.plugin.afterDecode = object -> {
            assertThat(object.getMetadata().getLabels()).isNullOrEmpty();
            return object.getMetadata().getName().equals("b") ? Optional.empty() : Optional.of(object);
        };
        assertThat(rendering.object().map("data")).isEqualTo(Map.of("k", "hooked"));
    }

    @Test
    void aPluginThatThrowsIsAProblemOfThePool() {
        Rendering rendering = Rendering.of(configMap("a", "1"));
        rendering.plugin.afterDecode = object -> {
            throw new IllegalStateException("boom");
        };
        DesiredState state = rendering.state();
        assertThat(code(state, pool())).isEqualTo("PluginError");
        assertThat(problem(state, pool()).message()).contains("kmod", "afterDecode", "boom");
    }

    @Test
    void aVariableOfThePluginCannotReplaceOneOfSro() {
        Rendering rendering = Rendering.of(configMap("a", "1"));
        rendering.plugin.variables = (context, pool) -> Map.of("name", "other");
        assertThat(code(rendering.state(), pool())).isEqualTo("VariableRedefined");
    }

    private static String pool() {
        return "rhcos8.4-" + Nodes.K1;
    }
}
