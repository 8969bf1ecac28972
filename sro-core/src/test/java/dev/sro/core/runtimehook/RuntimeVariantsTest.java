package dev.sro.core.runtimehook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.ClusterFacts;
import dev.sro.api.KernelVersion;
import dev.sro.api.NodeFacts;
import dev.sro.api.OsRelease;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.api.device.Decoration;
import dev.sro.api.device.RuntimeConfiguration;
import dev.sro.api.device.RuntimeHook;
import dev.sro.api.resource.PluginReference;
import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceSpec;
import dev.sro.core.plugin.Plugins;
import dev.sro.core.recipe.PluginGuard;
import dev.sro.core.recipe.Recipe;
import dev.sro.core.recipe.RecipeResolver;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class RuntimeVariantsTest {

    private static final String KEY = "sro.dev/runtime-nic";

    private final RuntimeVariants book = new RuntimeVariants();
    private final Nics plugin = new Nics();
    private final Recipe recipe = recipe(plugin);

    /** Nodes with the label nic get the device that it names. */
    private static final class Nics implements AcceleratorPlugin, RuntimeHook {
        private int calls;

        @Override
        public PluginDescriptor descriptor() {
            return PluginDescriptor.of("nic", "1.0.0", "Example");
        }

        @Override
        public StateGraph states(RecipeContext context) {
            return StateGraph.chain(State.of("1000-a"));
        }

        @Override
        public RuntimeConfiguration runtime(NodeFacts node, RecipeContext context) {
            calls++;
            String nic = node.labels().get("nic");
            RuntimeConfiguration.Builder runtime = RuntimeConfiguration.builder();
            if (nic != null) {
                runtime.nri(true)
                        .addDecorations(Decoration.builder()
                                .kind("vendor.example/nic")
                                .addDevices("/dev/" + nic)
                                .build());
            }
            return runtime.build();
        }
    }

    private static Recipe recipe(AcceleratorPlugin plugin) {
        PluginReference reference = new PluginReference();
        reference.setName("nic");
        SpecialResourceSpec spec = new SpecialResourceSpec();
        spec.setPlugin(reference);
        SpecialResource resource = new SpecialResource();
        resource.setMetadata(new ObjectMetaBuilder().withName("nic").build());
        resource.setSpec(spec);
        return Objects.requireNonNull(new RecipeResolver(Plugins.of(plugin), PluginGuard.direct())
                .resolve(new RecipeContext(resource, ClusterFacts.builder().build()))
                .recipe());
    }

    private static NodeFacts node(String name, Map<String, String> labels) {
        return NodeFacts.builder()
                .name(name)
                .kernel(new KernelVersion("6.1.0"))
                .os(new OsRelease("debian", "12"))
                .architecture("amd64")
                .labels(labels)
                .build();
    }

    private RuntimeVariants.VariantAssignment prepare(List<NodeFacts> nodes, Map<String, Map<String, String>> labels) {
        return book.prepare("nic", RuntimeState.DEFAULT_IMAGE, recipe, nodes, labels);
    }

    private static String variant(RuntimeVariants.VariantAssignment prepared, String node) {
        return String.valueOf(prepared.labels().getOrDefault(node, Map.of()).get(KEY));
    }

    @Test
    void groupsNodesAndAddsToTheLabelsThatThereAre() {
        RuntimeVariants.VariantAssignment prepared = prepare(
                List.of(
                        node("a", Map.of("nic", "x")),
                        node("b", Map.of("nic", "x", "other", "y")),
                        node("c", Map.of("nic", "z")),
                        node("d", Map.of())),
                Map.of("a", Map.of("mine", "1"), "d", Map.of("mine", "2")));

        RuntimeState state = prepared.state().orElseThrow();
        assertThat(state.variants()).hasSize(2);
        assertThat(prepared.labels().get("a")).containsEntry("mine", "1").containsKey(KEY);
        assertThat(prepared.labels().get("b")).containsOnlyKeys(KEY);
        assertThat(prepared.labels().get("d")).isEqualTo(Map.of("mine", "2"));
        assertThat(state.variants()).containsOnlyKeys(variant(prepared, "a"), variant(prepared, "c"));
        assertThat(prepared.warnings()).singleElement().asString().contains("Node Resource Interface");
    }

    @Test
    void nothingIsMadeAnewWhileNothingChanges() {
        List<NodeFacts> nodes = List.of(node("a", Map.of("nic", "x")), node("b", Map.of("nic", "x")));
        Map<String, Map<String, String>> labels = Map.of("a", Map.of("mine", "1"));
        RuntimeVariants.VariantAssignment first = prepare(nodes, labels);
        int asked = plugin.calls;

        RuntimeVariants.VariantAssignment again = prepare(nodes, labels);

        assertThat(plugin.calls).isEqualTo(asked);
        assertThat(again.state()).isEqualTo(first.state());
        // Nodes are passed over by the identity of their labels.
        assertThat(again.labels().get("a")).isSameAs(first.labels().get("a"));
        assertThat(again.labels().get("b")).isSameAs(first.labels().get("b"));
    }

    @Test
    void aNodeWhoseLabelsAreGoneForTheMomentKeepsWhatItHas() {
        String held = variant(prepare(List.of(node("a", Map.of("nic", "x"))), Map.of()), "a");

        for (int i = 0; i < 3; i++) {
            RuntimeVariants.VariantAssignment without =
                    prepare(List.of(node("a", Map.of())), Map.of("a", Map.of(KEY, held)));

            assertThat(without.state().orElseThrow().variants()).containsOnlyKeys(held);
            assertThat(without.labels().get("a")).containsEntry(KEY, held);
        }
        assertThat(prepare(List.of(node("a", Map.of())), Map.of())
                        .state()
                        .orElseThrow()
                        .variants())
                .isEmpty();
    }
}
