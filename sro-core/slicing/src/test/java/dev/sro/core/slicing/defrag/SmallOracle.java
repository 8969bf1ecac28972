package dev.sro.core.slicing.defrag;

import dev.sro.core.slicing.fixture.ListFleet;
import dev.sro.core.slicing.geometry.Geometry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Tries every set of instances to displace and every way to place them again. For a handful of devices. */
final class SmallOracle {
    private final ListFleet fleet;
    private final Geometry geometry;
    private final Map<List<Integer>, Integer> costs = new HashMap<>();
    private long best;

    SmallOracle(ListFleet fleet) {
        this.fleet = fleet;
        this.geometry = fleet.geometry();
    }

    /** Overrides the cost of 1; below zero for pinned. */
    void cost(int device, int placement, int cost) {
        costs.put(List.of(device, placement), cost);
    }

    long cost(List<Move> moves) {
        // An instance that goes by way of another device is found there under its own cost of 1.
        long sum = 0;
        for (Move move : moves) {
            int cost = costs.getOrDefault(List.of(move.device(), move.placement()), 1);
            if (cost < 0) {
                throw new AssertionError("pinned: " + move);
            }
            sum += cost;
        }
        return sum;
    }

    long[] counts() {
        long[] counts = new long[geometry.profiles()];
        for (int device = 0; device < fleet.devices(); device++) {
            for (long rest = geometry.placementsOf(fleet.layoutOf(device)); rest != 0; rest &= rest - 1) {
                counts[geometry.profileOf(Long.numberOfTrailingZeros(rest))]++;
            }
        }
        return counts;
    }

    /** Least cost of instances to displace so that all and one more fit; -1 if no {@code most} instances do. */
    long leastCost(int profile, int most) {
        best = Long.MAX_VALUE;
        List<Integer> hand = new ArrayList<>();
        hand.add(profile);
        int[] occupied = new int[fleet.devices()];
        for (int device = 0; device < occupied.length; device++) {
            occupied[device] = fleet.layoutOf(device);
        }
        displace(occupied, 0, 0, hand, most, 0);
        return best == Long.MAX_VALUE ? -1 : best;
    }

    private void displace(int[] layouts, int device, int placement, List<Integer> hand, int most, long cost) {
        if (cost >= best) {
            return;
        }
        if (place(layouts, new ArrayList<>(hand))) {
            best = cost;
            return;
        }
        if (most == 0) {
            return;
        }
        for (int d = device; d < layouts.length; d++) {
            for (int k = d == device ? placement : 0; k < geometry.placements(); k++) {
                int price = costs.getOrDefault(List.of(d, k), 1);
                if (geometry.holds(layouts[d], k) && price > 0) {
                    layouts[d] = geometry.toggle(layouts[d], k);
                    hand.add(geometry.profileOf(k));
                    displace(layouts, d, k + 1, hand, most - 1, cost + price);
                    hand.remove(hand.size() - 1);
                    layouts[d] = geometry.toggle(layouts[d], k);
                }
            }
        }
    }

    private boolean place(int[] layouts, List<Integer> hand) {
        if (hand.isEmpty()) {
            return true;
        }
        int profile = hand.remove(hand.size() - 1);
        for (int d = 0; d < layouts.length; d++) {
            int before = layouts[d];
            for (int k = geometry.firstPlacement(profile); k < geometry.firstPlacement(profile + 1); k++) {
                if (!geometry.holds(before, k) && geometry.toggle(before, k) != Geometry.ILLEGAL) {
                    layouts[d] = geometry.toggle(before, k);
                    boolean good = place(layouts, hand);
                    layouts[d] = before;
                    if (good) {
                        hand.add(profile);
                        return true;
                    }
                }
            }
        }
        hand.add(profile);
        return false;
    }
}
