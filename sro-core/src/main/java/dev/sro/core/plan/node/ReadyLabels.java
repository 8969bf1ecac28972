package dev.sro.core.plan.node;

import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.manifest.ReadyLabelKeys;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.probe.NodeReadiness;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Labels that DaemonSets want on the nodes on which they are ready ({@link MetadataKeys#READY_LABEL}): each by itself, so that of two in
 * one state one can wait for the other's. Lives for one plan.
 */
final class ReadyLabels {

    static final String READY = "ready";

    private static final String DAEMON_SETS = "apps/v1/DaemonSet";

    private record Wanted(
            String label, ObjectRef daemonSet, @Nullable String pool) {}

    private final NodeInput in;
    private final Set<Wanted> wanted = new LinkedHashSet<>();
    /** Labels that no recipe asks for now: whoever may edit a DaemonSet can have written them there. */
    private final Set<String> remembered = new HashSet<>();
    /** By pool, node and label: whether every DaemonSet that wants the label is ready there. */
    private final Map<String, Map<String, Map<String, Boolean>>> byPool = new HashMap<>();

    ReadyLabels(NodeInput in) {
        this.in = in;
        for (DesiredState state : in.states()) {
            state.shared().forEach(desired -> note(desired.object(), desired.pool()));
            state.byPool().values().forEach(own -> own.forEach(desired -> note(desired.object(), desired.pool())));
            if (!state.isComplete()) {
                // What runs goes on running while its state cannot be rendered, and so do those that wait for it.
                in.owned().values().stream()
                        .filter(live -> live.annotation(MetadataKeys.STATE)
                                .orElse("")
                                .equals(state.state().id()))
                        .forEach(live -> remember(
                                live, live.annotation(MetadataKeys.POOL).orElse(null)));
            }
        }
    }

    private void remember(KubeObject live, @Nullable String pool) {
        live.annotation(MetadataKeys.READY_LABEL)
                .filter(label -> !ReadyLabelKeys.areOfRecipes(label))
                .filter(label -> wanted.stream().noneMatch(each -> each.label.equals(label)))
                .ifPresent(remembered::add);
        note(live, pool);
    }

    private void note(KubeObject object, @Nullable String pool) {
        if (object.ref().kindKey().equals(DAEMON_SETS)) {
            object.annotation(MetadataKeys.READY_LABEL)
                    .filter(label -> !label.isEmpty())
                    .ifPresent(label -> wanted.add(new Wanted(label, object.ref(), pool)));
        }
    }

    /** Whether no DaemonSet wants a label. */
    boolean isEmpty() {
        return wanted.isEmpty();
    }

    /** Which of the labels the node has to have; a node that does not answer keeps those that are held. */
    List<String> of(ObservedNode node, Pool pool, Set<String> held) {
        if (wanted.isEmpty()) {
            return List.of();
        }
        List<String> labels = new ArrayList<>();
        byPool.computeIfAbsent(pool.name(), unused -> judge(pool))
                .getOrDefault(node.name(), Map.of())
                .forEach((label, ready) -> {
                    boolean unknown = !node.facts().ready() || in.unseenKinds().containsKey(DAEMON_SETS);
                    boolean asked = held.contains(label) || !remembered.contains(label);
                    if ((ready && asked) || (unknown && held.contains(label))) {
                        labels.add(label);
                    }
                });
        return labels;
    }

    private Map<String, Map<String, Boolean>> judge(Pool pool) {
        List<ObservedNode> nodes = pool.nodes().stream()
                .map(in.nodes()::get)
                .filter(Objects::nonNull)
                .toList();
        Map<String, Map<String, Boolean>> result = new HashMap<>();
        for (Wanted each : wanted) {
            String ofPool = each.pool;
            if (ofPool != null && !ofPool.equals(pool.name())) {
                continue;
            }
            KubeObject live = in.owned().get(each.daemonSet);
            Map<String, Outcome> outcomes = live == null || live.terminating()
                    ? Map.of()
                    : NodeReadiness.judge(
                            live, in.podsOf(live), nodes, ofPool == null ? "" : pool.kernelLabel(), in.now());
            nodes.forEach(node -> {
                Outcome outcome = outcomes.get(node.name());
                result.computeIfAbsent(node.name(), unused -> new HashMap<>())
                        .merge(each.label, outcome != null && outcome.isReady(), Boolean::logicalAnd);
            });
        }
        return result;
    }
}
