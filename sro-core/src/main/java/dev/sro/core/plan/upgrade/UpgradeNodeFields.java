package dev.sro.core.plan.upgrade;

import dev.sro.api.operation.DeviceResets;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.NodeFields;
import dev.sro.core.plan.Write;
import dev.sro.core.upgrade.machine.NodeStep;
import dev.sro.core.upgrade.machine.UpgradePhase;
import dev.sro.core.upgrade.policy.UpgradeKeys;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the upgrade of a driver holds on a node: the label with the phase, a note, who works on the node, the cordon. It is part of
 * the one write of the node. Lives for one plan.
 */
public final class UpgradeNodeFields {

    /** Phases in which the driver is about to go, or gone: who builds upon it has to leave first. */
    private static final Set<String> REPLACING = Set.of(
            UpgradePhase.POD_DELETION.label(),
            UpgradePhase.DRAIN.label(),
            UpgradePhase.REBOOT.label(),
            UpgradePhase.POST_MAINTENANCE.label(),
            UpgradePhase.POD_RESTART.label());

    private final Optional<UpgradePlanner> planner;
    private final String resource;
    private final String manager;

    /**
     * @param resource name of the special resource
     * @param planner empty where SRO does not upgrade its driver
     */
    public UpgradeNodeFields(String resource, Optional<UpgradePlanner> planner) {
        this.planner = planner;
        this.resource = resource;
        this.manager = MetadataKeys.nodeManager(resource);
    }

    /** Of the node: what the machine decided, and as it is where it decided nothing. */
    public NodeFields of(ObservedNode node) {
        if (planner.isEmpty()) {
            return NodeFields.NONE;
        }
        UpgradeKeys keys = planner.get().input().keys();
        Optional<NodeStep> step = planner.get().step(node.name());
        return step.isPresent() ? decided(node, step.get(), keys) : asItIs(node, keys);
    }

    /** By which names nodes are marked; empty when they are not: with others, all marks are others. */
    public Optional<UpgradeKeys> keys() {
        return planner.map(known -> known.input().keys());
    }

    /** Whether the machine decided something for this node, so that it is not to stay as it is. */
    public boolean changes(ObservedNode node) {
        return planner.isPresent() && planner.get().step(node.name()).isPresent();
    }

    private NodeFields asItIs(ObservedNode node, UpgradeKeys keys) {
        SortedMap<String, String> labels = new TreeMap<>();
        String label = node.facts().labels().get(keys.state());
        if (label != null && heldLabels(node).contains(keys.state())) {
            labels.put(keys.state(), label);
        }
        SortedMap<String, String> annotations = new TreeMap<>();
        for (String key : heldAnnotations(node)) {
            String value = node.holds().annotations().get(key);
            if (value != null && !key.startsWith(MetadataKeys.VALIDATED_PREFIX)) {
                annotations.put(key, value);
            }
        }
        return new NodeFields(labels, annotations, node.holds().cordoning().contains(manager));
    }

    private NodeFields decided(ObservedNode node, NodeStep step, UpgradeKeys keys) {
        SortedMap<String, String> labels = new TreeMap<>();
        if (step.phase() != UpgradePhase.UNKNOWN) {
            labels.put(keys.state(), step.phase().label());
        }
        SortedMap<String, String> annotations = new TreeMap<>();
        if (!step.note().isEmpty()) {
            annotations.put(keys.note(), step.note());
        }
        if (step.phase().inProgress()) {
            annotations.put(UpgradeKeys.HOLDER, resource);
            if (node.holds().cordonedByOthers()) {
                annotations.put(keys.initiallyUnschedulable(), "true");
            }
        }
        if (step.phase() == UpgradePhase.REBOOT) {
            String key = planner.orElseThrow().input().rules().rebootAnnotation(keys);
            String asked = heldAnnotations(node).contains(key)
                    ? node.holds().annotations().get(key)
                    : null;
            annotations.put(key, asked == null ? node.facts().bootId() : asked);
        }
        if (!step.order().isEmpty()) {
            resets().ifPresent(resets -> annotations.put(resets.order(), step.order()));
        }
        return new NodeFields(labels, annotations, step.cordon());
    }

    /**
     * Marks on the node that somebody edited, so that server-side apply would leave them as they are: they have to be taken away
     * first. Who holds the node is nobody's to take away.
     */
    public Optional<Write.ClearNode> edited(ObservedNode node, NodeFields wanted) {
        if (planner.isEmpty() || planner.get().step(node.name()).isEmpty()) {
            return Optional.empty();
        }
        UpgradeKeys keys = planner.get().input().keys();
        SortedSet<String> labels = new TreeSet<>();
        String label = node.facts().labels().get(keys.state());
        boolean ours =
                heldLabels(node).contains(keys.state()) && !node.coOwnedLabels().contains(keys.state());
        if (label != null && !ours && !label.equals(wanted.labels().get(keys.state()))) {
            labels.add(keys.state());
        }
        SortedSet<String> annotations = new TreeSet<>();
        for (Map.Entry<String, String> annotation : node.holds().annotations().entrySet()) {
            String key = annotation.getKey();
            boolean mark = key.equals(keys.note())
                    || key.equals(keys.initiallyUnschedulable())
                    || wantsOther(wanted, annotation);
            if (mark
                    && !heldAnnotations(node).contains(key)
                    && !annotation.getValue().equals(wanted.annotations().get(key))) {
                annotations.add(key);
            }
        }
        return labels.isEmpty() && annotations.isEmpty()
                ? Optional.empty()
                : Optional.of(new Write.ClearNode(
                        node.name(), node.uid(), labels, annotations, "marks of the upgrade were edited by hand"));
    }

    /** Whether an order of resets is not what is wanted; one that somebody gave where SRO gives none is theirs. */
    private boolean wantsOther(NodeFields wanted, Map.Entry<String, String> annotation) {
        return resets().filter(resets -> resets.order().equals(annotation.getKey()))
                        .isPresent()
                && wanted.annotations().containsKey(annotation.getKey());
    }

    private Optional<DeviceResets> resets() {
        return planner.flatMap(known -> known.input().rules().deviceResets());
    }

    /**
     * The first state that goes while the driver is replaced on the node, or its devices are reset; with it go those after it. Empty
     * when none does.
     */
    public Optional<String> goesFrom(ObservedNode node) {
        if (planner.isEmpty()) {
            return Optional.empty();
        }
        String label = label(node);
        if (label.equals(UpgradePhase.DEVICE_RESET.label())) {
            return planner.get().first(node);
        }
        return REPLACING.contains(label) ? planner.get().firstNotCurrent(node) : Optional.empty();
    }

    /** The state that stays where those go: the one that resets devices, while it does. */
    public Optional<String> stays(ObservedNode node) {
        return resets().map(DeviceResets::by).filter(unused -> label(node).equals(UpgradePhase.DEVICE_RESET.label()));
    }

    private String label(ObservedNode node) {
        return planner.flatMap(known -> known.step(node.name()))
                .map(step -> step.phase().label())
                .or(() -> keys().map(keys -> node.facts().labels().getOrDefault(keys.state(), "")))
                .orElse("");
    }

    private Set<String> heldLabels(ObservedNode node) {
        return node.appliedLabels().getOrDefault(manager, Set.of());
    }

    private Set<String> heldAnnotations(ObservedNode node) {
        return node.holds().applied().getOrDefault(manager, Set.of());
    }
}
