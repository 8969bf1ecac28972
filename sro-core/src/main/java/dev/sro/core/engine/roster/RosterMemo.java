package dev.sro.core.engine.roster;

import dev.sro.api.DeviceMatcher;
import dev.sro.api.NodeFacts;
import dev.sro.api.Problem;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.Specs;
import dev.sro.core.pool.ServedNodes;
import dev.sro.core.recipe.NodeAnswers;
import dev.sro.core.recipe.Recipe;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the last roster of a special resource, so that a plan looks at the nodes that changed and passes over the others. Only a
 * plain one is remembered: every node that is selected is served, none is left over from before, and no other special resource
 * takes any; whatever is different is worked out anew. It changes the cost of a roster, never the roster. Guarded by the
 * resource session that has it.
 */
// Identity is the point: caches hand out the same object until it changes.
@SuppressWarnings("ReferenceEquality")
public final class RosterMemo {

    /**
     * @param nodes all of the cluster, in the order of the caches
     * @param answers of the recipe, by name of the node
     */
    private record CachedRoster(
            Recipe recipe,
            Map<String, String> selector,
            List<ObservedNode> nodes,
            Map<String, NodeAnswers> answers,
            Roster roster) {}

    private @Nullable CachedRoster known;

    /** As {@link Roster#of}. */
    public Roster of(
            SpecialResource resource,
            Recipe recipe,
            Collection<ObservedNode> all,
            Function<List<ObservedNode>, Map<String, Problem>> takers,
            Predicate<ObservedNode> excuse) {
        List<ObservedNode> nodes = List.copyOf(all);
        Map<String, String> selector = Specs.of(resource).getNodeSelector();
        String manager = MetadataKeys.nodeManager(resource.getMetadata().getName());
        CachedRoster before = known;
        known = null;
        if (before != null && before.recipe == recipe && before.selector.equals(selector)) {
            CachedRoster next = updated(before, nodes, manager);
            if (next != null
                    && takers.apply(List.copyOf(next.roster.members().values())).isEmpty()) {
                known = next;
                return next.roster;
            }
        }
        Roster.Judged judged = Roster.judge(resource, recipe, nodes, takers, excuse);
        if (judged.isPlain()) {
            known = new CachedRoster(recipe, Map.copyOf(selector), nodes, judged.answers(), judged.roster());
        }
        return judged.roster();
    }

    /** Null where the roster is another one, or may be. */
    private static @Nullable CachedRoster updated(CachedRoster before, List<ObservedNode> nodes, String manager) {
        if (nodes.size() != before.nodes.size()) {
            return null;
        }
        List<ObservedNode> changed = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            ObservedNode node = nodes.get(i);
            ObservedNode old = before.nodes.get(i);
            if (node == old) {
                continue;
            }
            boolean selected = ServedNodes.matches(node.facts(), before.selector);
            boolean member = before.roster.members().containsKey(old.name());
            if (!node.name().equals(old.name())
                    || selected != member
                    || (selected
                            ? !isOfOnePool(node.facts(), old.facts())
                            : node.appliedLabels().containsKey(manager))) {
                return null;
            }
            if (selected) {
                changed.add(node);
            }
        }
        if (changed.isEmpty()) {
            return new CachedRoster(before.recipe, before.selector, nodes, before.answers, before.roster);
        }
        Map<String, NodeAnswers> said =
                before.recipe.answers(changed.stream().map(ObservedNode::facts).toList());
        Map<String, ObservedNode> members = new LinkedHashMap<>(before.roster.members());
        for (ObservedNode node : changed) {
            NodeAnswers now = said.get(node.name());
            if (now == null
                    || now.presence() != DeviceMatcher.Presence.PRESENT
                    || !now.equals(before.answers.get(node.name()))) {
                return null;
            }
            members.put(node.name(), node);
        }
        Roster last = before.roster;
        boolean tainted = (last.tainted() ? members.values() : changed)
                .stream().anyMatch(node -> !node.facts().taints().isEmpty());
        Roster roster = new Roster(
                members, last.pools(), last.strays(), last.problems(), last.labels(), tainted, last.handovers());
        return new CachedRoster(before.recipe, before.selector, nodes, before.answers, roster);
    }

    private static boolean isOfOnePool(NodeFacts node, NodeFacts old) {
        return node.kernel().equals(old.kernel())
                && node.os().equals(old.os())
                && node.architecture().equals(old.architecture());
    }
}
