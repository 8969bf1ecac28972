package dev.sro.core.slicing.policy;

import dev.sro.core.slicing.geometry.Geometry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Lets policies play against each other on made-up loads of a known mix, and answers the best: rounds on ever more loads, after each of
 * which the worse half goes. Deterministic: the loads are made from fixed seeds. At most 200,000 simulated requests where about as
 * much is asked for as there is, some ten milliseconds once the code is compiled; up to twice as many where much more is.
 */
final class Contest {
    private static final int ROUNDS = 4;
    private static final int FIRST_ROUND = 2;

    /** A fill has so many times fewer requests. */
    private static final int FILLS = 4;

    /** And on few devices it has fewer still, and tells less. */
    private static final int FILLS_OF_FEW = 16;

    private static final int FEW = 8;

    private static final long SEED = 20_260_401;

    /** A favourite is given up only for what is better by so many standard errors. */
    private static final double DOUBT = 2;

    private final Geometry geometry;
    private final FleetUsage usage;
    private int played;

    Contest(Geometry geometry, FleetUsage usage) {
        this.geometry = geometry;
        this.usage = usage;
    }

    private static final class Player {
        final PlacementPolicy policy;
        final StepCosts costs;
        /** By trial. */
        final double[] accepted = new double[(FIRST_ROUND * FILLS_OF_FEW) << ROUNDS];

        double sum;

        Player(Geometry geometry, PlacementPolicy policy) {
            this.policy = policy;
            this.costs = StepCosts.asNeeded(geometry, policy, policy.name());
        }

        void play(TrialLoad trial, int number) {
            accepted[number] = trial.accepted(costs);
            sum += accepted[number];
        }

        boolean surelyBetterThan(Player other, int trials) {
            double mean = (sum - other.sum) / trials;
            double squares = 0;
            for (int i = 0; i < trials; i++) {
                double difference = accepted[i] - other.accepted[i] - mean;
                squares += difference * difference;
            }
            return mean > DOUBT * Math.sqrt(squares / trials / (trials - 1));
        }
    }

    /** The best of them; the first one is the favourite. Where there are {@code many} steps those that do the same are not told apart. */
    PlacementPolicy winner(List<PlacementPolicy> policies, boolean many) {
        List<Player> players = new ArrayList<>();
        for (PlacementPolicy policy : policies) {
            Player player = new Player(geometry, policy);
            if (many || players.stream().noneMatch(other -> other.costs.sameAs(player.costs))) {
                players.add(player);
            }
        }
        Player favourite = players.get(0);
        for (int round = 0; round < ROUNDS && players.size() > 1; round++) {
            for (int load = 0; load < loads() << round; load++) {
                int number = played++;
                TrialLoad trial = trial(number);
                players.forEach(player -> player.play(trial, number));
            }
            players.sort(Comparator.comparingDouble(player -> -player.sum));
            int stay = (players.size() + 1) / 2;
            if (round < ROUNDS - 1 && players.indexOf(favourite) >= stay) {
                players.remove(favourite);
                players.add(stay++, favourite);
            }
            players.subList(Math.min(stay, players.size()), players.size()).clear();
        }
        Player best = players.get(0);
        return best.surelyBetterThan(favourite, played) ? best.policy : favourite.policy;
    }

    private int loads() {
        if (usage.regime() != Regime.FILLING) {
            return FIRST_ROUND;
        }
        return FIRST_ROUND * (usage.devices() <= FEW ? FILLS_OF_FEW : FILLS);
    }

    private TrialLoad trial(int number) {
        long seed = SEED + 7919L * number;
        boolean odd = (number & 1) != 0;
        return switch (usage.regime()) {
            case FILLING -> TrialLoad.fill(geometry, usage, odd ? 1.1 : 1.0, seed);
            case CALM -> TrialLoad.steady(geometry, usage, odd ? 0.88 : 0.80, seed);
            case STEADY -> TrialLoad.steady(geometry, usage, odd ? 0.96 : 0.86, seed);
            case CROWDED -> TrialLoad.steady(geometry, usage, odd ? 1.08 : 0.97, seed);
            case OVERLOADED -> TrialLoad.steady(geometry, usage, odd ? 2.0 : 1.3, seed);
            case SATURATED -> TrialLoad.steady(geometry, usage, odd ? 1.5 : 1.1, seed);
        };
    }
}
