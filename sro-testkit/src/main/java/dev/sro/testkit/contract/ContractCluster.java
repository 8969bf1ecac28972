package dev.sro.testkit.contract;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.ClusterFacts;
import dev.sro.api.NodeFacts;
import dev.sro.api.Pool;
import dev.sro.api.PoolKeyProvider;
import dev.sro.api.Problem;
import dev.sro.api.RecipeContext;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.client.codec.Fabric8Codec;
import dev.sro.core.client.discovery.Kinds;
import dev.sro.core.driver.DriverRequests;
import dev.sro.core.driver.Drivers;
import dev.sro.core.driver.TagCatalogue;
import dev.sro.core.facts.NodeProjector;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.manifest.Renderer;
import dev.sro.core.plugin.Plugins;
import dev.sro.core.pool.Pools;
import dev.sro.core.recipe.PluginGuard;
import dev.sro.core.recipe.Recipe;
import dev.sro.core.recipe.RecipeResolver;
import dev.sro.core.runtimehook.RuntimeState;
import dev.sro.core.runtimehook.RuntimeVariants;
import dev.sro.testkit.operator.SroSandbox;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/** A recipe outside of the engine, for the nodes of a sandbox. Confined to one thread. */
final class ContractCluster {

    private final KubernetesSerialization serialization = new KubernetesSerialization();
    private final Fabric8Codec codec = new Fabric8Codec(serialization);
    private final ClusterFacts facts;
    private final List<NodeFacts> nodes;
    private final SpecialResource resource;

    ContractCluster(SroSandbox sandbox, String yaml) {
        this(
                Kinds.discover(sandbox.client()).facts(),
                sandbox.client().nodes().list().getItems().stream()
                        .map(NodeProjector::project)
                        .flatMap(Optional::stream)
                        .map(ObservedNode::facts)
                        .toList(),
                new KubernetesSerialization().unmarshal(yaml, SpecialResource.class));
    }

    ContractCluster(ClusterFacts facts, List<NodeFacts> nodes, SpecialResource resource) {
        this.facts = facts;
        this.nodes = List.copyOf(nodes);
        // A copy: it gets the id that an API server would give it.
        this.resource = serialization.clone(resource);
        this.resource.getMetadata().setUid("00000000-0000-0000-0000-000000000001");
    }

    /** The context that the engine would hand to the plugin: with defaults and conversion. */
    RecipeContext context(AcceleratorPlugin plugin) {
        return recipe(plugin).context();
    }

    Recipe recipe(AcceleratorPlugin plugin) {
        RecipeResolver.Resolution resolution = resolve(plugin);
        Recipe recipe = resolution.recipe();
        if (recipe == null) {
            throw new AssertionError("there is no recipe for the special resource: " + resolution.problems());
        }
        return recipe;
    }

    /** Whether there is a recipe for the special resource. */
    boolean resolves(AcceleratorPlugin plugin) {
        return resolve(plugin).recipe() != null;
    }

    private RecipeResolver.Resolution resolve(AcceleratorPlugin plugin) {
        return new RecipeResolver(Plugins.of(plugin), PluginGuard.direct()).resolve(new RecipeContext(resource, facts));
    }

    List<NodeFacts> nodes() {
        return nodes;
    }

    /** The pools of the nodes of the sandbox. */
    List<Pool> pools(AcceleratorPlugin plugin) {
        return pools(plugin, nodes());
    }

    List<Pool> pools(AcceleratorPlugin plugin, List<NodeFacts> of) {
        RecipeContext context = context(plugin);
        return Pools.group(
                of.stream()
                        .map(node -> new ObservedNode(node, "uid-" + node.name(), Map.of()))
                        .toList(),
                node -> plugin instanceof PoolKeyProvider keys ? poolKey(keys, node, context) : Map.of());
    }

    private static Map<String, String> poolKey(PoolKeyProvider keys, NodeFacts node, RecipeContext context) {
        try {
            return keys.poolKey(node, context);
        } catch (RuntimeException e) {
            throw new AssertionError(
                    keys.getClass().getName() + ".poolKey() on node " + node.name() + " threw " + e, e);
        }
    }

    /** The same for a special resource with another name. */
    ContractCluster named(String name) {
        resource.getMetadata().setName(name);
        return this;
    }

    /** Every problem on the way to objects. */
    List<Problem> problems(AcceleratorPlugin plugin) {
        RecipeResolver.Resolution resolution = resolve(plugin);
        return resolution.recipe() == null
                ? resolution.problems()
                : rendered(plugin).stream()
                        .flatMap(state -> state.problems().values().stream())
                        .toList();
    }

    List<DesiredState> rendered(AcceleratorPlugin plugin) {
        return rendered(plugin, (recipe, drivers) -> drivers);
    }

    /** The same, and what SRO makes of {@code runtime()}. */
    List<DesiredState> renderedWithRuntime(AcceleratorPlugin plugin) {
        return rendered(
                plugin,
                (recipe, drivers) -> new RuntimeVariants()
                        .prepare(resource.getMetadata().getName(), RuntimeState.DEFAULT_IMAGE, recipe, nodes, Map.of())
                        .state()
                        .map(drivers::and)
                        .orElse(drivers));
    }

    private List<DesiredState> rendered(AcceleratorPlugin plugin, BiFunction<Recipe, Drivers, Drivers> more) {
        String namespace =
                resource.getSpec() == null || resource.getSpec().getNamespace().isEmpty()
                        ? resource.getMetadata().getName()
                        : resource.getSpec().getNamespace();
        Recipe recipe = recipe(plugin);
        List<Pool> pools = pools(plugin);
        Drivers drivers = new DriverRequests(TagCatalogue.builtIn()).assumed(recipe, namespace, pools);
        return new Renderer(codec).render(recipe, namespace, pools, more.apply(recipe, drivers));
    }
}
