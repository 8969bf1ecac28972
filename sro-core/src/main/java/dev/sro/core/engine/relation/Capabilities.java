package dev.sro.core.engine.relation;

import dev.sro.api.DeviceMatcher;
import dev.sro.api.State;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.engine.port.ClusterReader;
import dev.sro.core.engine.roster.ResourcePrecedence;
import dev.sro.core.engine.roster.Roster;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.Specs;
import dev.sro.core.pool.ReadinessTaints;
import dev.sro.core.pool.ServedNodes;
import dev.sro.core.recipe.NodeAnswers;
import dev.sro.core.recipe.Recipe;
import dev.sro.core.recipe.RecipeFailure;
import dev.sro.core.recipe.RecipeResolver;
import io.fabric8.kubernetes.api.model.Toleration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What states wait for that special resources of other vendors bring to a node, and on which nodes they may go ahead. Decided anew in each
 * trip from the recipes, the nodes and their labels; keeps no state of its own. Thread-safe.
 */
public final class Capabilities {

    private static final String OPEN = "Ready";

    private final ClusterReader reader;
    private final RecipeResolver resolver;

    public Capabilities(ClusterReader reader, RecipeResolver resolver) {
        this.reader = reader;
        this.resolver = resolver;
    }

    /**
     * Where the states of a special resource may go ahead.
     *
     * @param roster with the labels that open the gates
     * @param awaited by id of a state and node: what is waited for
     * @param providers names of the special resources that are waited for anywhere
     * @param warnings cycles
     */
    public record Assessment(
            Roster roster,
            Map<String, Map<String, String>> awaited,
            SortedSet<String> providers,
            List<String> warnings) {

        static Assessment none(Roster roster) {
            return new Assessment(roster, Map.of(), new TreeSet<>(), List.of());
        }
    }

    public Assessment of(
            SpecialResource resource,
            Recipe recipe,
            Roster roster,
            RivalRecipes rivals,
            GateLabelMemo memo,
            Instant now) {
        List<State> waiting = recipe.graph().states().stream()
                .filter(state -> !state.afterCapabilities().isEmpty())
                .toList();
        if (waiting.isEmpty()) {
            return Assessment.none(roster);
        }
        String name = resource.getMetadata().getName();
        SortedMap<String, Recipe> recipes = others(name, rivals, now);
        CapabilityGraph graph = new CapabilityGraph(name, recipe, recipes);
        Map<String, Map<String, String>> awaited = new HashMap<>();
        SortedSet<String> providers = new TreeSet<>();
        for (State state : waiting) {
            Map<String, String> byNode = new HashMap<>();
            for (CapabilityGraph.Provider provider : graph.providers(state)) {
                providers.add(provider.resource());
                await(byNode, provider, Objects.requireNonNull(recipes.get(provider.resource())), roster);
            }
            awaited.put(state.id(), byNode);
        }
        return new Assessment(labelled(name, waiting, awaited, roster, memo), awaited, providers, graph.warnings());
    }

    /** Recipes of the other special resources, by name. */
    private SortedMap<String, Recipe> others(String name, RivalRecipes rivals, Instant now) {
        SortedMap<String, Recipe> recipes = new TreeMap<>();
        for (SpecialResource other : reader.specialResources()) {
            String its = other.getMetadata().getName();
            boolean counts = !its.equals(name)
                    && !ResourcePrecedence.isLeaving(other)
                    && !ResourcePrecedence.isUnmanaged(other)
                    && SpecChecks.check(other).isEmpty();
            if (counts) {
                Recipe recipe = rivals.of(its)
                        .resolve(other, name, reader.cluster(), resolver, now)
                        .recipe();
                if (recipe != null) {
                    recipes.put(its, recipe);
                }
            }
        }
        return recipes;
    }

