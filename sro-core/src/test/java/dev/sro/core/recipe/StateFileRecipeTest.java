package dev.sro.core.recipe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.Problem;
import dev.sro.api.State;
import dev.sro.api.resource.DriverSpec;
import dev.sro.api.resource.Modprobe;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.fixture.Nodes;
import dev.sro.core.fixture.Recipes;
import dev.sro.core.fixture.Resources;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What objects of numbered manifests and of folders become, by the rules of the generation that they are of. */
class StateFileRecipeTest {

    private static Recipe recipe(Map<String, String> files) {
        return Recipes.files(Recipes.resource("kmod"), Resources.CLUSTER, files);
    }

    private static String object(String kind, String name, String annotations, String rest) {
        return "apiVersion: v1\nkind: " + kind + "\nmetadata:\n  name: " + name + "\n  annotations: {" + annotations
                + "}\n" + rest;
    }

    private static boolean waitsFor(Recipe recipe, String kind) {
        KubeObject live = Recipes.objects(Recipes.rendered(recipe)).stream()
                .filter(object -> object.ref().kind().equals(kind))
                .findFirst()
                .orElseThrow();
        State state = recipe.graph().states().get(0);
        return recipe.probe(live, object -> null, state, Instant.EPOCH).isEmpty();
    }

    @Test
    void withoutAnyFileTheDriverAloneIsWhatThereIsToDo() {
        SpecialResource resource = Recipes.resource("kmod");
        assertThat(Recipes.resolve(resource, Resources.CLUSTER, Map.of()).problems())
                .extracting(Problem::code)
                .containsExactly("NoStates");
        DriverSpec driver = new DriverSpec();
        driver.setModprobe(new Modprobe());
        Resources.spec(resource).setDriver(driver);
        assertThat(Recipes.files(resource, Resources.CLUSTER, Map.of()).graph().states())
                .isEmpty();
        assertThat(Recipes.resolve(resource, Resources.CLUSTER, Map.of("README.md", ""))
                        .problems())
                .extracting(Problem::code)
                .containsExactly("NoStates");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Pod", "BuildConfig", "DaemonSet", "Deployment", "Job"})
    void ofTheGenerationWithoutAnAnnotationForItAllIsWaitedFor(String kind) {
        assertThat(waitsFor(recipe(Map.of("0000-a.yaml", object(kind, "a", "callback: x", ""))), kind))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "specialresource.openshift.io/wait: \"true\"",
                "specialresrouce.openshift.io/wait-for-logs: done",
                "specialresource.openshift.io/wait-for-logs: done",
            })
    void whereOneObjectHasTheAnnotationOthersAreNotWaitedFor(String annotation) {
        Recipe recipe = recipe(Map.of(
                "0000-a.yaml",
                object("Pod", "a", "", ""),
                "1000-b.yaml",
                object("DaemonSet", "b", annotation, "spec: {template: {metadata: {labels: {app: b}}}}\n")));
        assertThat(waitsFor(recipe, "Pod")).isFalse();
    }

