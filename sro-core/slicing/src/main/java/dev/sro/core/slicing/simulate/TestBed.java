package dev.sro.core.slicing.simulate;

import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.simulate.Workload.Holding;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.function.ToDoubleFunction;

/**
 * Loads on which a policy has to stand, made from a model alone, so that they are the same kind of loads for every model, also for one that
 * nobody has seen yet. They were written down before the policy that they judge. Stateless.
 */
public final class TestBed {
    private TestBed() {}

    /**
     * One load.
     *
     * @param name what it is
     * @param workload requests for a seed
     */
    public record Cell(String name, LongFunction<Workload> workload) {}

    /** Six mixes of all profiles: by width, each in its own way. */
    public static List<Mix> mixes(Geometry geometry) {
        double widest = 0;
        for (int profile = 0; profile < geometry.profiles(); profile++) {
            widest = Math.max(widest, share(geometry, profile));
        }
        double whole = widest;
        return List.of(
                mix("uniform", geometry, share -> 1),
                mix("small", geometry, share -> 1 / share),
                mix("big", geometry, share -> share),
                mix("bimodal", geometry, share -> Math.abs(share - 0.5) + 0.05),
                mix("whole-heavy", geometry, share -> share == whole ? 10 : share >= 0.4 ? 3 : 1),
                mix("half-heavy", geometry, share -> Math.abs(share - 0.5) < 0.15 ? 8 : 1));
    }

    private static double share(Geometry geometry, int profile) {
        return (double) geometry.sizeOf(profile) / geometry.units();
    }

    private static Mix mix(String name, Geometry geometry, ToDoubleFunction<Double> weight) {
        Map<String, Double> weights = new LinkedHashMap<>();
        for (int profile = 0; profile < geometry.profiles(); profile++) {
            weights.put(geometry.profile(profile).name(), weight.applyAsDouble(share(geometry, profile)));
        }
        return new Mix(name, weights);
    }

    /** Slices come and go: six mixes at four loads, at two of them with a heavy tail too. */
    public static List<Cell> steady(Geometry geometry, int devices) {
        List<Cell> cells = new ArrayList<>();
        for (Mix mix : mixes(geometry)) {
            for (double load : new double[] {0.75, 0.85, 0.95, 1.05}) {
                cells.add(churn(geometry, mix, mix, Holding.EXPONENTIAL, load, devices));
            }
            for (double load : new double[] {0.85, 0.95}) {
                cells.add(churn(geometry, mix, mix, Holding.HEAVY_TAILED, load, devices));
            }
        }
        return cells;
    }

    /**
     * Much more is asked for than there is: six mixes at two loads. Written down later than the others, when loads drawn at random had found
     * the default behind there.
     */
    public static List<Cell> overloaded(Geometry geometry, int devices) {
        List<Cell> cells = new ArrayList<>();
        for (Mix mix : mixes(geometry)) {
            for (double load : new double[] {1.3, 2.0}) {
                cells.add(churn(geometry, mix, mix, Holding.EXPONENTIAL, load, devices));
            }
        }
        return cells;
    }

    /** The mix drifts, from small slices to whole devices and between halves and the two ends. */
    public static List<Cell> drifting(Geometry geometry, int devices) {
        List<Mix> mixes = mixes(geometry);
        List<Cell> cells = new ArrayList<>();
        for (double load : new double[] {0.85, 0.95}) {
            cells.add(churn(geometry, mixes.get(1), mixes.get(4), Holding.EXPONENTIAL, load, devices));
            cells.add(churn(geometry, mixes.get(5), mixes.get(3), Holding.EXPONENTIAL, load, devices));
        }
        return cells;
    }

    /** One profile alone, each in turn. */
    public static List<Cell> single(Geometry geometry, int devices) {
        List<Cell> cells = new ArrayList<>();
        for (int profile = 0; profile < geometry.profiles(); profile++) {
            String name = geometry.profile(profile).name();
            Mix mix = new Mix("only " + name, Map.of(name, 1.0));
            cells.add(churn(geometry, mix, mix, Holding.EXPONENTIAL, 0.95, devices));
        }
        return cells;
    }

    /** Slices come and stay. */
    public static List<Cell> filling(Geometry geometry, int devices) {
        List<Cell> cells = new ArrayList<>();
        for (Mix mix : mixes(geometry)) {
            for (double factor : new double[] {1.0, 1.1}) {
                cells.add(new Cell(
                        "fill " + factor + " " + mix.name(),
                        seed -> Workload.fill(geometry, mix, factor, devices, seed)));
            }
        }
        return cells;
    }

    private static Cell churn(Geometry geometry, Mix from, Mix to, Holding holding, double load, int devices) {
        String name = (holding == Holding.HEAVY_TAILED ? "heavy-tailed " : from.equals(to) ? "steady " : "drifting ")
                + load + " " + from.name() + (from.equals(to) ? "" : " to " + to.name());
        return new Cell(name, seed -> Workload.churn(geometry, from, to, holding, load, devices, seed));
    }
}
