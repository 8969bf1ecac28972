package dev.sro.core.slicing.simulate;

import dev.sro.core.slicing.policy.PolicyTable;
import dev.sro.core.slicing.simulate.TestBed.Cell;
import java.util.List;

/**
 * A policy against the best of others on the very same requests.
 *
 * @param cell name of the load
 * @param accepted share of memory units that the policy accepted, on average over runs
 * @param best the policy of the others that accepted most
 * @param difference by how much more was accepted than by that one, as a share of memory units; negative if less
 * @param error standard error of the difference, from one run to another. The best of several is partly lucky: its lead is overstated
 */
public record PolicyComparison(String cell, double accepted, String best, double difference, double error) {
    /** Runs of different seeds are this far apart. */
    private static final long STRIDE = 7919;

    /**
     * Plays {@code runs} loads of a cell. What a table has learned in one run it remembers in the next; it depends on the load alone.
     *
     * @param runs at least 2
     */
    public static PolicyComparison of(
            PolicyTable policy, List<PolicyTable> others, int devices, Cell cell, int runs, long seed) {
        double[] own = new double[runs];
        double[][] theirs = new double[others.size()][runs];
        for (int run = 0; run < runs; run++) {
            Workload workload = cell.workload().apply(seed + run * STRIDE);
            own[run] = Simulator.run(policy, devices, workload).acceptanceByUnits();
            for (int other = 0; other < theirs.length; other++) {
                theirs[other][run] =
                        Simulator.run(others.get(other), devices, workload).acceptanceByUnits();
            }
        }
        int best = 0;
        for (int other = 1; other < theirs.length; other++) {
            best = mean(theirs[other]) > mean(theirs[best]) ? other : best;
        }
        double difference = mean(own) - mean(theirs[best]);
        double squares = 0;
        for (int run = 0; run < runs; run++) {
            squares += Math.pow(own[run] - theirs[best][run] - difference, 2);
        }
        return new PolicyComparison(
                cell.name(),
                mean(own),
                others.get(best).name(),
                difference,
                Math.sqrt(squares / runs / Math.max(1, runs - 1)));
    }

    private static double mean(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum / values.length;
    }
}
