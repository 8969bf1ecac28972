package dev.sro.core.engine.relation;

import dev.sro.api.DeviceMatcher;
import dev.sro.api.NodeFacts;
import dev.sro.api.Problem;
import dev.sro.api.RecipeContext;
import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceSpec;
import dev.sro.core.engine.port.ClusterReader;
import dev.sro.core.engine.roster.ResourcePrecedence;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.manifest.AccountManifests;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.Operands;
import dev.sro.core.model.RecipeAccount;
import dev.sro.core.model.RecipeAccounts;
import dev.sro.core.model.Specs;
import dev.sro.core.pool.ServedNodes;
import dev.sro.core.recipe.NodeAnswers;
import dev.sro.core.recipe.Recipe;
import dev.sro.core.recipe.RecipeFailure;
import dev.sro.core.recipe.RecipeResolver;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a special resource has to leave to others: nodes that an older one takes, with the same plugin or beside which it may not be,
 * and a namespace that several of them use. Keeps no state; thread-safe.
 */
public final class ResourceConflicts {

    private static final Logger LOG = LoggerFactory.getLogger(ResourceConflicts.class);

    private final ClusterReader reader;
    private final RecipeResolver resolver;

    public ResourceConflicts(ClusterReader reader, RecipeResolver resolver) {
        this.reader = reader;
        this.resolver = resolver;
    }

    private List<SpecialResource> others(SpecialResource resource) {
        return reader.specialResources().stream()
                .filter(other -> !Objects.equals(
                        other.getMetadata().getName(), resource.getMetadata().getName()))
                .toList();
    }

    /**
     * Why some of these nodes have to be left to older special resources, by node name: to one with the same plugin, and to any of a
     * plugin, where one of the two plugins has a rule that says so. A rule decides for special resources of its own plugin, too.
     */
    public Map<String, Problem> takers(
            SpecialResource resource,
            Recipe recipe,
            Collection<ObservedNode> nodes,
            RivalRecipes recipes,
            Instant now) {
        Map<String, Problem> problems = new HashMap<>();
        List<SpecialResource> rivals = rivals(resource, recipe);
        recipes.retain(
                rivals.stream().map(rival -> rival.getMetadata().getName()).collect(Collectors.toSet()));
        rivals.forEach(rival -> {
            Map<String, String> selector = Specs.of(rival).getNodeSelector();
            List<ObservedNode> selected = nodes.stream()
                    .filter(node -> !problems.containsKey(node.name()))
                    // What it holds is its own until it lets go of it, whatever it selects now.
                    .filter(node -> ServedNodes.matches(node.facts(), selector)
                            || ResourcePrecedence.holdsState(
                                    node,
                                    MetadataKeys.nodeManager(rival.getMetadata().getName())))
                    .toList();
            if (!selected.isEmpty()) {
                Recipe other = rivalRecipe(resource, rival, recipes, now);
                problems.putAll(verdicts(resource, recipe, rival, other, taken(rival, other, selected)));
            }
        });
        return problems;
    }

    /** Older ones that may take nodes from this one. Charts name no device: any number of them may be on a node. */
    private List<SpecialResource> rivals(SpecialResource resource, Recipe recipe) {
        return plugin(resource) == null
                ? List.of()
                : others(resource).stream()
                        .filter(other -> !ResourcePrecedence.isLeaving(other) && plugin(other) != null)
                        .filter(other -> ResourcePrecedence.AGE.compare(other, resource) < 0)
                        .filter(other ->
                                isSame(other, resource) || recipe.judgesConflicts() || resolver.judgesConflicts(other))
                        .sorted(ResourcePrecedence.AGE)
                        .toList();
    }

    private static boolean isSame(SpecialResource one, SpecialResource other) {
        return Objects.equals(plugin(one), plugin(other));
    }

    /** Null where it has none now, or must not be asked. */
    private @Nullable Recipe rivalRecipe(
            SpecialResource resource, SpecialResource rival, RivalRecipes recipes, Instant now) {
        return ResourcePrecedence.isUnmanaged(rival) || !SpecChecks.check(rival).isEmpty()
                ? null
                : recipes.of(String.valueOf(rival.getMetadata().getName()))
                        .resolve(rival, resource.getMetadata().getName(), reader.cluster(), resolver, now)
                        .recipe();
    }

    /** What is said of the nodes that the older one takes. */
    private Map<String, Problem> verdicts(
            SpecialResource resource,
            Recipe recipe,
            SpecialResource rival,
            @Nullable Recipe other,
            List<ObservedNode> taken) {
        Map<String, Problem> verdicts = new HashMap<>();
        List<NodeFacts> facts = taken.stream().map(ObservedNode::facts).toList();
        if (taken.isEmpty()) {
            return verdicts;
        }
        if (isSame(resource, rival) && !recipe.judgesConflicts()) {
            facts.forEach(node -> verdicts.put(node.name(), taken(node, resource, rival)));
            return verdicts;
        }
        if (other != null && other.judgesConflicts() && !isSame(resource, rival)) {
            try {
                verdicts.putAll(other.conflicts(recipe.context(), facts));
            } catch (RecipeFailure e) {
                // A fault of the other plugin takes nothing from this special resource, whose user cannot mend it.
                LOG.atWarn()
                        .addKeyValue("specialResource", rival.getMetadata().getName())
                        .log("The conflict rule gave no answer: {}", e.problem().message());
            }
        }
        if (recipe.judgesConflicts()) {
            RecipeContext context = other == null ? new RecipeContext(rival, reader.cluster()) : other.context();
            verdicts.putAll(recipe.conflicts(context, facts));
        }
        return verdicts;
    }

