package dev.sro.core.engine;

import dev.sro.api.DeviceMatcher;
import dev.sro.api.NodeFacts;
import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.model.Marks;
import dev.sro.core.pool.Pools;
import dev.sro.core.pool.Selection;
import dev.sro.core.recipe.NodeAnswers;
import dev.sro.core.recipe.Recipe;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

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
     * @param rivals older special resources with the same recipe: a node that one of them selects is theirs
     */
    static Roster of(
            SpecialResource resource, Recipe recipe, Collection<ObservedNode> nodes, List<SpecialResource> rivals) {
        Map<String, String> selector =
                resource.getSpec() == null ? Map.of() : resource.getSpec().getNodeSelector();
        String manager = Marks.nodeManager(resource.getMetadata().getName());
        List<ObservedNode> selected = new ArrayList<>();
        List<ObservedNode> strays = new ArrayList<>();
        SortedMap<String, Problem> problems = new TreeMap<>();
        for (ObservedNode node : nodes) {
            if (!Selection.matches(node.facts(), selector)) {
                addIfHolding(strays, node, manager);
            } else {
                selected.add(node);
            }
        }
        Map<String, NodeAnswers> answers =
                recipe.answers(selected.stream().map(ObservedNode::facts).toList());
        Map<String, ObservedNode> members = new HashMap<>(selected.size() * 2);
        Map<String, Map<String, String>> labels = new HashMap<>();
        for (ObservedNode node : selected) {
            NodeAnswers said = answers.getOrDefault(node.name(), NO_ANSWER);
            if (!serves(node, said, manager)) {
                addIfHolding(strays, node, manager);
                continue;
            }
            String rival = rival(node.facts(), rivals);
            if (!rival.isEmpty()) {
                problems.put(node.name(), taken(node, resource, rival));
                addIfHolding(strays, node, manager);
                continue;
            }
            members.put(node.name(), node);
            if (!said.labels().isEmpty()) {
                labels.put(node.name(), said.labels());
            }
        }
        List<Pool> pools = Pools.group(
                members.values(),
                facts -> answers.getOrDefault(facts.name(), NO_ANSWER).poolKey());
        return new Roster(members, pools, strays, problems, labels);
    }

    private static final NodeAnswers NO_ANSWER = new NodeAnswers(DeviceMatcher.Presence.UNKNOWN, Map.of(), Map.of());

    private static void addIfHolding(List<ObservedNode> strays, ObservedNode node, String manager) {
        if (node.appliedLabels().containsKey(manager)) {
            strays.add(node);
        }
    }

    /** Where nothing new may be put, or where it is not known whether the device is there, what runs is kept. */
    private static boolean serves(ObservedNode node, NodeAnswers said, String manager) {
        if (said.presence() == DeviceMatcher.Presence.ABSENT) {
            return false;
        }
        boolean onlyKept = said.presence() == DeviceMatcher.Presence.UNKNOWN || Selection.keepsPodsOff(node.facts());
        return !onlyKept
                || node.appliedLabels().getOrDefault(manager, Set.of()).stream()
                        .anyMatch(label -> label.startsWith(Marks.STATE_LABEL_PREFIX));
    }

    private static String rival(NodeFacts node, List<SpecialResource> rivals) {
        for (SpecialResource rival : rivals) {
            if (rival.getSpec() != null
                    && Selection.matches(node, rival.getSpec().getNodeSelector())) {
                return rival.getMetadata().getName();
            }
        }
        return "";
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
