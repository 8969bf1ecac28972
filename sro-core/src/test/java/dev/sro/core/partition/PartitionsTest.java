package dev.sro.core.partition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.DeviceMatcher;
import dev.sro.api.NodeFacts;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.Problem;
import dev.sro.api.RecipeContext;
import dev.sro.api.StateGraph;
import dev.sro.api.device.Exposure;
import dev.sro.api.device.ResourceExposure;
import dev.sro.api.operation.NodeTaint;
import dev.sro.api.operation.Scheduling;
import dev.sro.api.operation.SchedulingPolicy;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.fixture.Resources;
import dev.sro.core.fixture.States;
import dev.sro.core.plugin.Plugins;
import dev.sro.core.recipe.PluginGuard;
import dev.sro.core.recipe.Recipe;
import dev.sro.core.recipe.RecipeResolver;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What special resource and recipe say of partitioning, in today's words and in those of SRO v1. */
class PartitionsTest {

    private static final class Vendor implements AcceleratorPlugin, SchedulingPolicy, ResourceExposure, DeviceMatcher {
        @Override
        public PluginDescriptor descriptor() {
            return PluginDescriptor.of("vendor", "1.0.0", "Test Vendor");
        }

        @Override
        public StateGraph states(RecipeContext context) {
            return StateGraph.chain(States.driver());
        }

        @Override
        public Scheduling scheduling(RecipeContext context) {
            return Scheduling.builder()
                    .addTaints(new NodeTaint("acme.com/card", "", NodeTaint.Effect.NO_EXECUTE))
                    .putPriorityClasses("card-high", 2000)
                    .build();
        }

        @Override
        public Exposure exposure(RecipeContext context) {
            return Exposure.devicePlugin("acme.com/card", "acme.com/half-card");
        }

        @Override
        public Presence match(NodeFacts node, RecipeContext context) {
            return Presence.PRESENT;
        }
    }

    private static final class Silent implements AcceleratorPlugin {
        @Override
        public PluginDescriptor descriptor() {
            return PluginDescriptor.of("vendor", "1.0.0", "Test Vendor");
        }

        @Override
        public StateGraph states(RecipeContext context) {
            return StateGraph.chain(States.driver());
        }
    }

    private static SpecialResource resource(String spec) {
        return Serialization.unmarshal(
                "apiVersion: sro.openshift.io/v1beta1\nkind: SpecialResource\nmetadata: {name: gpu, uid: u1}\nspec:\n"
                        + "  namespace: gpu\n  plugin: {name: vendor}\n" + spec.indent(2),
                SpecialResource.class);
    }

    private static Recipe recipe(SpecialResource resource, AcceleratorPlugin plugin) {
        return Objects.requireNonNull(new RecipeResolver(Plugins.of(plugin), PluginGuard.direct())
                .resolve(new RecipeContext(resource, Resources.CLUSTER))
                .recipe());
    }

    private static Partition of(String spec) {
        SpecialResource resource = resource(spec);
        assertThat(PartitionChecks.check(Resources.spec(resource))).isEmpty();
        return Partitions.resolve(resource, recipe(resource, new Vendor()));
    }

    private static List<String> problems(String spec, AcceleratorPlugin plugin) {
        SpecialResource resource = resource(spec);
        List<Problem> problems = PartitionChecks.check(Resources.spec(resource));
        if (problems.isEmpty()) {
            Recipe recipe = recipe(resource, plugin);
            problems = Partitions.check(resource, recipe, Partitions.resolve(resource, recipe));
        }
        assertThat(problems).allMatch(problem -> problem.code().equals("InvalidPartitioning"));
        return problems.stream().map(Problem::message).toList();
    }

    @Test
    void nothingIsPartitionedUnlessAskedFor() {
        assertThat(of("")).isEqualTo(Partition.NONE);
        assertThat(of("schedulingType: None\ntaints: [{key: a/b, effect: NoSchedule}]"))
                .isEqualTo(Partition.NONE);
    }

    @Test
    void emptyMeansWhatThePluginSays() {
        Partition partition = of("partitioning: {hard: {}, soft: {defaultClass: card-high}}");

        assertThat(partition.taintTexts()).containsExactly("acme.com/card:NoExecute");
        assertThat(partition.classes())
                .containsExactly(new PriorityClassSpec("card-high", 2000, PriorityClassSpec.PREEMPTS, ""));
        assertThat(partition.resources()).containsExactly("acme.com/card", "acme.com/half-card");
        assertThat(partition.operandTolerations())
                .containsExactly(Map.of("key", "acme.com/card", "operator", "Exists", "effect", "NoExecute"));
    }