    private static Problem taken(NodeFacts node, SpecialResource resource, SpecialResource rival) {
        String name = rival.getMetadata().getName();
        return Problem.user(
                "NodeTaken",
                "node " + node.name() + " is served by SpecialResource " + name + ", which is older and has the same"
                        + " recipe; narrow spec.nodeSelector of "
                        + resource.getMetadata().getName() + " or of "
                        + name);
    }

    /** What it holds already, and what its plugin finds the device on; where that cannot be told, all of them. */
    private static List<ObservedNode> taken(
            SpecialResource rival, @Nullable Recipe recipe, List<ObservedNode> selected) {
        Map<String, NodeAnswers> answers = Map.of();
        boolean unknown = false;
        try {
            answers = recipe == null
                    ? Map.of()
                    : recipe.answers(selected.stream().map(ObservedNode::facts).toList());
        } catch (RecipeFailure e) {
            // Two drivers on one node are worse than none for a while.
            unknown = true;
        }
        Map<String, NodeAnswers> said = answers;
        boolean all = unknown;
        String manager = MetadataKeys.nodeManager(rival.getMetadata().getName());
        return selected.stream()
                .filter(node -> all || ResourcePrecedence.holdsState(node, manager) || hasDevice(said.get(node.name())))
                .toList();
    }

    private static boolean hasDevice(@Nullable NodeAnswers answers) {
        return answers != null && answers.presence() == DeviceMatcher.Presence.PRESENT;
    }

    private static @Nullable String plugin(SpecialResource resource) {
        SpecialResourceSpec spec = resource.getSpec();
        return spec == null || spec.getPlugin() == null
                ? null
                : spec.getPlugin().getName();
    }

    /** What is known of the namespace and of who else uses it. */
    public record Sharing(Map<ObjectRef, KubeObject> owned, boolean inUse, boolean foreign) {}

    /**
     * What a special resource owns. The namespace is among it for the one that made it; when that one went first, for the
     * oldest of those that stay. It is not for one that goes while others stay.
     */
    public Sharing sharing(SpecialResource resource) {
        String name = resource.getMetadata().getName();
        String namespace = Operands.namespace(resource);
        ObjectRef ref = new ObjectRef("v1", "Namespace", "", namespace);
        Map<ObjectRef, KubeObject> owned = new HashMap<>(reader.owned(name));
        List<SpecialResource> sharers = others(resource).stream()
                .filter(other -> Operands.namespace(other).equals(namespace))
                .toList();
        boolean othersStay = sharers.stream().anyMatch(other -> !ResourcePrecedence.isLeaving(other));
        if (ResourcePrecedence.isLeaving(resource) && othersStay) {
            owned.remove(ref);
            // Garbage collection takes the account; those that stay make it anew.
            owned.values().removeIf(AccountManifests::isOne);
        }
        Optional<KubeObject> left = reader.leftNamespace(namespace);
        boolean heir = ResourcePrecedence.isLeaving(resource)
                ? !othersStay && isFirst(resource, sharers)
                : isFirst(
                        resource,
                        sharers.stream()
                                .filter(other -> !ResourcePrecedence.isLeaving(other))
                                .toList());
        boolean takesOver = left.isPresent() && heir;
        if (takesOver) {
            owned.put(ref, left.get());
        }
        // Who goes as well takes its own operands away, in its own order.
        boolean inUse = ResourcePrecedence.isLeaving(resource)
                && (owned.containsKey(ref) || owned.values().stream().anyMatch(AccountManifests::isOne))
                && sharers.stream().anyMatch(this::hasOperands);
        return new Sharing(owned, inUse, !takesOver && reader.isForeignNamespace(namespace, name));
    }

    /** The account that the special resource has to make: not one that another one made in the same namespace. */
    public Optional<RecipeAccount> account(SpecialResource resource, RecipeAccounts accounts) {
        return accounts.made(resource)
                .filter(account -> others(resource).stream()
                        .noneMatch(other -> reader.owned(
                                        String.valueOf(other.getMetadata().getName()))
                                .containsKey(AccountManifests.ref(account))));
    }

    private boolean hasOperands(SpecialResource resource) {
        return reader.owned(resource.getMetadata().getName()).values().stream()
                .anyMatch(live -> !live.ref().kind().equals("Namespace")
                        && !AccountManifests.isOne(live)
                        && !"true".equals(live.annotation(MetadataKeys.KEEP).orElse("")));
    }

    private static boolean isFirst(SpecialResource resource, List<SpecialResource> others) {
        return others.stream().allMatch(other -> ResourcePrecedence.AGE.compare(resource, other) < 0);
    }
}
