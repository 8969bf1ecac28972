package dev.sro.core.engine;

import dev.sro.api.DeviceMatcher;
import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceSpec;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.Marks;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.Operands;
import dev.sro.core.pool.Selection;
import dev.sro.core.recipe.NodeAnswers;
import dev.sro.core.recipe.Recipe;
import dev.sro.core.recipe.RecipeFailure;
import dev.sro.core.recipe.RecipeResolver;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a special resource has to leave to others: nodes that an older one with the same recipe takes, and a namespace that
 * several of them use. Keeps no state; thread-safe.
 */
final class Neighbours {

    /** The oldest first. */
    static final Comparator<SpecialResource> AGE = Comparator.comparing(
                    (SpecialResource r) -> String.valueOf(r.getMetadata().getCreationTimestamp()))
            .thenComparing(r -> r.getMetadata().getName());

    private final ClusterReader reader;
    private final RecipeResolver resolver;

    Neighbours(ClusterReader reader, RecipeResolver resolver) {
        this.reader = reader;
        this.resolver = resolver;
    }

    /** Whether it is being deleted, or everything of it is to be removed. */
    static boolean isLeaving(SpecialResource resource) {
        return resource.getMetadata().getDeletionTimestamp() != null || "Removed".equals(management(resource));
    }

    /** Whether SRO keeps its hands off. */
    static boolean isUnmanaged(SpecialResource resource) {
        return "Unmanaged".equals(management(resource));
    }

    private static @Nullable String management(SpecialResource resource) {
        return resource.getSpec() == null ? null : resource.getSpec().getManagementState();
    }

    private List<SpecialResource> others(SpecialResource resource) {
        return reader.specialResources().stream()
                .filter(other -> !Objects.equals(
                        other.getMetadata().getName(), resource.getMetadata().getName()))
                .toList();
    }

    /** Which of these nodes older special resources with the same recipe take: their names by node name. */
    Map<String, String> takers(SpecialResource resource, Collection<ObservedNode> nodes, Memory memory, Instant now) {
        Map<String, String> takers = new HashMap<>();
        if (plugin(resource) == null) {
            // Charts name no device: any number of them may be on a node.
            return takers;
        }
        others(resource).stream()
                .filter(other -> !isLeaving(other))
                .filter(other -> Objects.equals(plugin(other), plugin(resource)))
                .filter(other -> AGE.compare(other, resource) < 0)
                .sorted(AGE)
                .forEach(rival -> {
                    Map<String, String> selector =
                            rival.getSpec() == null ? Map.of() : rival.getSpec().getNodeSelector();
                    List<ObservedNode> selected = nodes.stream()
                            .filter(node -> !takers.containsKey(node.name()))
                            // What it holds is its own until it lets go of it, whatever it selects now.
                            .filter(node -> Selection.matches(node.facts(), selector)
                                    || holdsState(
                                            node,
                                            Marks.nodeManager(
                                                    rival.getMetadata().getName())))
                            .toList();
                    String name = rival.getMetadata().getName();
                    taken(rival, selected, memory, now).forEach(node -> takers.put(node, name));
                });
        return takers;
    }

    /** What it holds already, and what its plugin finds the device on; where that cannot be told, all of them. */
    private List<String> taken(SpecialResource rival, List<ObservedNode> selected, Memory memory, Instant now) {
        if (selected.isEmpty()) {
            return List.of();
        }
        Map<String, NodeAnswers> answers = Map.of();
        boolean unknown = false;
        if (!isUnmanaged(rival) && SpecChecks.check(rival).isEmpty()) {
            Recipe recipe = memory.rival(String.valueOf(rival.getMetadata().getName()))
                    .resolve(rival, reader.cluster(), resolver, now)
                    .recipe();
            try {
                answers = recipe == null
                        ? Map.of()
                        : recipe.answers(
                                selected.stream().map(ObservedNode::facts).toList());
            } catch (RecipeFailure e) {
                // Two drivers on one node are worse than none for a while.
                unknown = true;
            }
        }
        Map<String, NodeAnswers> said = answers;
        boolean all = unknown;
        String manager = Marks.nodeManager(rival.getMetadata().getName());
        return selected.stream()
                .filter(node -> all || holdsState(node, manager) || hasDevice(said.get(node.name())))
                .map(ObservedNode::name)
                .toList();
    }

    private static boolean hasDevice(@Nullable NodeAnswers answers) {
        return answers != null && answers.presence() == DeviceMatcher.Presence.PRESENT;
    }

    /** Whether the manager's special resource has reached a state on the node. */
    static boolean holdsState(ObservedNode node, String manager) {
        return node.appliedLabels().getOrDefault(manager, Set.of()).stream()
                .anyMatch(label -> label.startsWith(Marks.STATE_LABEL_PREFIX));
    }

    private static @Nullable String plugin(SpecialResource resource) {
        SpecialResourceSpec spec = resource.getSpec();
        return spec == null || spec.getPlugin() == null
                ? null
                : spec.getPlugin().getName();
    }

    /** What is known of the namespace and of who else uses it. */
    record Sharing(Map<ObjectRef, KubeObject> owned, boolean inUse, boolean foreign) {}

    /**
     * What a special resource owns. The namespace is among it for the one that made it; when that one went first, for the
     * oldest of those that stay. It is not for one that goes while others stay.
     */
    Sharing sharing(SpecialResource resource) {
        String name = resource.getMetadata().getName();
        String namespace = Operands.namespace(resource);
        ObjectRef ref = new ObjectRef("v1", "Namespace", "", namespace);
        Map<ObjectRef, KubeObject> owned = new HashMap<>(reader.owned(name));
        List<SpecialResource> sharers = others(resource).stream()
                .filter(other -> Operands.namespace(other).equals(namespace))
                .toList();
        boolean othersStay = sharers.stream().anyMatch(other -> !isLeaving(other));
        if (isLeaving(resource) && othersStay) {
            owned.remove(ref);
        }
        Optional<KubeObject> left = reader.leftNamespace(namespace);
        boolean heir = isLeaving(resource)
                ? !othersStay && isFirst(resource, sharers)
                : isFirst(
                        resource,
                        sharers.stream().filter(other -> !isLeaving(other)).toList());
        boolean takesOver = left.isPresent() && heir;
        if (takesOver) {
            owned.put(ref, left.get());
        }
        // Who goes as well takes its own operands away, in its own order.
        boolean inUse = isLeaving(resource)
                && owned.containsKey(ref)
                && sharers.stream().anyMatch(this::hasOperands);
        return new Sharing(owned, inUse, !takesOver && reader.isForeignNamespace(namespace, name));
    }

    private boolean hasOperands(SpecialResource resource) {
        return reader.owned(resource.getMetadata().getName()).values().stream()
                .anyMatch(live -> !live.ref().kind().equals("Namespace")
                        && !"true".equals(live.annotation(Marks.KEEP).orElse("")));
    }

    private static boolean isFirst(SpecialResource resource, List<SpecialResource> others) {
        return others.stream().allMatch(other -> AGE.compare(resource, other) < 0);
    }
}
