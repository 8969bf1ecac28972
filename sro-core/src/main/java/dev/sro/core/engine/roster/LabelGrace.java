package dev.sro.core.engine.roster;

import dev.sro.api.NodeFacts;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.facts.VanishedLabels;
import dev.sro.core.model.MetadataKeys;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Node Feature Discovery takes its labels away when it is restarted or misconfigured, and puts them back a minute later. A label of it
 * that vanishes from a node that is served says nothing for some time, therefore: the node is judged as it was.
 *
 * <p>What is known of the labels is lost when the operator ends; the time then begins anew, so that none is ever cut short.
 * Guarded by the resource session that has it.
 */
public final class LabelGrace {

    private static final Logger LOG = LoggerFactory.getLogger(LabelGrace.class);

    private final Duration time;
    /** Nodes that were served at the last look, as they were judged. */
    private Map<String, ObservedNode> known = Map.of();

    /** Since when each lacks something. One whose time is over stays in it until it is let go of, lest its time begin anew. */
    private Map<String, Instant> missing = new HashMap<>();

    private final Map<String, Instant> excused = new HashMap<>();

    /** @param time zero for none */
    public LabelGrace(Duration time) {
        this.time = time;
    }

    /**
     * The nodes as they are to be judged.
     *
     * @param resource name of the special resource
     * @param selector its node selector
     */
    public Collection<ObservedNode> judged(
            String resource, Map<String, String> selector, Collection<ObservedNode> nodes, Instant now) {
        if (time.isZero()) {
            return nodes;
        }
        String manager = MetadataKeys.nodeManager(resource);
        Map<String, Instant> still = new HashMap<>();
        List<ObservedNode> result = new ArrayList<>(nodes.size());
        for (ObservedNode node : nodes) {
            ObservedNode before = known.get(node.name());
            if (node.equals(before) || (before == null && !node.appliedLabels().containsKey(manager))) {
                result.add(node);
                continue;
            }
            ObservedNode judged = before == null || !before.uid().equals(node.uid())
                    ? VanishedLabels.restored(node, selector, manager)
                    : VanishedLabels.restored(node, before);
            if (!judged.equals(node)) {
                Instant since = missing.getOrDefault(node.name(), now);
                still.put(node.name(), since);
                if (isOver(since, now)) {
                    judged = node;
                } else if (!missing.containsKey(node.name())) {
                    LOG.atInfo()
                            .addKeyValue("specialResource", resource)
                            .log(
                                    "node {} has lost labels of Node Feature Discovery; waits {} for them",
                                    node.name(),
                                    time);
                }
            }
            result.add(judged);
        }
        missing = still;
        return result;
    }

    /**
     * Whether a node on which the device is not found may only have lost its labels: that is not known of one that was served before
     * this operator began, and tells of no device at all.
     */
    public boolean excuses(ObservedNode node, String manager, Instant now) {
        NodeFacts facts = node.facts();
        boolean unclear = !time.isZero()
                && !known.containsKey(node.name())
                && ResourcePrecedence.holdsState(node, manager)
                && facts.pciDevices().isEmpty();
        if (!unclear) {
            return false;
        }
        return !isOver(excused.computeIfAbsent(node.name(), unused -> now), now);
    }

    private boolean isOver(Instant since, Instant now) {
        return !now.isBefore(since.plus(time));
    }

    /** Nodes that are served now, as they were judged. */
    public void served(Map<String, ObservedNode> members, Set<String> nowExcused) {
        Map<String, ObservedNode> next = members;
        if (!nowExcused.isEmpty()) {
            next = new HashMap<>(members);
            next.keySet().removeAll(nowExcused);
        }
        known = next;
        excused.keySet().retainAll(nowExcused);
    }

    /** When the first node is judged as it is; {@link Instant#MAX} when none is missing anything. */
    public Instant until(Instant now) {
        return Stream.concat(missing.values().stream(), excused.values().stream())
                .map(since -> since.plus(time))
                .filter(now::isBefore)
                .min(Instant::compareTo)
                .orElse(Instant.MAX);
    }
}
