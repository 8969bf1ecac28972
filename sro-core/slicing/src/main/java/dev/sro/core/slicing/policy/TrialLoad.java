package dev.sro.core.slicing.policy;

import dev.sro.core.slicing.geometry.Geometry;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * A made-up load on a small fleet, on which policies are compared: every policy sees the very same requests. Small and self-contained,
 * since it runs inside an allocator; for experiments there is {@code dev.sro.core.slicing.simulate}. Immutable but for the cost tables
 * that are given to it.
 */
final class TrialLoad {
    private static final double WARM_UP = 2;

    /** Holding times that count, times devices: as many requests on a small fleet as on a large one. */
    private static final double MEASURED = 600;

    private final Geometry geometry;
    private final int devices;
    private final double[] times;
    private final byte[] profiles;
    private final double[] ends;

    private TrialLoad(Geometry geometry, int devices, double[] times, byte[] profiles, double[] ends) {
        this.geometry = geometry;
        this.devices = devices;
        this.times = times;
        this.profiles = profiles;
        this.ends = ends;
    }

    /** Poisson arrivals, exponential holding times of mean 1; what does not fit is lost. */
    static TrialLoad steady(Geometry geometry, FleetUsage usage, double load, long seed) {
        RequestShares shares = usage.shares();
        double rate = load * geometry.units() * usage.devices() / meanSize(geometry, shares);
        double end = WARM_UP + MEASURED / usage.devices();
        SplittableRandom random = new SplittableRandom(seed);
        double[] times = new double[(int) (2 * rate * end) + 64];
        byte[] profiles = new byte[times.length];
        double[] ends = new double[times.length];
        int count = 0;
        for (double time = exponential(random) / rate;
                time < end && count < times.length;
                time += exponential(random) / rate) {
            times[count] = time;
            profiles[count] = draw(random, shares, geometry.profiles());
            ends[count++] = time + exponential(random);
        }
        return new TrialLoad(geometry, usage.devices(), Arrays.copyOf(times, count), profiles, ends);
    }

    /** Arrivals without departures until {@code factor} times all memory units were asked for. */
    static TrialLoad fill(Geometry geometry, FleetUsage usage, double factor, long seed) {
        double most = factor * geometry.units() * usage.devices();
        SplittableRandom random = new SplittableRandom(seed);
        double[] times = new double[(int) most + 1];
        byte[] profiles = new byte[times.length];
        int count = 0;
        for (double asked = 0; asked < most; count++) {
            profiles[count] = draw(random, usage.shares(), geometry.profiles());
            asked += geometry.sizeOf(profiles[count]);
            times[count] = WARM_UP + count;
        }
        double[] ends = new double[count];
        Arrays.fill(ends, Double.POSITIVE_INFINITY);
        return new TrialLoad(geometry, usage.devices(), Arrays.copyOf(times, count), profiles, ends);
    }

    private static double meanSize(Geometry geometry, RequestShares shares) {
        double mean = 0;
        for (int profile = 0; profile < geometry.profiles(); profile++) {
            mean += shares.share(profile) * geometry.sizeOf(profile);
        }
        return mean;
    }

    private static double exponential(SplittableRandom random) {
        return -Math.log(1 - random.nextDouble());
    }

    private static byte draw(SplittableRandom random, RequestShares shares, int profiles) {
        double left = random.nextDouble();
        for (int profile = 0; profile < profiles - 1; profile++) {
            left -= shares.share(profile);
            if (left < 0) {
                return (byte) profile;
            }
        }
        return (byte) (profiles - 1);
    }

    /** The share of memory units, of those asked for after the warm-up, that is accepted. */
    double accepted(StepCosts policy) {
        Run run = new Run(times.length);
        long asked = 0;
        long accepted = 0;
        for (int i = 0; i < times.length; i++) {
            run.departUntil(times[i]);
            int size = times[i] >= WARM_UP ? geometry.sizeOf(profiles[i]) : 0;
            asked += size;
            if (run.place(policy, profiles[i], ends[i])) {
                accepted += size;
            }
        }
        return asked == 0 ? 1 : (double) accepted / asked;
    }

    /** The fleet of one run, and a heap of what will leave it. */
    private final class Run {
        private final int[] layouts = new int[devices];
        private final double[] due;
        private final int[] what;
        private int waiting;

        Run(int most) {
            due = new double[most];
            what = new int[most];
        }

        boolean place(StepCosts policy, int profile, double end) {
            int best = -1;
            double least = Double.POSITIVE_INFINITY;
            for (int device = 0; device < devices; device++) {
                double cost = policy.cost(geometry.occupancyOf(layouts[device]), profile);
                if (cost < least - PlacementPolicy.TOLERANCE) {
                    least = cost;
                    best = device;
                }
            }
            if (best < 0) {
                return false;
            }
            int placement = policy.placement(geometry.occupancyOf(layouts[best]), profile);
            layouts[best] = geometry.toggle(layouts[best], placement);
            if (end < Double.POSITIVE_INFINITY) {
                push(end, best << 6 | placement);
            }
            return true;
        }

        void departUntil(double time) {
            while (waiting > 0 && due[0] <= time) {
                int gone = pop();
                int device = gone >>> 6;
                layouts[device] = geometry.toggle(layouts[device], gone & 63);
            }
        }

        private void push(double time, int value) {
            int at = waiting++;
            while (at > 0 && due[(at - 1) >>> 1] > time) {
                due[at] = due[(at - 1) >>> 1];
                what[at] = what[(at - 1) >>> 1];
                at = (at - 1) >>> 1;
            }
            due[at] = time;
            what[at] = value;
        }

        private int pop() {
            int result = what[0];
            double time = due[--waiting];
            int at = 0;
            for (int child = 1; child < waiting; child = 2 * at + 1) {
                child += child + 1 < waiting && due[child + 1] < due[child] ? 1 : 0;
                if (due[child] >= time) {
                    break;
                }
                due[at] = due[child];
                what[at] = what[child];
                at = child;
            }
            due[at] = time;
            what[at] = what[waiting];
            return result;
        }
    }
}
