package dev.sro.core.allocation;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Moves for all pods of a gang. All sets of pods are tried, those with fewest slices first, but for those that cannot do: where the gang would have no room
 * even if all of a larger set were gone, somebody outside of that has to go, too. So the first plan that is found moves the fewest slices, and that is
 * proved. Where there are too many sets, what a short look finds is the plan, and how many slices have to move at least is known by {@link MoveBound}, and
 * as far as it came.
 *
 * <p>For one search; not thread-safe.
 */
final class GangMoves {
    /** Sets that are tried at most: all of up to three of fifty pods. */
    private static final int MOST_SETS = 20_000;

    /** Nodes that are looked at in all searches together: twenty times as many as for one gang at most, some seconds. */
    private static final int MOST_SEARCHED = 400_000;

    private final MoveTrials trials;
    private final Optional<SliceMoves> planner;
    private final Set<String> nodes = new HashSet<>();
    private final List<MovablePod> movable;
    private final int bound;
    private final int mostMoves;
    private final Map<String, BitSet> byNode = new LinkedHashMap<>();
    /** Sets without all of which the gang has no room still. */
    private final List<BitSet> tooFew = new ArrayList<>();
    /** Sets of which it was found out that no plan moves just these. */
    private final Set<BitSet> failed = new HashSet<>();

    private final Set<BitSet> seen = new HashSet<>();
    private Optional<RoomPlan> best = Optional.empty();
    private int sets;

    /**
     * For a gang.
     *
     * @param movable the easiest first
     * @param bound how many slices have to move at least
     */
    GangMoves(
            MoveTrials trials,
            Optional<SliceMoves> planner,
            List<PodDemand> waiting,
            List<MovablePod> movable,
            int bound,
            int mostMoves) {
        this.trials = trials;
        this.planner = planner;
        this.movable = movable;
        this.bound = bound;
        this.mostMoves = mostMoves;
        waiting.forEach(pod -> nodes.addAll(pod.nodes()));
        for (int i = 0; i < movable.size(); i++) {
            byNode.computeIfAbsent(movable.get(i).node(), node -> new BitSet()).set(i);
        }
    }

    /** The plan that moves fewest slices of those that were found; empty if none was. */
    Optional<RoomPlan> find() {
        BitSet all = new BitSet();
        all.set(0, movable.size());
        if (bound > mostSlices() || !trials.fits(pods(all))) {
            return Optional.empty();
        }
        shortLook(all);
        trials.forget();
        int needed = bound;
        int most = best.map(RoomPlan::slices).orElse(mostSlices() + 1);
        for (int slices = bound; slices <= most; slices++) {
            // With more slices there may be plans of more pods than may move.
            needed = trials.sure() && slices <= mostMoves + 1 ? slices : needed;
            int atLeast = needed;
            seen.clear();
            Optional<RoomPlan> found = slices == most ? Optional.empty() : of(slices, new BitSet());
            if (found.isPresent() || isOver() || slices == most) {
                return found.or(() -> best).map(plan -> plan.proving(atLeast));
            }
        }
        return Optional.empty();
    }

    private boolean isOver() {
        return sets > MOST_SETS || trials.searched() > MOST_SEARCHED;
    }

    /** As many as the dearest have, of as many pods as may move. */
    private int mostSlices() {
        return movable.stream()
                .map(MovablePod::slices)
                .sorted(Comparator.reverseOrder())
                .limit(mostMoves)
                .mapToInt(Integer::intValue)
                .sum();
    }

    private List<MovablePod> pods(BitSet some) {
        return some.stream().mapToObj(movable::get).toList();
    }

    private int slices(BitSet some) {
        return some.stream().map(i -> movable.get(i).slices()).sum();
    }

    private void shortLook(BitSet all) {
        attempt(spared(all));
        planner.ifPresent(moves -> {
            attempt(moves.within(node -> true, mostMoves));
            attempt(moves.within(nodes::contains, mostMoves));
        });
    }

    private void attempt(Optional<SliceMoves.Proposal> proposal) {
        BitSet some = new BitSet();
        proposal.ifPresent(found -> {
            for (int i = 0; i < movable.size(); i++) {
                some.set(i, found.pods().contains(movable.get(i).uid()));
            }
        });
        attempt(some);
    }

