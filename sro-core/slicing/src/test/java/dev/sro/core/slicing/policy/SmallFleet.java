package dev.sro.core.slicing.policy;

import dev.sro.core.slicing.geometry.Geometry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The long run of a few devices, exactly: a Markov chain over what they carry, solved by value iteration. Requests for every profile come
 * equally often, slices are kept for an exponential time of mean 1, and what does not fit is lost. The value is the accepted share of
 * memory units.
 */
final class SmallFleet {
    private static final int BITS = 13;
    private static final double PRECISION = 1e-5;

    private final Geometry geometry;
    private final int profiles;
    private final double asked;
    private final double rate;
    private final double events;
    private final List<int[]> states = new ArrayList<>();
    private final Map<Long, Integer> numbers = new HashMap<>();
    private final int[][] departures;
    /** By state and profile, where a slice may lead to. */
    private final int[][][] placements;

    SmallFleet(Geometry geometry, int devices, double load) {
        this.geometry = geometry;
        this.profiles = geometry.profiles();
        this.asked = load * geometry.units() * devices;
        double units = 0;
        for (int profile = 0; profile < profiles; profile++) {
            units += geometry.sizeOf(profile);
        }
        this.rate = asked / units;
        int slices = 0;
        for (int layout = 0; layout < geometry.layouts(); layout++) {
            slices = Math.max(slices, Long.bitCount(geometry.placementsOf(layout)));
        }
        this.events = rate * profiles + slices * devices;
        enumerate(new int[devices], 0, 0);
        this.departures = new int[states.size()][];
        this.placements = new int[states.size()][profiles][];
        for (int state = 0; state < departures.length; state++) {
            departures[state] = departures(states.get(state));
            for (int profile = 0; profile < profiles; profile++) {
                placements[state][profile] = placements(states.get(state), profile);
            }
        }
    }

    // Devices are alike, so a state is the layouts in ascending order.
    private void enumerate(int[] layouts, int at, int from) {
        if (at == layouts.length) {
            numbers.put(key(layouts), states.size());
            states.add(layouts.clone());
            return;
        }
        for (int layout = from; layout < geometry.layouts(); layout++) {
            layouts[at] = layout;
            enumerate(layouts, at + 1, layout);
        }
    }

    private static long key(int[] layouts) {
        long key = 0;
        for (int layout : layouts) {
            key = key << BITS | layout;
        }
        return key;
    }

    private int after(int[] layouts, int device, int placement) {
        int[] after = layouts.clone();
        after[device] = geometry.toggle(layouts[device], placement);
        Arrays.sort(after);
        return numbers.getOrDefault(key(after), -1);
    }

    private int[] departures(int[] layouts) {
        List<Integer> to = new ArrayList<>();
        for (int device = 0; device < layouts.length; device++) {
            for (long rest = geometry.placementsOf(layouts[device]); rest != 0; rest &= rest - 1) {
                to.add(after(layouts, device, Long.numberOfTrailingZeros(rest)));
            }
        }
        return to.stream().mapToInt(Integer::intValue).toArray();
    }

    private int[] placements(int[] layouts, int profile) {
        TreeSet<Integer> to = new TreeSet<>();
        for (int device = 0; device < layouts.length; device++) {
            int occupancy = geometry.occupancyOf(layouts[device]);
            for (int k = geometry.firstPlacement(profile); k < geometry.firstPlacement(profile + 1); k++) {
                if (geometry.add(occupancy, k) != Geometry.ILLEGAL) {
                    to.add(after(layouts, device, k));
                }
            }
        }
        return to.stream().mapToInt(Integer::intValue).toArray();
    }

    /** What a policy accepts. */
    double accepted(PlacementPolicy policy) {
        StepCosts costs = StepCosts.of(geometry, policy, policy.name());
        int[][][] choice = new int[states.size()][profiles][];
        for (int state = 0; state < choice.length; state++) {
            for (int profile = 0; profile < profiles; profile++) {
                choice[state][profile] = chosen(costs, states.get(state), profile);
            }
        }
        return solve(choice);
    }

    private int[] chosen(StepCosts costs, int[] layouts, int profile) {
        int best = -1;
        double least = Double.POSITIVE_INFINITY;
        for (int device = 0; device < layouts.length; device++) {
            double cost = costs.cost(geometry.occupancyOf(layouts[device]), profile);
            if (cost < least - PlacementPolicy.TOLERANCE) {
                least = cost;
                best = device;
            }
        }
        return best < 0
                ? new int[0]
                : new int[] {after(layouts, best, costs.placement(geometry.occupancyOf(layouts[best]), profile))};
    }

    /** What no policy exceeds that moves nothing and refuses nothing that fits, even one that sees all devices at once and knows the load. */
    double best() {
        return solve(placements);
    }

    // Uniformised: in each step one event, which may be none.
    private double solve(int[][][] choices) {
        double[] value = new double[states.size()];
        double[] next = new double[value.length];
        double least;
        double most;
        do {
            least = Double.POSITIVE_INFINITY;
            most = Double.NEGATIVE_INFINITY;
            for (int state = 0; state < value.length; state++) {
                next[state] = step(value, state, choices[state]);
                double gain = (next[state] - value[state]) * events;
                least = Math.min(least, gain);
                most = Math.max(most, gain);
            }
            double base = next[0];
            for (int state = 0; state < value.length; state++) {
                value[state] = next[state] - base;
            }
        } while (most - least > PRECISION * asked);
        return (most + least) / 2 / asked;
    }

    private double step(double[] value, int state, int[][] choices) {
        double sum = (events - rate * profiles - departures[state].length) * value[state];
        for (int to : departures[state]) {
            sum += value[to];
        }
        for (int profile = 0; profile < profiles; profile++) {
            double best = choices[profile].length == 0 ? value[state] : Double.NEGATIVE_INFINITY;
            for (int to : choices[profile]) {
                best = Math.max(best, geometry.sizeOf(profile) + value[to]);
            }
            sum += rate * best;
        }
        return sum / events;
    }
}
