package dev.sro.core.engine.trip;

import dev.sro.api.device.Exposure;
import dev.sro.api.device.Handover;
import dev.sro.core.engine.roster.Roster;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.probe.NodePod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Nodes that go over from one way of offering their devices to another: they keep the old one as long as a pod has a device by it, and
 * get the new one when the pods that offer the old one have left. Keeps no state; thread-safe.
 */
final class Handovers {

    /** Nodes, and pods of each, that a warning names. */
    private static final int NAMED = 3;

    private final Function<String, Optional<List<NodePod>>> podsOn;

    /** @param podsOn all pods of a node by its name; empty while they are not known */
    Handovers(Function<String, Optional<List<NodePod>>> podsOn) {
        this.podsOn = podsOn;
    }

    /**
     * What comes of it.
     *
     * @param roster with the labels of the nodes that go over
     * @param nodes whose pods have to be seen
     * @param warnings who is waited for
     */
    record Assessment(Roster roster, Set<String> nodes, List<String> warnings) {}

    /**
     * Looks at the pods of the nodes.
     *
     * @param namespace of the operands
     */
    Assessment of(String namespace, Roster roster) {
        if (roster.handovers().isEmpty()) {
            return new Assessment(roster, Set.of(), List.of());
        }
        Map<String, Map<String, String>> labels = new HashMap<>(roster.labels());
        Set<String> nodes = new TreeSet<>();
        List<String> waiting = new ArrayList<>();
        roster.handovers().forEach((name, handover) -> {
            ObservedNode node = roster.members().get(name);
            if (node == null) {
                return;
            }
            nodes.add(name);
            Optional<List<NodePod>> pods = podsOn.apply(name);
            if (pods.isEmpty()) {
                if (isBetween(node, labels.getOrDefault(name, Map.of()))) {
                    labels.put(name, handover.between());
                }
                return;
            }
            List<NodePod> users = only(pods.get(), pod -> isUser(pod, handover.from()));
            List<NodePod> operands = only(pods.get(), pod -> isOperand(pod, namespace, handover));
            if (!users.isEmpty()) {
                waiting.add("node " + name + " stays as it is until " + text(users, handover.from()));
            } else if (!operands.isEmpty()) {
                labels.put(name, handover.between());
                waiting.add("node " + name + " offers its devices in the new way when these pods have left: "
                        + names(operands));
            } else {
                labels.put(name, handover.after());
            }
        });
        return new Assessment(roster.labelled(labels), nodes, warnings(waiting));
    }

    /** Where nobody knows what runs on the node, it stays as it is: in the middle of it, if it is without labels of the old way. */
    private static boolean isBetween(ObservedNode node, Map<String, String> before) {
        return before.entrySet().stream()
                .anyMatch(
                        label -> !label.getValue().equals(node.facts().labels().get(label.getKey())));
    }

    private static boolean isUser(NodePod pod, Exposure from) {
        return switch (from.mode()) {
            case DRA ->
                from.draDriver().filter(pod.claims().drivers()::contains).isPresent();
            case DEVICE_PLUGIN, EXTENDED_RESOURCE ->
                pod.resources().keySet().stream().anyMatch(asked -> isOffered(asked, from));
            case NONE -> false;
        };
    }

    private static boolean isOffered(String asked, Exposure from) {
        return from.resourceNames().stream()
                .anyMatch(name -> name.endsWith("*")
                        ? asked.startsWith(name.substring(0, name.length() - 1))
                        : asked.equals(name));
    }

    private static boolean isOperand(NodePod pod, String namespace, Handover handover) {
        return pod.namespace().equals(namespace)
                && handover.operands().stream()
                        .anyMatch(labels -> pod.labels().entrySet().containsAll(labels.entrySet()));
    }

    private static List<NodePod> only(List<NodePod> pods, Predicate<NodePod> which) {
        return pods.stream()
                .filter(pod -> !pod.finished() && which.test(pod))
                .sorted(Comparator.comparing(NodePod::namespace).thenComparing(NodePod::name))
                .toList();
    }

    private static String text(List<NodePod> users, Exposure from) {
        return (users.size() == 1 ? "1 pod ends that has" : users.size() + " pods end that have") + " devices by "
                + from.draDriver().map(driver -> "claims of " + driver).orElse("the device plugin") + ": "
                + names(users);
    }

    private static String names(List<NodePod> pods) {
        return pods.stream()
                        .limit(NAMED)
                        .map(pod -> pod.namespace() + "/" + pod.name())
                        .collect(Collectors.joining(", "))
                + (pods.size() > NAMED ? ", …" : "");
    }

    private static List<String> warnings(List<String> waiting) {
        if (waiting.size() <= NAMED) {
            return waiting;
        }
        List<String> shown = new ArrayList<>(waiting.subList(0, NAMED));
        shown.add((waiting.size() - NAMED) + " more nodes stay as they are for the same reason");
        return shown;
    }
}
