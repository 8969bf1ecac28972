package dev.sro.core.engine.roster;

import dev.sro.api.DeviceMatcher;
import dev.sro.api.NodeFacts;
import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.api.device.Handover;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.driver.CoreOsBuilds;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.load.WorkerPods;
import dev.sro.core.manifest.Desired;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.Specs;
import dev.sro.core.pool.Pools;
import dev.sro.core.pool.ServedNodes;
import dev.sro.core.recipe.NodeAnswers;
import dev.sro.core.recipe.Recipe;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
 * @param labels labels that the plugin asks for, also of strays that the device has left, by node name
 * @param tainted false if no node that is served has any taint
 * @param handovers nodes that go over to another way of offering their devices, by name
 */
public record Roster(
        Map<String, ObservedNode> members,
        List<Pool> pools,
        List<ObservedNode> strays,
        SortedMap<String, Problem> problems,
        Map<String, Map<String, String>> labels,
        boolean tainted,
        Map<String, Handover> handovers) {

    /**
     * A roster with what it was made of.
     *
     * @param answers of the recipe, by name of the node
     */
    record Judged(Roster roster, Map<String, NodeAnswers> answers) {

        /** Whether every node that is selected is served for sure and nothing else is to be said of any. */
        boolean isPlain() {
            return roster.strays.isEmpty()
                    && roster.problems.isEmpty()
                    && answers.size() == roster.members.size()
                    && answers.values().stream().allMatch(said -> said.presence() == DeviceMatcher.Presence.PRESENT);
        }
    }

    /** Serves no node; every node that carries our labels is a stray. */
    public static Roster empty(String resource, Collection<ObservedNode> nodes) {
        String manager = MetadataKeys.nodeManager(resource);
        return new Roster(
                Map.of(),
                List.of(),
                nodes.stream()
                        .filter(node -> isHolding(node, manager, resource))
                        .toList(),
                new TreeMap<>(),
                Map.of(),
                false,
                Map.of());
    }

    /**
     * @param takers which of the nodes it is given have to be left to other special resources, and why, by node name
     */
    public static Roster of(
            SpecialResource resource,
            Recipe recipe,
            Collection<ObservedNode> nodes,
            Function<List<ObservedNode>, Map<String, Problem>> takers) {
        return judge(resource, recipe, nodes, takers, node -> false).roster;
    }

    /**
     * @param takers which of the nodes it is given have to be left to other special resources, and why, by node name
     * @param excuse whether it is not known of a node on which the device is not found
     */
    static Judged judge(
            SpecialResource resource,
            Recipe recipe,
            Collection<ObservedNode> nodes,
            Function<List<ObservedNode>, Map<String, Problem>> takers,
            Predicate<ObservedNode> excuse) {
        Map<String, String> selector = Specs.of(resource).getNodeSelector();
        String name = String.valueOf(resource.getMetadata().getName());
        String manager = MetadataKeys.nodeManager(name);
        List<ObservedNode> selected = new ArrayList<>();
        List<ObservedNode> strays = new ArrayList<>();
        for (ObservedNode node : nodes) {
            if (!ServedNodes.matches(node.facts(), selector)) {
                addIfHolding(strays, node, manager, name);
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
                addIfHolding(strays, node, manager, name);
            }
        }
        Map<String, Map<String, String>> labels = withoutDevice(strays, answers);
        SortedMap<String, Problem> problems = new TreeMap<>();
        Map<String, Problem> taken = takers.apply(served);
        // In the order of the caches, by name, so that pools need not be sorted.
        Map<String, ObservedNode> members = new LinkedHashMap<>(served.size() * 2);
        Map<String, Handover> handovers = new TreeMap<>();
        boolean tainted = false;
        for (ObservedNode node : served) {
            Problem rival = taken.get(node.name());
            if (rival != null) {
                problems.put(node.name(), rival);
                addIfHolding(strays, node, manager, name);
                continue;
            }
            members.put(node.name(), node);
            tainted |= !node.facts().taints().isEmpty();
            NodeAnswers said = answers.getOrDefault(node.name(), NO_ANSWER);
            if (!said.labels().isEmpty()) {
                labels.put(node.name(), said.labels());
            }
            said.handover().ifPresent(handover -> handovers.put(node.name(), handover));
        }
        List<Pool> pools = Pools.group(
                members.values(),
                facts -> answers.getOrDefault(facts.name(), NO_ANSWER).poolKey());
        return new Judged(new Roster(members, pools, strays, problems, labels, tainted, handovers), answers);
    }

    /** What the plugin wants to stay on nodes that are selected and that the device has left. */
    private static Map<String, Map<String, String>> withoutDevice(
            List<ObservedNode> strays, Map<String, NodeAnswers> answers) {
        Map<String, Map<String, String>> labels = new HashMap<>();
        for (ObservedNode stray : strays) {
            NodeAnswers said = answers.getOrDefault(stray.name(), NO_ANSWER);
            if (said.presence() == DeviceMatcher.Presence.ABSENT
                    && !said.labels().isEmpty()) {
                labels.put(stray.name(), said.labels());
            }
        }
        return labels;
    }

    /** The builds of RHEL CoreOS in a pool, by its name. */
    public CoreOsBuilds builds(Pool pool) {
        return CoreOsBuilds.of(pools.stream()
                .filter(one -> one.name().equals(pool.name()))
                .flatMap(one -> one.nodes().stream())
                .map(members::get)
                .filter(Objects::nonNull)
                .map(ObservedNode::facts)
                .toList());
    }

    /** With other labels. */
    public Roster labelled(Map<String, Map<String, String>> other) {
        return new Roster(members, pools, strays, problems, other, tainted, handovers);
    }

    /**
     * Without the nodes whose taints keep the operands off: known only when the operands are. What runs on a node already is
     * kept.
     *
     * @param own tolerations that every operand has
     * @param states rendered for the pools of this roster
     */
    public Roster tolerated(String resource, List<Map<String, Object>> own, List<DesiredState> states) {
        if (!tainted) {
            return this;
        }
        String manager = MetadataKeys.nodeManager(resource);
        Map<String, ObservedNode> kept = new HashMap<>(members);
        List<ObservedNode> others = new ArrayList<>(strays);
        Map<String, Map<String, String>> wanted = new HashMap<>(labels);
        List<Pool> left = new ArrayList<>();
        for (Pool pool : pools) {
            List<String> stay = new ArrayList<>();
            for (String name : pool.nodes()) {
                ObservedNode node = members.get(name);
                if (node == null || !isKeptOff(node, manager, pool, own, states)) {
                    stay.add(name);
                } else {
                    kept.remove(name);
                    wanted.remove(name);
                    addIfHolding(others, node, manager, resource);
                }
            }
            if (!stay.isEmpty()) {
                left.add(stay.size() == pool.nodes().size() ? pool : pool.withNodes(stay));
            }
        }
        return kept.size() == members.size() ? this : new Roster(kept, left, others, problems, wanted, true, handovers);
    }

    private static boolean isKeptOff(
            ObservedNode node, String manager, Pool pool, List<Map<String, Object>> own, List<DesiredState> states) {
        return ServedNodes.keepsPodsOff(node.facts(), own)
                && !ResourcePrecedence.holdsState(node, manager)
                && !isTolerated(node.facts(), pool, states);
    }

    /** Whether the DaemonSets of all states that are reached node by node, and there are any, can have pods on the node. */
    private static boolean isTolerated(NodeFacts node, Pool pool, List<DesiredState> states) {
        boolean any = false;
        for (DesiredState state : states) {
            if (!state.state().reach().byNode()) {
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
                    if (ServedNodes.keepsPodsOff(node, tolerations)) {
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
            boolean own = key.startsWith(MetadataKeys.STATE_LABEL_PREFIX)
                    || key.startsWith(MetadataKeys.POOL_LABEL_PREFIX)
                    || key.startsWith(MetadataKeys.CAPABILITY_LABEL_PREFIX)
                    || key.startsWith(MetadataKeys.GATE_LABEL_PREFIX)
                    || key.equals(MetadataKeys.KERNEL_LABEL);
            if (value != null && !own) {
                held.put(key, value);
            }
        }
        return held;
    }

    private static final NodeAnswers NO_ANSWER = new NodeAnswers(DeviceMatcher.Presence.UNKNOWN, Map.of(), Map.of());

    private static void addIfHolding(List<ObservedNode> strays, ObservedNode node, String manager, String resource) {
        if (isHolding(node, manager, resource)) {
            strays.add(node);
        }
    }

    private static boolean isHolding(ObservedNode node, String manager, String resource) {
        return node.appliedLabels().containsKey(manager)
                || node.holds().verdicts().containsKey(manager)
                || node.holds().annotations().containsKey(MetadataKeys.taintsAnnotation(resource));
    }

    /** Where it is not known whether the device is there, what runs is kept. */
    private static boolean serves(ObservedNode node, NodeAnswers said, String manager) {
        return said.presence() == DeviceMatcher.Presence.PRESENT
                || (said.presence() == DeviceMatcher.Presence.UNKNOWN && ResourcePrecedence.holdsState(node, manager));
    }
}
