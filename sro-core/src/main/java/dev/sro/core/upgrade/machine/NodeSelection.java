package dev.sro.core.upgrade.machine;

import dev.sro.core.upgrade.policy.RolloutPolicy;
import dev.sro.core.upgrade.policy.RolloutPolicy.ManualCordon;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Chooses which of the waiting nodes are taken on. */
final class NodeSelection {

    private final RolloutPolicy policy;
    private final NodeCounts counts;
    private final int maxUnavailable;

    NodeSelection(RolloutPolicy policy, NodeCounts counts) {
        this.policy = policy;
        this.counts = counts;
        this.maxUnavailable = policy.maxUnavailable().of(counts.nodes);
    }

    RolloutPlan.Slots slots(int required) {
        int unavailable = counts.unavailable + counts.strongAvailable + counts.weakAvailable;
        int inProgress = counts.strong + counts.weak;
        return new RolloutPlan.Slots(
                counts.nodes,
                inProgress,
                unavailable,
                maxUnavailable,
                SlotCounts.available(policy.maxParallel(), maxUnavailable, required, inProgress, unavailable));
    }

    /** Whether any node can be taken on at all. */
    boolean possible(int required) {
        return policy.manualCordon() == ManualCordon.BYPASS || parallel(required) > 0;
    }

    private int parallel(int required) {
        return SlotCounts.parallel(policy.maxParallel(), required, counts.strong + counts.weak);
    }

    /** Those that perhaps are in progress and go on: none as long as more claim a slot than there are. */
    List<WaitingNode> begun(List<WaitingNode> weak) {
        if (policy.maxParallel() > 0 && counts.strong + counts.weak > policy.maxParallel()) {
            return List.of();
        }
        return take(weak, weak.size(), maxUnavailable - counts.unavailable - counts.strongAvailable);
    }

    /**
     * Those that perhaps are in progress and may go on claiming a slot: as many as there are slots, best evidence first. The others
     * have to wait for their turn as if nothing had begun.
     */
    List<WaitingNode> claiming(List<WaitingNode> weak) {
        int slots = policy.maxParallel() == 0 ? weak.size() : Math.max(0, policy.maxParallel() - counts.strong);
        return weak.stream()
                .filter(one -> !WaitingNode.available(one.node()))
                .sorted(Comparator.comparing((WaitingNode one) -> !one.begun())
                        .thenComparing(one -> one.entry() == null)
                        .thenComparing(WaitingNode.ORDER))
                .limit(slots)
                .toList();
    }

    /** Those that are not. */
    List<WaitingNode> others(List<WaitingNode> open, int required) {
        List<WaitingNode> chosen = new ArrayList<>();
        List<WaitingNode> rest = open;
        int left = parallel(required);
        if (policy.manualCordon() == ManualCordon.BYPASS) {
            rest = new ArrayList<>();
            for (WaitingNode waiting : open) {
                (NodeNeeds.cordonedByOthers(waiting.node()) ? chosen : rest).add(waiting);
            }
            left -= chosen.size();
        }
        chosen.addAll(
                take(rest, left, maxUnavailable - counts.unavailable - counts.strongAvailable - counts.weakAvailable));
        return chosen;
    }

    /** The first of them, so many in all, and of available ones no more than there is room for. */
    private static List<WaitingNode> take(List<WaitingNode> from, int left, int room) {
        List<WaitingNode> chosen = new ArrayList<>();
        if (left <= 0) {
            return chosen;
        }
        List<WaitingNode> first = first(from, left, true, Math.max(0, room));
        first.addAll(first(from, left, false, left));
        first.sort(WaitingNode.ORDER);
        return new ArrayList<>(first.subList(0, Math.min(left, first.size())));
    }

    /** The first so many of one kind, without sorting all. */
    private static List<WaitingNode> first(List<WaitingNode> from, int left, boolean available, int room) {
        int limit = Math.min(left, room);
        PriorityQueue<WaitingNode> best = new PriorityQueue<>(WaitingNode.ORDER.reversed());
        for (WaitingNode waiting : from) {
            if (limit > 0 && WaitingNode.available(waiting.node()) == available) {
                if (best.size() < limit) {
                    best.add(waiting);
                } else if (WaitingNode.ORDER.compare(waiting, best.element()) < 0) {
                    best.remove();
                    best.add(waiting);
                }
            }
        }
        return new ArrayList<>(best);
    }
}
