package dev.sro.core.upgrade;

import dev.sro.core.upgrade.RolloutPolicy.ManualCordon;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Chooses which of the waiting nodes are taken on. */
final class Admission {

    private final RolloutPolicy policy;
    private final NodeCounts census;
    private final int maxUnavailable;

    Admission(RolloutPolicy policy, NodeCounts census) {
        this.policy = policy;
        this.census = census;
        this.maxUnavailable = policy.maxUnavailable().of(census.nodes);
    }

    RolloutPlan.Slots slots(int required) {
        int unavailable = census.unavailable + census.strongAvailable + census.weakAvailable;
        int inProgress = census.strong + census.weak;
        return new RolloutPlan.Slots(
                census.nodes,
                inProgress,
                unavailable,
                maxUnavailable,
                Slots.available(policy.maxParallel(), maxUnavailable, required, inProgress, unavailable));
    }

    /** Whether any node can be taken on at all. */
    boolean possible(int required) {
        return policy.manualCordon() == ManualCordon.BYPASS || parallel(required) > 0;
    }

    private int parallel(int required) {
        return Slots.parallel(policy.maxParallel(), required, census.strong + census.weak);
    }

    /** Those that perhaps are in progress and go on: none as long as more claim a slot than there are. */
    List<Waiting> begun(List<Waiting> weak) {
        if (policy.maxParallel() > 0 && census.strong + census.weak > policy.maxParallel()) {
            return List.of();
        }
        return take(weak, weak.size(), maxUnavailable - census.unavailable - census.strongAvailable);
    }

    /**
     * Those that perhaps are in progress and may go on claiming a slot: as many as there are slots, best evidence first. The others
     * have to wait for their turn as if nothing had begun.
     */
    List<Waiting> claiming(List<Waiting> weak) {
        int slots = policy.maxParallel() == 0 ? weak.size() : Math.max(0, policy.maxParallel() - census.strong);
        return weak.stream()
                .filter(one -> !Waiting.available(one.node()))
                .sorted(Comparator.comparing((Waiting one) -> !one.begun())
                        .thenComparing(one -> one.entry() == null)
                        .thenComparing(Waiting.ORDER))
                .limit(slots)
                .toList();
    }

    /** Those that are not. */
    List<Waiting> others(List<Waiting> open, int required) {
        List<Waiting> chosen = new ArrayList<>();
        List<Waiting> rest = open;
        int left = parallel(required);
        if (policy.manualCordon() == ManualCordon.BYPASS) {
            rest = new ArrayList<>();
            for (Waiting waiting : open) {
                (Needs.cordonedByOthers(waiting.node()) ? chosen : rest).add(waiting);
            }
            left -= chosen.size();
        }
        chosen.addAll(
                take(rest, left, maxUnavailable - census.unavailable - census.strongAvailable - census.weakAvailable));
        return chosen;
    }

    /** The first of them, so many in all, and of available ones no more than there is room for. */
    private static List<Waiting> take(List<Waiting> from, int left, int room) {
        List<Waiting> chosen = new ArrayList<>();
        if (left <= 0) {
            return chosen;
        }
        List<Waiting> first = first(from, left, true, Math.max(0, room));
        first.addAll(first(from, left, false, left));
        first.sort(Waiting.ORDER);
        return new ArrayList<>(first.subList(0, Math.min(left, first.size())));
    }

    /** The first so many of one kind, without sorting all. */
    private static List<Waiting> first(List<Waiting> from, int left, boolean available, int room) {
        int limit = Math.min(left, room);
        PriorityQueue<Waiting> best = new PriorityQueue<>(Waiting.ORDER.reversed());
        for (Waiting waiting : from) {
            if (limit > 0 && Waiting.available(waiting.node()) == available) {
                if (best.size() < limit) {
                    best.add(waiting);
                } else if (Waiting.ORDER.compare(waiting, best.element()) < 0) {
                    best.remove();
                    best.add(waiting);
                }
            }
        }
        return new ArrayList<>(best);
    }
}