    /** Notes the nodes that the provider serves, or will, and has not brought the capability to. */
    private static void await(
            Map<String, String> byNode, CapabilityGraph.Provider provider, Recipe recipe, Roster roster) {
        String manager = MetadataKeys.nodeManager(provider.resource());
        String label = MetadataKeys.capabilityLabel(provider.capability());
        List<ObservedNode> lacking = roster.members().values().stream()
                .filter(node ->
                        !node.appliedLabels().getOrDefault(manager, Set.of()).contains(label))
                .toList();
        for (String node : served(provider.resource(), recipe, lacking)) {
            byNode.putIfAbsent(
                    node,
                    "capability " + provider.capability() + ", which state " + provider.state() + " of SpecialResource "
                            + provider.resource() + " brings to node " + node);
        }
    }

    /** Which of the nodes it serves, or will as soon as it looks at them. */
    private static List<String> served(String name, Recipe recipe, List<ObservedNode> nodes) {
        SpecialResource resource = recipe.context().specialResource();
        Map<String, String> selector = Specs.of(resource).getNodeSelector();
        String manager = MetadataKeys.nodeManager(name);
        String pool = MetadataKeys.poolLabel(name);
        List<Map<String, Object>> tolerations = Stream.concat(
                        recipe.scheduling().tolerations().stream().map(Capabilities::tree),
                        ReadinessTaints.resolve(resource, recipe.scheduling()).stream()
                                .map(ReadinessTaints.Wanted::toleration))
                .toList();
        List<String> served = new ArrayList<>();
        List<ObservedNode> unknown = new ArrayList<>();
        for (ObservedNode node : nodes) {
            boolean has = node.appliedLabels().getOrDefault(manager, Set.of()).contains(pool);
            boolean matches = ServedNodes.matches(node.facts(), selector);
            if (has && matches) {
                served.add(node.name());
            } else if (matches && !ServedNodes.keepsPodsOff(node.facts(), tolerations)) {
                unknown.add(node);
            }
        }
        served.addAll(found(recipe, unknown));
        return served;
    }

    private static List<String> found(Recipe recipe, List<ObservedNode> nodes) {
        if (nodes.isEmpty()) {
            return List.of();
        }
        try {
            Map<String, NodeAnswers> answers =
                    recipe.answers(nodes.stream().map(ObservedNode::facts).toList());
            return nodes.stream()
                    .map(ObservedNode::name)
                    .filter(node -> Optional.ofNullable(answers.get(node))
                            .filter(said -> said.presence() == DeviceMatcher.Presence.PRESENT)
                            .isPresent())
                    .toList();
        } catch (RecipeFailure e) {
            // A plugin that does not answer brings nothing, and says so itself.
            return List.of();
        }
    }

    private static Map<String, Object> tree(Toleration toleration) {
        Map<String, Object> tree = new LinkedHashMap<>();
        put(tree, "key", toleration.getKey());
        put(tree, "operator", toleration.getOperator());
        put(tree, "value", toleration.getValue());
        put(tree, "effect", toleration.getEffect());
        return tree;
    }

    private static void put(Map<String, Object> tree, String key, @Nullable String value) {
        if (value != null) {
            tree.put(key, value);
        }
    }

    /** Adds the label of each gate to the labels of the nodes on which it is open. */
    private static Roster labelled(
            String name,
            List<State> waiting,
            Map<String, Map<String, String>> awaited,
            Roster roster,
            GateLabelMemo memo) {
        Map<String, Map<String, String>> labels = new HashMap<>(roster.labels());
        for (String node : roster.members().keySet()) {
            Map<String, String> own = new HashMap<>(roster.labels().getOrDefault(node, Map.of()));
            for (State state : waiting) {
                if (!awaited.getOrDefault(state.id(), Map.of()).containsKey(node)) {
                    own.put(MetadataKeys.gateLabel(name, state.number()), OPEN);
                }
            }
            labels.put(node, memo.same(node, own));
        }
        memo.keep(labels);
        return roster.labelled(labels);
    }
}
