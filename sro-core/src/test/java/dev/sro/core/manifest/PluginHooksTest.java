package dev.sro.core.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.BoundHook;
import dev.sro.api.ManifestHook;
import dev.sro.api.ManifestHooks;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.fixture.Nodes;
import dev.sro.core.fixture.Resources;
import dev.sro.core.model.ImageMirrors;
import dev.sro.core.model.KubeObject;
import dev.sro.core.plugin.Plugins;
import dev.sro.core.pool.Pools;
import dev.sro.core.recipe.PluginGuard;
import dev.sro.core.recipe.RecipeResolver;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Hooks of plugins: what they are bound to, and in which order they run. */
class PluginHooksTest {

    private static final String RECIPE = """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: settings, annotations: {example.com/hook: stamp}}
        data: {where: WHERE}
        ---
        apiVersion: v1
        kind: ServiceAccount
        metadata: {name: runner}
        """;

    /** Writes its name into an annotation of what it sees. */
    private record Stamp(String name) implements ManifestHook {
        @Override
        public Optional<GenericKubernetesResource> afterDecode(GenericKubernetesResource object, Context context) {
            Map<String, String> annotations = new TreeMap<>(
                    Objects.requireNonNullElse(object.getMetadata().getAnnotations(), Map.of()));
            annotations.merge("stamps", name, (before, mine) -> before + "," + mine);
            object.getMetadata().setAnnotations(annotations);
            return Optional.of(object);
        }
    }

    private record Replace(String word, String by) implements ManifestHook {
        @Override
        public String beforeDecode(String text, Context context) {
            return text.replace(word, by);
        }
    }

    private record Vendor(String name, List<BoundHook> manifestHooks, List<String> states)
            implements AcceleratorPlugin, ManifestHooks {
        @Override
        public PluginDescriptor descriptor() {
            return PluginDescriptor.of(name, "1.0.0", "Vendor");
        }

        @Override
        public StateGraph states(RecipeContext context) {
            return StateGraph.chain(states.stream()
                    .map(id ->
                            State.of(id, ManifestTemplate.text("x.yaml", RECIPE.replace("settings", "settings-" + id))))
                    .toList());
        }
    }

    private static BoundHook.Builder stamp(String name) {
        return BoundHook.builder().name(name).hook(new Stamp(name));
    }

    /** Stamps by name of the object. */
    private static Map<String, String> stamps(AcceleratorPlugin... plugins) {
        return objects(plugins).stream()
                .collect(Collectors.toMap(
                        object -> object.ref().name(),
                        object -> object.annotation("stamps").orElse(""),
                        (one, other) -> one));
    }

    private static List<KubeObject> objects(AcceleratorPlugin... plugins) {
        SpecialResource resource =
                Resources.resource("acme", plugins[0].descriptor().name(), Map.of());
        RecipeResolver resolver = new RecipeResolver(Plugins.of(plugins), PluginGuard.direct());
        var recipe = Objects.requireNonNull(
                resolver.resolve(new RecipeContext(resource, Resources.CLUSTER)).recipe());
        return new Renderer(Resources.CODEC, ImageMirrors.NONE, resolver::sharedHooks)
                .render(recipe, "acme", Pools.group(List.of(Nodes.node("n1", Nodes.K1)), node -> Map.of())).stream()
                        .flatMap(state -> state.shared().stream())
                        .map(Desired::object)
                        .toList();
    }

    private static Vendor vendor(BoundHook... hooks) {
        return new Vendor("vendor", List.of(hooks), List.of("0000-a", "1000-b"));
    }

    @Test
    void aHookWithoutBindingSeesEverything() {
        assertThat(stamps(vendor(stamp("all").build())))
                .isEqualTo(Map.of("settings-0000-a", "all", "settings-1000-b", "all", "runner", "all"));
    }

    @Test
    void bindsByKind() {
        assertThat(stamps(vendor(stamp("accounts").addKinds("ServiceAccount").build())))
                .isEqualTo(Map.of("settings-0000-a", "", "settings-1000-b", "", "runner", "accounts"));
    }

    @Test
    void bindsByAnnotationAndItsValue() {
        assertThat(stamps(vendor(
                        stamp("stamp")
                                .putAnnotations("example.com/hook", "st.mp")
                                .build(),
                        stamp("other").putAnnotations("example.com/hook", "st").build())))
                .containsEntry("settings-0000-a", "stamp")
                .containsEntry("runner", "");
    }

    @Test
    void bindsByNameAndByState() {
        assertThat(stamps(vendor(
                        stamp("name").objectName("settings-.*").build(),
                        stamp("state").state("0.*").addKinds("ConfigMap").build())))
                .isEqualTo(Map.of("settings-0000-a", "name,state", "settings-1000-b", "name", "runner", ""));
    }

    @Test
    void runsInTheOrderThatTheHooksSayAndThenByName() {
        assertThat(stamps(vendor(
                        stamp("late").order(5).build(),
                        stamp("b").build(),
                        stamp("early").order(-1).build(),
                        stamp("a").build())))
                .containsEntry("runner", "early,a,b,late");
    }

    @Test
    void aTextHookSeesTheTextsOfItsStates() {
        assertThat(objects(vendor(BoundHook.builder()
                        .name("text")
                        .state("1000-b")
                        .hook(new Replace("WHERE", "\"there\""))
                        .build())))
                .filteredOn(object -> object.ref().kind().equals("ConfigMap"))
                .extracting(object -> object.map("data").get("where"))
                .containsExactly("WHERE", "there");
    }

    @Test
    void aHookForAllRecipesSeesWhatAsksForItInThoseOfOthers() {
        Vendor recipe = new Vendor("recipe", List.of(), List.of("0000-a"));
        Vendor helper = vendor(
                stamp("helper")
                        .putAnnotations("example.com/hook", "stamp")
                        .allRecipes(true)
                        .build(),
                stamp("own").build());

        assertThat(stamps(recipe, helper)).isEqualTo(Map.of("settings-0000-a", "helper", "runner", ""));
    }

    @Test
    void aHookForAllRecipesHasToBeAskedFor() {
        assertThatThrownBy(() -> stamp("greedy").allRecipes(true).build())
                .hasMessage("BoundHook.annotations of greedy: a hook for all recipes has to be bound to an annotation");
    }

    @Test
    void aHookThatFailsIsNamed() {
        Vendor vendor = vendor(BoundHook.builder()
                .name("broken")
                .hook(new ManifestHook() {
                    @Override
                    public Optional<GenericKubernetesResource> afterDecode(
                            GenericKubernetesResource object, Context context) {
                        throw new IllegalStateException("oh");
                    }
                })
                .build());
        SpecialResource resource = Resources.resource("acme", "vendor", Map.of());
        var recipe = Objects.requireNonNull(new RecipeResolver(Plugins.of(vendor), PluginGuard.direct())
                .resolve(new RecipeContext(resource, Resources.CLUSTER))
                .recipe());

        assertThat(new Renderer(Resources.CODEC)
                        .render(recipe, "acme", Pools.group(List.of(Nodes.node("n1", Nodes.K1)), node -> Map.of()))
                        .get(0)
                        .problems()
                        .values())
                .singleElement()
                .satisfies(problem -> assertThat(problem.message()).contains("afterDecode of broken", "oh"));
    }
}