    @Test
    void theSpecialResourceGoesBeforeThePlugin() {
        Partition partition = of("partitioning: {resources: [nvidia.com/*], deviceClasses: [gpu.nvidia.com], hard:"
                + " {taints: [{key: nvidia.com/gpu, value: present}]}, tolerations: [{key: acme.com/x, operator:"
                + " Exists}]}");

        assertThat(partition.taintTexts()).containsExactly("nvidia.com/gpu=present:NoSchedule");
        assertThat(partition.podRules().resources())
                .containsExactly("nvidia.com/*", "deviceclass.resource.kubernetes.io/gpu.nvidia.com");
        assertThat(partition.operandTolerations())
                .containsExactly(
                        Map.of("key", "acme.com/x", "operator", "Exists"),
                        Map.of("key", "nvidia.com/gpu", "operator", "Exists", "effect", "NoSchedule"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"TaintsTolerations", "TaintsToleration"})
    void taintsOfVersion1AreHardPartitioning(String type) {
        Partition partition = of("schedulingType: " + type + "\ntaints: [{key: nvidia.com/gpu, value: NA, effect:"
                + " NoSchedule}]\npriorityClasses: [{metadata: {name: x}, value: 1}]");
        assertThat(partition.taintTexts()).containsExactly("nvidia.com/gpu=NA:NoSchedule");
        assertThat(partition.classes()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PriorityPreemption", "PrioriyPreemption"})
    void priorityClassesOfVersion1AreSoftPartitioning(String type) {
        Partition partition = of("schedulingType: " + type + """

            priorityClasses:
            - apiVersion: scheduling.k8s.io/v1
              kind: PriorityClass
              metadata: {name: gpu-high-priority}
              value: 1000000
              globalDefault: false
              description: for pods with a GPU
            - metadata: {name: gpu-low-priority}
              value: 100000
              preemptionPolicy: Never
            """);
        assertThat(partition.classes())
                .containsExactly(
                        new PriorityClassSpec(
                                "gpu-high-priority", 1_000_000, PriorityClassSpec.PREEMPTS, "for pods with a GPU"),
                        new PriorityClassSpec("gpu-low-priority", 100_000, "Never", ""));
        assertThat(partition.taints()).isEmpty();
    }

    @Test
    void oldAndNewFieldsMaySayTheSame() {
        String taints = "[{key: nvidia.com/gpu, value: NA, effect: NoSchedule}]";
        assertThat(of("schedulingType: TaintsTolerations\ntaints: " + taints + "\npartitioning: {hard: {taints: "
                                + taints + "}}")
                        .taintTexts())
                .containsExactly("nvidia.com/gpu=NA:NoSchedule");
    }

    @Test
    void oldAndNewFieldsThatContradictAreRefused() {
        assertThat(problems(
                        "schedulingType: TaintsTolerations\ntaints: [{key: a/b}]\npartitioning: {hard: {taints:"
                                + " [{key: a/c}]}}",
                        new Vendor()))
                .singleElement()
                .asString()
                .contains("spec.schedulingType", "remove schedulingType, taints and priorityClasses");
        assertThat(problems("schedulingType: None\npartitioning: {hard: {}}", new Vendor()))
                .hasSize(1);
        assertThat(problems(
                        "schedulingType: PriorityPreemption\npartitioning: {hard: {taints: [{key: a/b}]}}",
                        new Vendor()))
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "partitioning: {hard: {taints: [{key: node.kubernetes.io/x}]}}",
                "partitioning: {hard: {taints: [{key: 'a b'}]}}",
                "partitioning: {hard: {taints: [{key: a/b}, {key: a/b, value: c}]}}",
                "{readinessTaint: {key: a/b}, partitioning: {hard: {taints: [{key: a/b}]}}}",
                "partitioning: {soft: {priorityClasses: [{name: a, value: 1, globalDefault: true}]}}",
                "partitioning: {soft: {priorityClasses: [{name: system-a, value: 1}]}}",
                "partitioning: {soft: {priorityClasses: [{name: a, value: 2000000000}]}}",
                "partitioning: {soft: {priorityClasses: [{name: a}]}}",
                "partitioning: {soft: {priorityClasses: [{name: a, value: 1}, {name: a, value: 2}]}}",
                "partitioning: {soft: {priorityClasses: [{name: a, value: 1}], defaultClass: b}}",
                "partitioning: {resources: [gpu], hard: {}}",
                "partitioning: {deviceClasses: [a/b], hard: {}}",
                "{schedulingType: PriorityPreemption, priorityClasses: [{value: 1}]}",
            })
    void whatCannotBeIsRefused(String spec) {
        String block =
                spec.startsWith("{") ? spec.substring(1, spec.length() - 1).replace(", p", "\np") : spec;
        assertThat(problems(block, new Vendor())).hasSize(1);
    }

    @Test
    void aRecipeThatKnowsNoDeviceNeedsANodeSelectorForTaints() {
        assertThat(problems("partitioning: {hard: {taints: [{key: a/b}]}}", new Silent()))
                .singleElement()
                .asString()
                .contains("every node of the cluster", "set spec.nodeSelector");
        assertThat(problems("nodeSelector: {a: b}\npartitioning: {hard: {taints: [{key: a/b}]}}", new Silent()))
                .isEmpty();
    }

    @Test
    void whatNobodySaysIsAskedFor() {
        assertThat(problems("nodeSelector: {a: b}\npartitioning: {hard: {}, soft: {}}", new Silent()))
                .hasSize(2)
                .allMatch(message -> message.contains("the recipe has none"));
        assertThat(problems(
                        "partitioning: {soft: {priorityClasses: [{name: a, value: 1}], defaultClass: a}}",
                        new Silent()))
                .singleElement()
                .asString()
                .contains("set spec.partitioning.resources");
    }
}
