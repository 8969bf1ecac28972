package dev.sro.agent.fleet;

import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.simulate.Mix;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * The recipe: a fleet is filled, then pods come and go. Pods come in rounds of some at once; before each round others leave at random until
 * there is room within the load. One that the scheduler finds no place for goes away and is counted.
 */
final class FleetChurn {
    private static final Geometry GEOMETRY = Geometry.of(Fleet.MODEL);
    private static final int FILLED_PERCENT = 90;
    private static final int WARM_UP = 5;
    private static final double SECOND = 1e9;
    private static final double PERCENT = 100;

    /** When a pod that found nothing in a filling has been tried with everything that can be had: nobody leaves. */
    private static final Duration FULL = Duration.ofMillis(300);

    /** While others leave the scheduler hears of it a little later, and tries again a second after that. */
    private static final Duration RETRIED = Duration.ofMillis(2500);

    /**
     * What is played.
     *
     * @param round pods that come at once
     * @param pods that come and go at each load, counted
     * @param loads of memory in use, in percent, one after the other
     */
    record Recipe(int nodes, int gpus, int round, int pods, List<Integer> loads, long seed, Mix mix) {
        int units() {
            return nodes * gpus * GEOMETRY.units();
        }
    }

    /**
     * What came of it.
     *
     * @param filled units that were accepted of those that were asked for to fill the fleet
     * @param fillRate pods a second while it was filled
     */
    record Result(int filled, int of, double fillRate, List<Churn> churns) {
        /** A line for each load. */
        String lines(FleetWay way) {
            return churns.stream()
                    .map(churn -> String.format(
                            Locale.ROOT,
                            "| %s | %d of %d | %.1f | %d %% | %d of %d, %.1f %% | %.1f | %.2f |",
                            way.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                            filled,
                            of,
                            fillRate,
                            churn.load(),
                            churn.rejected(),
                            churn.offered(),
                            churn.rejectedPercent(),
                            churn.rate(),
                            churn.writesPerPod()))
                    .collect(Collectors.joining("\n"));
        }
    }

    /**
     * What came of pods that come and go at one load.
     *
     * @param rate pods a second, leaving not counted
     * @param writes of slices
     */
    record Churn(int load, int offered, int rejected, double rate, int writes) {
        double rejectedPercent() {
            return PERCENT * rejected / offered;
        }

        double writesPerPod() {
            return (double) writes / Math.max(1, offered - rejected);
        }
    }

    private final Recipe recipe;
    private final Fleet fleet;
    private final Random requests;
    private final Random departures;
    private final List<String> running = new ArrayList<>();
    private final Map<String, Integer> sizes = new LinkedHashMap<>();
    private int number;
    private int used;
    private long nanos;
    private int bound;
    private int rejected;

    private FleetChurn(Recipe recipe, Fleet fleet) {
        this.recipe = recipe;
        this.fleet = fleet;
        requests = new Random(recipe.seed());
        departures = new Random(~recipe.seed());
    }

    /** Plays it on a fleet that is empty. */
    static Result play(Recipe recipe, Fleet fleet) throws Exception {
        FleetChurn churn = new FleetChurn(recipe, fleet);
        int asked = churn.fill();
        int filled = churn.used;
        double fillRate = churn.rate();
        List<Churn> churns = new ArrayList<>();
        for (int load : recipe.loads()) {
            churn.comeAndGo(recipe.pods() / WARM_UP, load);
            churn.forget();
            int before = fleet.writes();
            int offered = churn.comeAndGo(recipe.pods(), load);
            churns.add(new Churn(load, offered, churn.rejected, churn.rate(), fleet.writes() - before));
        }
        return new Result(filled, asked, fillRate, churns);
    }

    private double rate() {
        return bound / (nanos / SECOND);
    }

    private void forget() {
        nanos = 0;
        bound = 0;
        rejected = 0;
    }

    /** Returns how many units were asked for. */
    private int fill() throws Exception {
        int most = recipe.units() * FILLED_PERCENT / 100;
        int asked = 0;
        while (asked < most) {
            Map<String, String> coming = new LinkedHashMap<>();
            while (asked < most && coming.size() < recipe.round()) {
                String name = next(coming);
                asked += size(name);
            }
            come(coming, FULL);
        }
        return asked;
    }

    private int comeAndGo(int pods, int load) throws Exception {
        int offered = 0;
        while (offered < pods) {
            Map<String, String> coming = new LinkedHashMap<>();
            int more = 0;
            while (coming.size() < recipe.round()) {
                more += size(next(coming));
            }
            leave(more, load);
            come(coming, RETRIED);
            offered += coming.size();
        }
        return offered;
    }

    private void leave(int coming, int load) throws Exception {
        List<String> going = new ArrayList<>();
        while (used + coming > recipe.units() * load / 100 && !running.isEmpty()) {
            String name = running.remove(departures.nextInt(running.size()));
            used -= size(name);
            going.add(name);
        }
        fleet.pods().delete(going);
    }

    private void come(Map<String, String> coming, Duration calm) throws Exception {
        long start = System.nanoTime();
        fleet.pods().create(coming);
        List<String> placed = fleet.pods().settled(coming.keySet(), calm);
        if (!placed.isEmpty()) {
            nanos += fleet.pods().lastBound() - start;
        }
        bound += placed.size();
        rejected += coming.size() - placed.size();
        placed.forEach(name -> used += size(name));
        running.addAll(placed);
        List<String> refused = new ArrayList<>(coming.keySet());
        refused.removeAll(placed);
        fleet.pods().delete(refused);
    }

    private int size(String name) {
        return sizes.getOrDefault(name, 0);
    }

    /** Adds a pod of the mix; returns its name. */
    private String next(Map<String, String> coming) {
        String name = "pod-" + number++;
        String profile = profile();
        sizes.put(name, GEOMETRY.sizeOf(GEOMETRY.model().indexOf(profile)));
        coming.put(name, fleet.pod(name, profile));
        return name;
    }

    private String profile() {
        double rest = requests.nextDouble()
                * recipe.mix().weights().values().stream()
                        .mapToDouble(weight -> weight)
                        .sum();
        String profile = "";
        for (Map.Entry<String, Double> weight : recipe.mix().weights().entrySet()) {
            profile = weight.getKey();
            rest -= weight.getValue();
            if (rest < 0) {
                break;
            }
        }
        return profile;
    }
}
