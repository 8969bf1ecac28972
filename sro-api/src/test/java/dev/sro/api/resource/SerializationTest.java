package dev.sro.api.resource;

import static dev.sro.api.resource.Fixtures.SERIALIZATION;
import static dev.sro.api.resource.Fixtures.parse;
import static dev.sro.api.resource.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.KubernetesResourceUtil;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SerializationTest {
    @ParameterizedTest
    @MethodSource("dev.sro.api.resource.Fixtures#valid")
    void aRoundTripLosesNothingAndAddsNothing(String fixture) {
        String yaml = Fixtures.text(fixture);

        assertThat(tree(SERIALIZATION.asYaml(parse(yaml)))).isEqualTo(tree(yaml));
        assertThat(tree(SERIALIZATION.asJson(parse(yaml)))).isEqualTo(tree(yaml));
    }

    @ParameterizedTest
    @MethodSource("dev.sro.api.resource.Fixtures#valid")
    void equalTextGivesEqualObjects(String fixture) {
        SpecialResource one = parse(Fixtures.text(fixture));

        assertThat(one).isEqualTo(parse(Fixtures.text(fixture))).hasSameHashCodeAs(parse(Fixtures.text(fixture)));
        assertThat(SERIALIZATION.clone(one)).isEqualTo(one).isNotSameAs(one);
    }

    @ParameterizedTest
    @MethodSource("dev.sro.api.resource.Fixtures#valid")
    void everyFieldCountsForEquality(String fixture) {
        SpecialResource whole = parse(Fixtures.text(fixture));
        Map<String, Object> tree = tree(Fixtures.text(fixture));

        for (Runnable[] change : removals(tree)) {
            change[0].run();
            String changed = SERIALIZATION.asYaml(tree);
            assertThat(parse(changed)).as(changed).isNotEqualTo(whole);
            change[1].run();
        }
        assertThat(parse(SERIALIZATION.asYaml(tree))).isEqualTo(whole);
    }

    @Test
    void fieldsOfALaterVersionAreKept() {
        String yaml = """
                apiVersion: sro.openshift.io/v1beta1
                kind: SpecialResource
                metadata: {name: acme}
                later: 1
                spec:
                  namespace: ""
                  later: [a]
                  plugin: {name: acme, later: {a: b}}
                status:
                  later: true
                  nodes: {selected: 1, ready: 1, later: 2}
                  states: [{name: s, outcome: Ready, readyPools: 0, pools: 0, readyNodes: 0, nodes: 0, later: x}]
                """;

        assertThat(tree(SERIALIZATION.asYaml(parse(yaml)))).isEqualTo(tree(yaml));
        SpecialResource other = parse(yaml.replace("later: [a]", "later: [b]"));
        assertThat(other).isNotEqualTo(parse(yaml));
    }

    @Test
    void whatIsNotSetIsNotWritten() {
        SpecialResource resource = new SpecialResource();
        resource.setSpec(new SpecialResourceSpec());
        resource.setStatus(new SpecialResourceStatus());

        assertThat(tree(SERIALIZATION.asYaml(resource)))
                .isEqualTo(Map.of(
                        "apiVersion", "sro.openshift.io/v1beta1",
                        "kind", "SpecialResource",
                        "metadata", Map.of(),
                        "spec", Map.of(),
                        "status", Map.of()));
    }

    @Test
    void whatIsNotSetReadsAsEmpty() {
        SpecialResourceSpec spec = new SpecialResourceSpec();

        assertThat(spec.getNamespace()).isEmpty();
        assertThat(spec.getNodeSelector()).isEmpty();
        assertThat(spec.getSet()).isEmpty();
        assertThat(spec.getDependencies()).isEmpty();
        assertThat(spec.getPlugin()).isNull();
        assertThat(new PluginReference().getConfig()).isEmpty();
        assertThat(new SpecialResourceStatus().getConditions()).isEmpty();
    }

    @Test
    void whatIsSetIsWrittenAsTheApiNamesIt() {
        PluginReference plugin = new PluginReference();
        plugin.setName("acme");
        plugin.setConfig(Map.of("fast", true));
        SpecialResourceSpec spec = new SpecialResourceSpec();
        spec.setNamespace("acme");
        spec.setPlugin(plugin);
        StateStatus state = new StateStatus();
        state.setName("build");
        state.setOutcome(OutcomeKind.WAITING);
        state.setPools(2);
        SpecialResourceStatus status = new SpecialResourceStatus();
        status.setConditions(List.of(new Condition("2026-11-01T10:00:00Z", "", 1L, "BuildRunning", "False", "Ready")));
        status.setStates(List.of(state));
        SpecialResource resource = new SpecialResource();
        resource.getMetadata().setName("acme");
        resource.setSpec(spec);
        resource.setStatus(status);

        String written = """
                apiVersion: sro.openshift.io/v1beta1
                kind: SpecialResource
                metadata: {name: acme}
                spec: {namespace: acme, plugin: {name: acme, config: {fast: true}}}
                status:
                  conditions:
                  - {type: Ready, status: "False", reason: BuildRunning, message: "", observedGeneration: 1,
                     lastTransitionTime: "2026-11-01T10:00:00Z"}
                  states:
                  - {name: build, outcome: Waiting, readyPools: 0, pools: 2, readyNodes: 0, nodes: 0}
                """;
        assertThat(tree(SERIALIZATION.asYaml(resource))).isEqualTo(tree(written));
        assertThat(parse(written)).isEqualTo(resource);
    }

    /** What {@code client.resources(SpecialResource.class)} finds out about a class. */
    @Test
    void theClientKnowsWhereTheResourceLives() {
        ResourceDefinitionContext context = ResourceDefinitionContext.fromResourceType(SpecialResource.class);

        assertThat(context.getGroup()).isEqualTo("sro.openshift.io");
        assertThat(context.getVersion()).isEqualTo("v1beta1");
        assertThat(context.getPlural()).isEqualTo("specialresources");
        assertThat(context.getKind()).isEqualTo("SpecialResource");
        assertThat(context.isNamespaceScoped()).isFalse();
        assertThat(HasMetadata.getSingular(SpecialResource.class)).isEqualTo("specialresource");
        assertThat(KubernetesResourceUtil.inferListType(SpecialResource.class)).isEqualTo(SpecialResourceList.class);
    }

    @Test
    void anUntypedReadGivesTheClass() {
        Object read = SERIALIZATION.unmarshal(Fixtures.text("valid-plugin-minimal.yaml"));

        assertThat(read).isInstanceOf(SpecialResource.class);
    }

    @Test
    void aListReadsAndWritesItsItems() {
        SpecialResourceList list = SERIALIZATION.unmarshal("""
                apiVersion: sro.openshift.io/v1beta1
                kind: SpecialResourceList
                metadata: {resourceVersion: "7"}
                items:
                - metadata: {name: a}
                - {metadata: {name: b}, spec: {namespace: c}}
                """, SpecialResourceList.class);

        assertThat(list.getMetadata().getResourceVersion()).isEqualTo("7");
        assertThat(list.getItems()).extracting(r -> r.getMetadata().getName()).containsExactly("a", "b");
        assertThat(new SpecialResourceList().getApiVersion()).isEqualTo("sro.openshift.io/v1beta1");
        assertThat(new SpecialResourceList().getKind()).isEqualTo("SpecialResourceList");
    }

    @Test
    void passwordsStayOutOfLogs() {
        SpecialResource resource = parse(Fixtures.text("valid-chart-every-field.yaml"));

        assertThat(resource.toString()).contains("charts.example.com").doesNotContain("secret");
    }

    /** Pairs of actions that take one entry out of a tree and put it back, for every entry at any depth below the root. */
    private static List<Runnable[]> removals(Map<String, Object> root) {
        List<Runnable[]> result = new ArrayList<>();
        root.forEach((name, value) -> collect(value, result));
        return result;
    }

    @SuppressWarnings("unchecked")
    private static void collect(Object node, List<Runnable[]> result) {
        if (node instanceof Map<?, ?>) {
            Map<String, Object> map = (Map<String, Object>) node;
            for (Map.Entry<String, Object> entry : List.copyOf(map.entrySet())) {
                String key = entry.getKey();
                Object value = entry.getValue();
                // A count of 0, and what is empty, reads the same whether written or not: ResourceValueTest.
                if (!Set.of(0, "", List.of(), Map.of()).contains(value)) {
                    result.add(new Runnable[] {() -> map.remove(key), () -> map.put(key, value)});
                }
                collect(value, result);
            }
        } else if (node instanceof List<?>) {
            List<Object> list = (List<Object>) node;
            for (int i = 0; i < list.size(); i++) {
                int index = i;
                Object value = list.get(i);
                result.add(new Runnable[] {() -> list.remove(index), () -> list.add(index, value)});
                collect(value, result);
            }
        }
    }
}
