package dev.sro.core.engine;

import dev.sro.api.DeviceMatcher;
import dev.sro.api.NodeFacts;
import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.load.WorkerPods;
import dev.sro.core.manifest.Desired;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.model.Marks;
import dev.sro.core.pool.Pools;
import dev.sro.core.pool.Selection;
import dev.sro.core.recipe.NodeAnswers;
import dev.sro.core.recipe.Recipe;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Which nodes a special resource serves, in which pools. Immutable.
 *
 * @param members nodes that are served, by name
 * @param pools their pools, sorted
 * @param strays nodes that are not served and still carry its labels
 * @param problems nodes that are selected and cannot be served
 * @param labels labels that the plugin asks for, by node name
 */
record Roster(
        Map<String, ObservedNode> members,
        List<Pool> pools,
        List<ObservedNode> strays,
        SortedMap<String, Problem> problems,
        Map<String, Map<String, String>> labels) {

    /** Serves no node; every node that carries our labels is a stray. */
    static Roster empty(String resource, Collection<ObservedNode> nodes) {
        String manager = Marks.nodeManager(resource);
        return new Roster(
                Map.of(),
                List.of(),
                nodes.stream()
                        .filter(node -> node.appliedLabels().containsKey(manager))
                        .toList(),
                new TreeMap<>(),
                Map.of());
    }

    /**
     * @param takers which of the nodes it is given another special resource takes: that one's name by node name
     */
    static Roster of(
            SpecialResource resource,
            Recipe recipe,
            Collection<ObservedNode> nodes,
            Function<List<ObservedNode>, Map<String, String>> takers) {
        return of(resource, recipe, nodes, takers, node -> false);
    }

    /**
     * @param takers which of the nodes it is given another special resource takes: that one's name by node name
     * @param excuse whether it is not known of a node on which the device is not found
     */
    static Roster of(
            SpecialResource resource,
            Recipe recipe,
            Collection<ObservedNode> nodes,
            Function<List<ObservedNode>, Map<String, String>> takers,
            Predicate<ObservedNode> excuse) {
        Map<String, String> selector =
                resource.getSpec() == null ? Map.of() : resource.getSpec().getNodeSelector();
        String manager = Marks.nodeManager(resource.getMetadata().getName());
        List<ObservedNode> selected = new ArrayList<>();
        List<ObservedNode> strays = new ArrayList<>();
        for (ObservedNode node : nodes) {
            if (!Selection.matches(node.facts(), selector)) {
                addIfHolding(strays, node, manager);
            } else {
                selected.add(node);
            }
        }
        Map<String, NodeAnswers> answers = excused(
                recipe.answers(selected.stream().map(ObservedNode::facts).toList()), selected, excuse, manager);
        List<ObservedNode> served = new ArrayList<>();
        for (ObservedNode node : selected) {
            if (serves(node, answers.getOrDefault(node.name(), NO_ANSWER), manager)) {
                served.add(node);
            } else {
                addIfHolding(strays, node, manager);
            }
        }
        SortedMap<String, Problem> problems = new TreeMap<>();
        Map<String, String> taken = takers.apply(served);
        // In the order of the caches, by name, so that pools need not be sorted.
        Map<String, ObservedNode> members = new LinkedHashMap<>(served.size() * 2);
        Map<String, Map<String, String>> labels = new HashMap<>();
        for (ObservedNode node : served) {
            String rival = taken.get(node.name());
            if (rival != null) {
                problems.put(node.name(), taken(node, resource, rival));
                addIfHolding(strays, node, manager);
                continue;
            }
            members.put(node.name(), node);
            NodeAnswers said = answers.getOrDefault(node.name(), NO_ANSWER);
            if (!said.labels().isEmpty()) {
                labels.put(node.name(), said.labels());
            }
        }
        List<Pool> pools = Pools.group(
                members.values(),
                facts -> answers.getOrDefault(facts.name(), NO_ANSWER).poolKey());
        return new Roster(members, pools, strays, problems, labels);
    }

    /**
     * Without the nodes whose taints keep the operands off: known only when the operands are. What runs on a node already is
     * kept.
     *
     * @param own tolerations that every operand has
     * @param states rendered for the pools of this roster
     */
    Roster tolerated(String resource, List<Map<String, Object>> own, List<DesiredState> states) {
        String manager = Marks.nodeManager(resource);
        Map<String, ObservedNode> kept = new HashMap<>(members);
        List<ObservedNode> others = new ArrayList<>(strays);
        List<Pool> left = new ArrayList<>();
        for (Pool pool : pools) {
            List<String> stay = new ArrayList<>();
            for (String name : pool.nodes()) {
                ObservedNode node = members.get(name);
                if (node == null || !isKeptOff(node, manager, pool, own, states)) {
                    stay.add(name);
                } else {
                    kept.remove(name);
                    addIfHolding(others, node, manager);
                }
            }
            if (!stay.isEmpty()) {
                left.add(stay.size() == pool.nodes().size() ? pool : pool.withNodes(stay));
            }
        }
        return kept.size() == members.size() ? this : new Roster(kept, left, others, problems, labels);
    }

    private static boolean isKeptOff(
            ObservedNode node, String manager, Pool pool, List<Map<String, Object>> own, List<DesiredState> states) {
        return Selection.keepsPodsOff(node.facts(), own)
                && !Neighbours.holdsState(node, manager)
                && !isTolerated(node.facts(), pool, states);
    }

    /** Whether the DaemonSets of all states that are reached node by node, and there are any, can have pods on the node. */
    private static boolean isTolerated(NodeFacts node, Pool pool, List<DesiredState> states) {
        boolean any = false;
        for (DesiredState state : states) {
            if (!state.state().perNode()) {
                continue;
            }
            List<Desired> objects = new ArrayList<>(state.shared());
            objects.addAll(state.byPool().getOrDefault(pool.name(), List.of()));
            for (Desired desired : objects) {
                boolean worker = WorkerPods.isTemplate(desired.object());
                if (worker || desired.object().ref().kind().equals("DaemonSet")) {
                    any = true;
                    List<Map<String, Object>> tolerations = worker
                            ? desired.object().maps("template", "spec", "tolerations")
                            : desired.object().maps("spec", "template", "spec", "tolerations");
                    if (Selection.keepsPodsOff(node, tolerations)) {
                        return false;
                    }
                }
            }
        }
        return any;
    }

    private static Map<String, NodeAnswers> excused(
            Map<String, NodeAnswers> answers,
            List<ObservedNode> selected,
            Predicate<ObservedNode> excuse,
            String manager) {
        Map<String, NodeAnswers> result = answers;
        for (ObservedNode node : selected) {
            NodeAnswers said = answers.getOrDefault(node.name(), NO_ANSWER);
            if (said.presence() == DeviceMatcher.Presence.ABSENT && excuse.test(node)) {
                result = result == answers ? new HashMap<>(answers) : result;
                result.put(
                        node.name(),
                        new NodeAnswers(DeviceMatcher.Presence.UNKNOWN, said.poolKey(), heldLabels(node, manager)));
            }
        }
        return result;
    }

    /** What the plugin asked for before, as far as it can be told: whatever is held and not SRO's own. */
    private static Map<String, String> heldLabels(ObservedNode node, String manager) {
        Map<String, String> held = new HashMap<>();
        for (String key : node.appliedLabels().getOrDefault(manager, Set.of())) {
            String value = node.facts().labels().get(key);
            boolean own = key.startsWith(Marks.STATE_LABEL_PREFIX)
                    || key.startsWith(Marks.POOL_LABEL_PREFIX)
                    || key.equals(Marks.KERNEL_LABEL);
            if (value != null && !own) {
                held.put(key, value);
            }
        }
        return held;
    }

    private static final NodeAnswers NO_ANSWER = new NodeAnswers(DeviceMatcher.Presence.UNKNOWN, Map.of(), Map.of());

    private static void addIfHolding(List<ObservedNode> strays, ObservedNode node, String manager) {
        if (node.appliedLabels().containsKey(manager)) {
            strays.add(node);
        }
    }

    /** Where it is not known whether the device is there, what runs is kept. */
    private static boolean serves(ObservedNode node, NodeAnswers said, String manager) {
        return said.presence() == DeviceMatcher.Presence.PRESENT
                || (said.presence() == DeviceMatcher.Presence.UNKNOWN && Neighbours.holdsState(node, manager));
    }

    private static Problem taken(ObservedNode node, SpecialResource resource, String rival) {
        return Problem.user(
                "NodeTaken",
                "node " + node.name() + " is served by SpecialResource " + rival + ", which is older and has the same"
                        + " recipe; narrow spec.nodeSelector of "
                        + resource.getMetadata().getName() + " or of "
                        + rival);
    }
}
