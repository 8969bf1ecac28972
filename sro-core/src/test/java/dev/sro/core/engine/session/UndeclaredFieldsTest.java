package dev.sro.core.engine.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.Problem;
import dev.sro.api.State;
import dev.sro.core.manifest.AppliedDigest;
import dev.sro.core.manifest.Desired;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.plan.WriteFailure;
import dev.sro.core.yaml.Yaml;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UndeclaredFieldsTest {
    private static final KubeObject BINDING = AppliedDigest.stamp(KubeObject.of(Map.of(
            "apiVersion",
            "rbac.authorization.k8s.io/v1",
            "kind",
            "RoleBinding",
            "metadata",
            Map.of("name", "a", "namespace", "b"),
            "userNames",
            List.of("system:serviceaccount:b:a"))));

    private final UndeclaredFields fields = new UndeclaredFields();
    private final List<String> told = new ArrayList<>();

    private KubeObject strip(
            KubeObject object, Map<ObjectRef, KubeObject> owned, Map<ObjectRef, WriteFailure> failures) {
        DesiredState state = new DesiredState(
                State.of("1000-driver"),
                Set.of(),
                List.of(new Desired(object, "1000-driver", null)),
                Map.of(),
                Map.of());
        return fields.without(List.of(state), owned, failures, told)
                .get(0)
                .shared()
                .get(0)
                .object();
    }

    private static Map<ObjectRef, WriteFailure> refused(String code) {
        Problem problem = Problem.vendor(
                code,
                "RoleBinding b/a: failed to create typed patch object (b/a; rbac.authorization.k8s.io/v1,"
                        + " Kind=RoleBinding): .userNames: field not declared in schema");
        WriteFailure.Tells tells =
                code.equals("UndeclaredField") ? WriteFailure.Tells.UNDECLARED_FIELD : WriteFailure.Tells.THE_ATTEMPT;
        return Map.of(BINDING.ref(), new WriteFailure(problem, Instant.EPOCH, 1, tells));
    }

    @Test
    void leavesAnObjectAloneThatWasNotRefused() {
        assertThat(strip(BINDING, Map.of(), Map.of())).isSameAs(BINDING);
        assertThat(told).isEmpty();
    }

    @Test
    void leavesOutWhatWasRefusedAndSaysSo() {
        KubeObject stripped = strip(BINDING, Map.of(), refused("UndeclaredField"));

        assertThat(stripped.tree()).doesNotContainKey("userNames");
        assertThat(told).singleElement().asString().contains("RoleBinding", ".userNames");
    }

    @Test
    void remembersItWhenTheFailureIsForgotten() {
        KubeObject first = strip(BINDING, Map.of(), refused("UndeclaredField"));

        assertThat(strip(BINDING, Map.of(), Map.of())).isEqualTo(first);
    }

    @Test
    void findsItOnTheObjectAfterARestart() {
        KubeObject live = strip(BINDING, Map.of(), refused("UndeclaredField"));

        assertThat(new UndeclaredFieldsTest().strip(BINDING, Map.of(live.ref(), live), Map.of()))
                .isEqualTo(live);
    }

    @Test
    void triesAgainWhenTheManifestChanges() {
        KubeObject live = strip(BINDING, Map.of(), refused("UndeclaredField"));
        KubeObject changed = AppliedDigest.stamp(BINDING.edit(tree -> {
            ValueTrees.ensureMap(tree, "metadata", "annotations").remove(MetadataKeys.APPLIED);
            tree.put("groupNames", List.of("x"));
        }));

        assertThat(strip(changed, Map.of(live.ref(), live), Map.of())).isSameAs(changed);
    }

    @Test
    void takesNoOtherRefusalForThat() {
        assertThat(strip(BINDING, Map.of(), refused("ObjectRefused"))).isSameAs(BINDING);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            .a                        | {b={c=[{name=x, d=1}, {name=y, d=2}]}}
            .b.c[name="y"].d          | {a=1, b={c=[{name=x, d=1}, {name=y}]}}
            .b.c[0].d                 | {a=1, b={c=[{name=x}, {name=y, d=2}]}}
            .b.c[name="z"].d          | {a=1, b={c=[{name=x, d=1}, {name=y, d=2}]}}
            .a.b.c                    | {a=1, b={c=[{name=x, d=1}, {name=y, d=2}]}}
            .b.c[7].d                 | {a=1, b={c=[{name=x, d=1}, {name=y, d=2}]}}
            """)
    void findsTheFieldThatAPathNames(String path, String left) {
        Map<String, Object> tree = ValueTrees.mutableCopy(sorted());

        UndeclaredFields.remove(tree, path);

        assertThat(tree).hasToString(left);
    }

    private static Map<String, Object> sorted() {
        Map<String, Object> tree = new TreeMap<>();
        tree.put("a", 1);
        tree.put("b", Map.of("c", List.of(item("x", 1), item("y", 2))));
        return tree;
    }

    private static Map<String, Object> item(String name, int d) {
        Map<String, Object> item = new LinkedHashMap<>();
        item.put("name", name);
        item.put("d", d);
        return item;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                ".spec.memory | true",
                ".spec.banks[0].size | true",
                ".spec.banks[name=\"a\"].size | true",
                ".spec.labels.anything | true",
                ".spec.free.at.any.depth | true",
                ".spec.none | false",
                ".spec.banks[0].none | false",
            })
    void whatADefinitionOfTheRecipeDeclaresIsKnown(String path, boolean declared) {
        KubeObject definition = KubeObject.of(Yaml.documents("test", """
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: cards.example.com}
                spec:
                  group: example.com
                  names: {kind: Card}
                  versions:
                  - name: v1
                    schema:
                      openAPIV3Schema:
                        properties:
                          spec:
                            properties:
                              memory: {type: string}
                              banks: {items: {properties: {size: {type: integer}}}}
                              labels: {additionalProperties: {type: string}}
                              free: {x-kubernetes-preserve-unknown-fields: true}
                """).get(0));
        DefinitionFields definitions = new DefinitionFields(List.of(BINDING, definition));

        assertThat(definitions.declare(new ObjectRef("example.com/v1", "Card", "", "a"), path))
                .isEqualTo(declared);
        assertThat(definitions.declare(new ObjectRef("example.com/v2", "Card", "", "a"), path))
                .isFalse();
        assertThat(definitions.declare(BINDING.ref(), path)).isFalse();
    }
}