    private void attempt(BitSet some) {
        if (!some.isEmpty()
                && some.cardinality() <= mostMoves
                && best.filter(plan -> plan.slices() <= slices(some)).isEmpty()) {
            best = trials.plan(pods(some)).or(() -> best);
        }
    }

    /** Of all that may move those that have to: nodes with most to move are let off first, then the dearest pods. */
    private BitSet spared(BitSet all) {
        BitSet leaving = (BitSet) all.clone();
        spare(
                leaving,
                byNode.values().stream()
                        .sorted(Comparator.comparingInt((BitSet own) -> -slices(own)))
                        .toList());
        List<BitSet> single = new ArrayList<>(singles(leaving));
        Collections.reverse(single);
        spare(leaving, single);
        return leaving;
    }

    private static List<BitSet> singles(BitSet some) {
        return some.stream()
                .mapToObj(i -> {
                    BitSet one = new BitSet();
                    one.set(i);
                    return one;
                })
                .toList();
    }

    /** Lets off as many of some parts as can be: all at once, or else half of them, and so on. */
    private void spare(BitSet leaving, List<BitSet> parts) {
        BitSet fewer = (BitSet) leaving.clone();
        parts.forEach(fewer::andNot);
        if (!fewer.isEmpty() && !isOver() && trials.fits(pods(fewer))) {
            parts.forEach(leaving::andNot);
        } else if (parts.size() > 1) {
            spare(leaving, parts.subList(0, parts.size() / 2));
            spare(leaving, parts.subList(parts.size() / 2, parts.size()));
        }
    }

    /** A plan that moves just so many slices, with some pods among them; empty if there is none, or the search is over. */
    private Optional<RoomPlan> of(int slices, BitSet some) {
        if (isOver() || !seen.add(some)) {
            return Optional.empty();
        }
        sets++;
        BitSet more = new BitSet();
        more.set(0, movable.size());
        Optional<BitSet> few = tooFew(some);
        if (few.isPresent()) {
            more.andNot(few.get());
        } else if (slices(some) == slices) {
            return plan(some);
        }
        more.andNot(some);
        int left = slices - slices(some);
        for (int i = more.nextSetBit(0); i >= 0 && some.cardinality() < mostMoves; i = more.nextSetBit(i + 1)) {
            if (movable.get(i).slices() <= left) {
                BitSet next = (BitSet) some.clone();
                next.set(i);
                Optional<RoomPlan> found = of(slices, next);
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    private Optional<RoomPlan> plan(BitSet some) {
        if (failed.contains(some)) {
            return Optional.empty();
        }
        Optional<RoomPlan> plan = trials.plan(pods(some));
        if (plan.isEmpty()) {
            failed.add(some);
        }
        return plan;
    }

    /** A set with all of these, without which the gang has no room still: as large as can be found fast. Empty if it has room. */
    private Optional<BitSet> tooFew(BitSet some) {
        for (BitSet known : tooFew) {
            BitSet outside = (BitSet) some.clone();
            outside.andNot(known);
            if (outside.isEmpty()) {
                return Optional.of(known);
            }
        }
        if (trials.fits(pods(some))) {
            return Optional.empty();
        }
        BitSet large = (BitSet) some.clone();
        byNode.forEach((node, own) -> {
            if (!nodes.contains(node)) {
                large.or(own);
            }
        });
        grow(large, List.copyOf(byNode.values()));
        BitSet rest = new BitSet();
        rest.set(0, movable.size());
        rest.andNot(large);
        grow(large, singles(rest));
        tooFew.add(large);
        return Optional.of(large);
    }

    /** Adds as many of some parts as can be: all at once, or else half of them, and so on. */
    private void grow(BitSet large, List<BitSet> parts) {
        BitSet larger = (BitSet) large.clone();
        parts.forEach(larger::or);
        if (larger.equals(large)) {
            return;
        }
        if (!isOver() && !trials.fits(pods(larger))) {
            large.or(larger);
        } else if (parts.size() > 1) {
            grow(large, parts.subList(0, parts.size() / 2));
            grow(large, parts.subList(parts.size() / 2, parts.size()));
        }
    }
}
