package dev.sro.core.slicing.simulate;

import dev.sro.core.slicing.geometry.Geometry;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Requests in the order of their arrival. Does not depend on what becomes of them, so that policies are compared on the very
 * same requests.
 *
 * @param name for reports
 * @param arrivals in the order of time
 * @param measuredFrom arrivals before this time warm the fleet up and are not counted
 * @param waiting whether a request that does not fit waits, later ones passing it (true), or is lost (false)
 */
public record Workload(String name, List<Arrival> arrivals, double measuredFrom, boolean waiting) {
    /**
     * One request.
     *
     * @param time any unit, not descending
     * @param profile index in the model
     * @param holding how long the slice is kept, in the same unit; infinite for ever
     */
    public record Arrival(double time, int profile, double holding) {}

    /** Copies the list. */
    public Workload {
        arrivals = List.copyOf(arrivals);
    }

    /**
     * A loss system: Poisson arrivals, exponential holding times of mean 1, what does not fit is lost. Runs 5 holding times to warm up
     * and 20 that count.
     *
     * @param load offered memory units as a share of those of all devices
     */
    public static Workload lossSystem(Geometry geometry, Mix mix, double load, int devices, long seed) {
        double[] shares = mix.shares(geometry);
        double rate = load * geometry.units() * devices / meanSize(geometry, shares);
        SplittableRandom random = new SplittableRandom(seed);
        List<Arrival> arrivals = new ArrayList<>();
        for (double time = exponential(random) / rate; time < 25; time += exponential(random) / rate) {
            arrivals.add(new Arrival(time, draw(random, shares), exponential(random)));
        }
        return new Workload("loss " + mix.name() + " at load " + load, arrivals, 5, false);
    }

    /** Distributions of the time that slices are kept; the mean is 1 in both. */
    public enum Holding {
        /** Exponential: how long a slice was kept says nothing of how long it will be. */
        EXPONENTIAL,
        /** Log-normal with sigma 1.5: most go soon, few stay ten times as long as the mean. */
        HEAVY_TAILED
    }

    /**
     * As {@link #lossSystem}, with a mix that goes to and fro between two, there and back in 8 holding times. The load is the same
     * throughout, in memory units.
     */
    public static Workload churn(
            Geometry geometry, Mix from, Mix to, Holding holding, double load, int devices, long seed) {
        double[] first = from.shares(geometry);
        double[] second = to.shares(geometry);
        double[] shares = first.clone();
        double units = load * geometry.units() * devices;
        SplittableRandom random = new SplittableRandom(seed);
        List<Arrival> arrivals = new ArrayList<>();
        for (double time = 0; ; ) {
            double there = 0.5 - 0.5 * Math.cos(Math.PI * time / 4);
            for (int profile = 0; profile < shares.length; profile++) {
                shares[profile] = first[profile] * (1 - there) + second[profile] * there;
            }
            time += exponential(random) / units * meanSize(geometry, shares);
            if (time >= 25) {
                String name = from.name() + (from.equals(to) ? "" : " to " + to.name());
                return new Workload("churn " + name + " at load " + load, arrivals, 5, false);
            }
            double kept = holding == Holding.EXPONENTIAL
                    ? exponential(random)
                    : Math.exp(1.5 * normal(random) - 1.5 * 1.5 / 2);
            arrivals.add(new Arrival(time, draw(random, shares), kept));
        }
    }

    /** Arrivals without departures until {@code factor} times all memory units were asked for. */
    public static Workload fill(Geometry geometry, Mix mix, double factor, int devices, long seed) {
        double[] shares = mix.shares(geometry);
        SplittableRandom random = new SplittableRandom(seed);
        List<Arrival> arrivals = new ArrayList<>();
        for (double asked = 0; asked < factor * geometry.units() * devices; ) {
            int profile = draw(random, shares);
            asked += geometry.sizeOf(profile);
            arrivals.add(new Arrival(arrivals.size(), profile, Double.POSITIVE_INFINITY));
        }
        return new Workload("fill " + mix.name() + " to " + factor, arrivals, 0, false);
    }

    /**
     * A saturated backlog after the MIGBench recipe: the devices start full of the smallest slice, then 500 jobs come, one in 15 s on
     * average, that run 600 s in the median (log-normal, sigma 0.8); creating takes 0.25 s and deleting 0.1 s; jobs that do not fit wait,
     * and later ones may pass them.
     */
    public static Workload backlog(Geometry geometry, Mix mix, int devices, long seed) {
        double[] shares = mix.shares(geometry);
        SplittableRandom random = new SplittableRandom(seed);
        List<Arrival> arrivals = new ArrayList<>();
        for (int i = 0; i < devices * geometry.profile(0).maxInstances(); i++) {
            arrivals.add(new Arrival(0, 0, logNormal(random)));
        }
        double time = 0;
        for (int i = 0; i < 500; i++) {
            time += 15 * exponential(random);
            arrivals.add(new Arrival(time, draw(random, shares), 0.25 + logNormal(random) + 0.1));
        }
        return new Workload("backlog " + mix.name(), arrivals, 0, true);
    }

    static double meanSize(Geometry geometry, double[] shares) {
        double mean = 0;
        for (int profile = 0; profile < shares.length; profile++) {
            mean += shares[profile] * geometry.sizeOf(profile);
        }
        return mean;
    }

    private static double exponential(SplittableRandom random) {
        return -Math.log(1 - random.nextDouble());
    }

    private static double logNormal(SplittableRandom random) {
        return 600 * Math.exp(0.8 * normal(random));
    }

    // Box and Muller: SplittableRandom of Java 17 has nextGaussian, but its stream is not specified.
    private static double normal(SplittableRandom random) {
        return Math.sqrt(2 * exponential(random)) * Math.cos(2 * Math.PI * random.nextDouble());
    }

    private static int draw(SplittableRandom random, double[] shares) {
        double left = random.nextDouble();
        int last = 0;
        for (int profile = 0; profile < shares.length; profile++) {
            if (shares[profile] > 0) {
                last = profile;
                left -= shares[profile];
                if (left < 0) {
                    return profile;
                }
            }
        }
        return last;
    }
}