    @Test
    void theSpecialResourceIsInTheNamespaceOfItsOperands() {
        Recipe recipe = recipe(Map.of(
                "0000-a.yaml",
                object(
                        "ConfigMap",
                        "a",
                        "",
                        "data: {image: \"registry:5000/"
                                + "{{.SpecialResource.Namespace}}/{{.SpecialResource.ObjectMeta.Namespace}}\"}\n")));
        assertThat(Recipes.objects(Recipes.rendered(recipe)).get(0).map("data"))
                .containsEntry("image", "registry:5000/kmod/kmod");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{{ $labels.node }}: {{$value}}",
                "{{- $labels.gpu -}}",
                "{{gpu}} of {{ instance }}",
                "}} {{ {",
                "no action at all"
            })
    void whatAlertsAndDashboardsHaveIsNoTemplate(String text) {
        Recipe recipe = recipe(Map.of("0000-a.yaml", object("ConfigMap", "a", "", "data: {t: \"" + text + "\"}\n")));
        assertThat(Recipes.objects(Recipes.rendered(recipe)).get(0).map("data")).containsEntry("t", text);
    }

    @Test
    void aVariableThatATemplateDefinesIsItsOwn() {
        Recipe recipe = recipe(Map.of(
                "0000-a.yaml", object("ConfigMap", "a", "", "data: {t: '{{ $k := .KernelVersion }}{{ $k }}'}\n")));
        assertThat(Recipes.objects(Recipes.rendered(recipe)).get(0).map("data")).containsEntry("t", Nodes.K1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{{ .NoSuchThing }}", "{{if}}", "{{ print nothing }}", "{{- .NoSuchThing -}}"})
    void aMistakeInATemplateIsNoText(String text) {
        Recipe recipe = recipe(Map.of("0000-a.yaml", object("ConfigMap", "a", "", "data: {t: '" + text + "'}\n")));
        assertThat(Recipes.rendered(recipe).get(0).problems().values())
                .extracting(Problem::code)
                .containsExactly("TemplateFailed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"CronJob", "ReplicaSet", "DaemonSet"})
    void whateverRunsPodsWithTheKernelInThemIsThereForEachKernel(String kind) {
        Recipe recipe = recipe(Map.of("0000-a.yaml", object(kind, "a", "", "spec: {x: '{{ .KernelVersion }}'}\n")));
        assertThat(Recipes.objects(Recipes.rendered(recipe, Nodes.node("one", Nodes.K1), Nodes.node("two", Nodes.K2))))
                .extracting(object -> object.ref().name())
                .containsExactlyInAnyOrder("a-b657a71de7fad62f", "a-e383247e62b56585");
    }

    @Test
    void theNamespaceOfTheOperandsHasTheMarksThatTheRecipeHasForTheFirstKernel() {
        Recipe recipe = recipe(Map.of("0000-a.yaml", """
            apiVersion: v1
            kind: Namespace
            metadata:
              name: kmod
              labels: {example.com/kernel: "{{ .KernelVersion }}"}
              annotations: {openshift.io/node-selector: ""}
            """));
        Recipes.rendered(recipe, Nodes.node("one", Nodes.K1), Nodes.node("two", Nodes.K2));
        assertThat(recipe.namespaceLabels()).isEqualTo(Map.of("example.com/kernel", Nodes.K2));
        assertThat(recipe.namespaceAnnotations()).isEqualTo(Map.of("openshift.io/node-selector", ""));
    }

    @Test
    void nothingInFoldersIsATemplate() {
        Recipe recipe = recipe(Map.of(
                "state-driver/0100_a.yaml",
                object("ConfigMap", "a", "", "data: {t: '{{ .KernelVersion }} {{pod}}'}\n")));
        assertThat(Recipes.objects(Recipes.rendered(recipe)).get(0).map("data"))
                .containsEntry("t", "{{ .KernelVersion }} {{pod}}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"FILLED BY THE OPERATOR", "FILLED_BY_THE_OPERATOR", "Filled by Operator"})
    void whatTheCodeOfAnotherOperatorFillsIsRefusedAtOnce(String words) {
        List<Problem> problems = Recipes.resolve(
                        Recipes.resource("kmod"),
                        Resources.CLUSTER,
                        Map.of(
                                "state-driver/0500_ds.yaml",
                                object("ConfigMap", "nvidia-driver", "", "data: {image: \"" + words + "\"}\n")))
                .problems();
        assertThat(problems).singleElement().satisfies(problem -> {
            assertThat(problem.code()).isEqualTo("FilledByOtherOperator");
            assertThat(problem.retryable()).isFalse();
            assertThat(problem.message())
                    .contains("state-driver/0500_ds.yaml", "code that SRO is not", "plugin nvidia");
        });
    }

    @Test
    void listsAreTakenApart() {
        Recipe recipe = recipe(Map.of("0000-a.yaml", """
            apiVersion: v1
            kind: List
            items:
            - apiVersion: v1
              kind: ConfigMap
              metadata: {name: one}
            - apiVersion: v1
              kind: ConfigMapList
              items: [{metadata: {name: two}}]
            """));
        assertThat(Recipes.objects(Recipes.rendered(recipe)))
                .extracting(object -> object.ref().kind() + " " + object.ref().name())
                .containsExactly("ConfigMap one", "ConfigMap two");
    }

    @ParameterizedTest
    @ValueSource(ints = {45, 46, 47, 55, 63})
    void theSuffixOfAPoolNeverMakesAPublishedNameTooLong(int length) {
        String name = "n".repeat(length - 4) + "-end";
        Recipe recipe = recipe(Map.of(
                "0000-a.yaml",
                object(
                                "DaemonSet",
                                name,
                                "specialresource.openshift.io/kernel-affine: \"true\"",
                                "spec: {template: {spec: {containers: [{name: c, image: i}]}}}\n")
                        .replace("apiVersion: v1", "apiVersion: apps/v1")));
        List<DesiredState> states = Recipes.rendered(recipe, Nodes.node("a", Nodes.K1), Nodes.node("b", Nodes.K2));
        assertThat(states).allMatch(DesiredState::isComplete);
        assertThat(Recipes.objects(states)).hasSize(2).allSatisfy(object -> {
            assertThat(object.ref().name()).hasSizeLessThanOrEqualTo(63).matches("n+.*-[0-9a-f]{15,16}");
            assertThat(object.map("spec", "selector", "matchLabels"))
                    .containsEntry("app", object.ref().name());
            if (length <= 46) {
                assertThat(object.ref().name()).startsWith(name + "-");
            } else {
                assertThat(object.annotation(MetadataKeys.AFFINE_OF)).contains(name);
            }
        });
        assertThat(Recipes.objects(states))
                .extracting(object -> object.ref().name())
                .doesNotHaveDuplicates();
    }

    @Test
    void aConfigMapHasRoomForTheSuffix() {
        String name = "n".repeat(200);
        Recipe recipe = recipe(Map.of(
                "0000-a.yaml", object("ConfigMap", name, "specialresource.openshift.io/kernel-affine: \"true\"", "")));
        assertThat(Recipes.objects(Recipes.rendered(recipe)).get(0).ref().name())
                .startsWith(name + "-");
    }

    @Test
    void aRecipeOfEndlessObjectsIsRefusedBeforeTheyAreMade() {
        Map<String, String> files = new TreeMap<>();
        String many = (object("ConfigMap", "a", "", "") + "---\n").repeat(1_999);
        for (int i = 0; i < 7; i++) {
            files.put(i + "000-a.yaml", many.replace("name: a", "name: a" + i));
        }
        List<DesiredState> states = Recipes.rendered(recipe(files));
        assertThat(states.get(4).isComplete()).isTrue();
        assertThat(states.get(5).problems().values())
                .singleElement()
                .satisfies(problem -> assertThat(problem.code()).isEqualTo("TooManyObjects"));
    }

    private static KubeObject only(Recipe recipe) {
        return Recipes.objects(Recipes.rendered(recipe)).get(0);
    }

    @Test
    void wordsOfEarly2020AreReplacedInNamesKeysAndValues() {
        KubeObject object = only(recipe(Map.of("0000-a.yaml", """
            apiVersion: apps/v1
            kind: DaemonSet
            metadata:
              name: driver-SPECIALRESOURCE.OPENSHIFT.IO.HARDWARE
              labels: {app: driver-SPECIALRESOURCE.OPENSHIFT.IO.HARDWARE}
              annotations:
                specialresource.openshift.io/inject-runtime-info: "true"
                specialresource.openshift.io/driver-container-vendor: SPECIALRESOURCE.OPENSHIFT.IO.HARDWARE
            spec:
              template:
                spec:
                  containers:
                  - name: c
                    image: "driver:vSPECIALRESOURCE.OPENSHIFT.IO.KERNELVERSION-SPECIALRESOURCE.OPENSHIFT.IO.OPERATINGSYSTEM"
                  nodeSelector:
                    example.com/SPECIALRESOURCE.OPENSHIFT.IO.HARDWARE: "true"
                    feature.node.kubernetes.io/kernel-version.full: SPECIALRESOURCE.OPENSHIFT.IO.KERNELVERSION
            """)));
        assertThat(object.ref().name()).isEqualTo("driver-kmod-b657a71de7fad62f");
        assertThat(object.annotation("specialresource.openshift.io/driver-container-vendor"))
                .contains("kmod");
        assertThat(object.tree().toString())
                .contains("image=driver:v" + Nodes.K1 + "-rhel8", "example.com/kmod=true")
                .doesNotContain("SPECIALRESOURCE");
    }

    @Test
    void suchAWordInANameThatIsForAllKernelsIsOneThatAnObjectCanHave() {
        assertThat(only(recipe(Map.of(
                                "0000-a.yaml",
                                object("ConfigMap", "a-SPECIALRESOURCE.OPENSHIFT.IO.KERNELVERSION", "", ""))))
                        .ref()
                        .name())
                .isEqualTo("a-" + Nodes.K1.replace('_', '-'));
    }

    @Test
    void aWordWithoutAValueLeavesAnEmptyText() {
        assertThat(only(recipe(Map.of(
                                "0000-a.yaml",
                                object(
                                        "ConfigMap",
                                        "a",
                                        "",
                                        "data:\n  feature: SPECIALRESOURCE.OPENSHIFT.IO.NODEFEATURE\n"))))
                        .map("data"))
                .containsEntry("feature", "");
    }

    private static String daemonSet(String name, String state) {
        return object("DaemonSet", name, state, "spec: {template: {metadata: {labels: {app: a}}}}\n")
                .replace("apiVersion: v1", "apiVersion: apps/v1");
    }

    private static String affinity(String key) {
        return "# the operator labels specialresource.openshift.io/driver-container:ready\n"
                + daemonSet("z", "") + "# " + key
                + "\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: k}\ndata:\n"
                + "  key: " + key + "\n";
    }

    @ParameterizedTest
    @CsvSource({
        "specialresource.openshift.io/driver-container, specialresource.openshift.io/driver-container",
        "specialresource.openshift.io/driver-container-kmod, specialresource.openshift.io/driver-container-kmod",
        "'{{.StateName.DriverContainer}}', specialresource.openshift.io/driver-container-kmod",
        "specialresource.openshift.io/driver-container-vendor, specialresource.openshift.io/driver-container-kmod",
        "specialresource.openshift.io/device-plugin, specialresource.openshift.io/driver-container-kmod",
        "nothing, specialresource.openshift.io/driver-container-kmod",
    })
    void nodesGetTheLabelThatTheRecipeLooksFor(String wanted, String label) {
        Recipe recipe = recipe(Map.of(
                "0000-a.yaml",
                daemonSet("a", "specialresource.openshift.io/state: driver-container"),
                "1000-z.yaml",
                affinity(wanted)));
        assertThat(only(recipe).annotation(MetadataKeys.READY_LABEL)).contains(label);
    }

    @ParameterizedTest
    @CsvSource({
        "nvidia-driver-daemonset, driver-container",
        "nvidia-driver-validation-daemonset, driver-validation",
        "nvidia-device-plugin-daemonset, device-plugin",
        "nvidia-dp-validation-daemonset, device-validation",
        "nvidia-dcgm-exporter, device-monitoring",
    })
    void beforeThereWasAnAnnotationNamesSaidIt(String name, String group) {
        String label = "specialresource.openshift.io/" + group;
        assertThat(only(recipe(Map.of("0000-a.yaml", daemonSet(name, ""), "1000-z.yaml", affinity(label))))
                        .annotation(MetadataKeys.READY_LABEL))
                .contains(label);
        assertThat(only(recipe(Map.of("0000-a.yaml", daemonSet(name, "")))).annotation(MetadataKeys.READY_LABEL))
                .isEmpty();
    }
}
