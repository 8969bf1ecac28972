package dev.sro.core.slicing.pack;

import dev.sro.core.slicing.pack.MixedPacking.Verdict;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Branch and bound, the part with the lowest bound first; every part is also rounded to a solution. */
final class MixedSearch {
    private static final double WHOLE = 1e-6;

    /** A part of the search: limits of variables, what nothing in it goes below, and where to divide it. */
    private static final class Part {
        final long[] low;
        final long[] high;
        final long bound;
        final int variable;
        final long at;
        final int depth;

        Part(long[] low, long[] high, long bound, int variable, long at, int depth) {
            this.low = low;
            this.high = high;
            this.bound = bound;
            this.variable = variable;
            this.at = at;
            this.depth = depth;
        }
    }

    private final MixedProblem problem;
    private final DualSimplex simplex;
    private final long step;
    private int steps;
    private long @Nullable [][] best;
    private long bestCost = Long.MAX_VALUE;
    /** Lowest bound of the parts that could neither be solved nor divided. */
    private long stuck = Long.MAX_VALUE;

    private final PriorityQueue<Part> parts = new PriorityQueue<>(
            Comparator.comparingLong((Part part) -> part.bound).thenComparingInt(part -> -part.depth));

    MixedSearch(MixedProblem problem, int steps) {
        this.problem = problem;
        this.simplex = new DualSimplex(problem);
        this.steps = steps;
        BigInteger divisor = BigInteger.ZERO;
        for (long price : problem.cost) {
            divisor = divisor.gcd(BigInteger.valueOf(price));
        }
        this.step = Math.max(1, divisor.longValue());
    }

    MixedPacking run() {
        look(new long[problem.cost.length], problem.most.clone(), 0, 0);
        while (!parts.isEmpty() && parts.peek().bound < bestCost && steps > 0) {
            Part part = parts.remove();
            long[] high = part.high.clone();
            high[part.variable] = part.at;
            look(part.low, high, part.bound, part.depth + 1);
            long[] low = part.low.clone();
            low[part.variable] = part.at + 1;
            look(low, part.high, part.bound, part.depth + 1);
        }
        long open = parts.isEmpty() ? stuck : Math.min(stuck, parts.peek().bound);
        long bound = Math.min(open, bestCost);
        return best == null ? nothing(open) : result(best, bound);
    }

    private static MixedPacking nothing(long open) {
        return open == Long.MAX_VALUE
                ? new MixedPacking(Verdict.INFEASIBLE, List.of(), List.of(), 0, 0)
                : new MixedPacking(Verdict.NOT_FOUND, List.of(), List.of(), 0, open);
    }

    private MixedPacking result(long[][] found, long bound) {
        List<Packing> packings = problem.packings(found);
        // More than what was reckoned with only where the inequalities of a model do not suffice.
        long cost = problem.cost(packings);
        if (cost < 0) {
            return nothing(bound);
        }
        List<List<Long>> shares = new ArrayList<>();
        for (int j = 0; j < problem.needs.length; j++) {
            List<Long> share = new ArrayList<>();
            for (long[] of : found) {
                share.add(of[j]);
            }
            shares.add(share);
        }
        return new MixedPacking(bound == cost ? Verdict.OPTIMAL : Verdict.WITHIN_BOUND, packings, shares, cost, bound);
    }

    private void look(long[] low, long[] high, long known, int depth) {
        steps--;
        if (!simplex.solve(low, high, problem.most)) {
            if (problem.bound(simplex.price, low, high, 0).signum() <= 0) {
                divide(low, high, known, depth, open(low, high), new double[low.length]);
            }
            return;
        }
        // Costs are multiples of the greatest number that divides all prices.
        long lowest = problem.bound(simplex.price, low, high, 1).longValueExact();
        long bound = Math.max(known, lowest + Math.floorMod(-lowest, step));
        double[] value = simplex.value.clone();
        for (int v = 0; v < value.length; v++) {
            // The simplex does not look at the widest limits; a value beyond them can not be divided at.
            value[v] = Math.min(value[v], (double) high[v]);
        }
        round(value);
        if (bound >= bestCost) {
            return;
        }
        int at = fractional(value, low, high);
        divide(low, high, bound, depth, at < 0 ? open(low, high) : at, value);
    }

    private void divide(long[] low, long[] high, long bound, int depth, int at, double[] value) {
        if (at >= 0) {
            long divide = Math.min(high[at] - 1, Math.max(low[at], (long) Math.floor(value[at] + WHOLE)));
            parts.add(new Part(low, high, bound, at, divide, depth));
        } else if (problem.holds(low)) {
            stuck = Math.min(stuck, bound);
        }
    }

    /** The variable, of those not fixed, that is farthest from whole, devices before instances; -1 if all are whole. */
    private int fractional(double[] value, long[] low, long[] high) {
        int found = -1;
        double most = WHOLE;
        for (int v = 0; v < value.length; v++) {
            double off = Math.abs(value[v] - Math.rint(value[v]));
            off = off > WHOLE && problem.cost[v] > 0 ? off + 1 : off;
            if (low[v] < high[v] && off > most) {
                most = off;
                found = v;
            }
        }
        return found;
    }

    // Where a whole solution does not cost what its bound says, a variable that is not fixed is halved.
    private int open(long[] low, long[] high) {
        for (int v = 0; v < low.length; v++) {
            if (low[v] < high[v]) {
                return v;
            }
        }
        return -1;
    }

    /** Keeps the whole part of each share and gives the rest, one by one, to the model where it costs least. */
    private void round(double[] value) {
        int models = problem.models.size();
        long[][] shares = new long[models][problem.needs.length];
        long[] left = problem.needs.clone();
        for (int m = 0; m < models; m++) {
            for (int j = 0; j < left.length; j++) {
                int v = problem.variable[m][j];
                if (v >= 0) {
                    shares[m][j] = Math.min(left[j], Math.max(0, (long) Math.floor(value[v] + WHOLE)));
                    left[j] -= shares[m][j];
                }
            }
        }
        for (int j = 0; j < left.length; j++) {
            if (left[j] > 0 && !place(shares, j, left[j])) {
                return;
            }
        }
        long cost = problem.price(problem.counts(shares));
        if (cost >= 0 && cost < bestCost) {
            bestCost = cost;
            best = shares;
        }
    }

    private boolean place(long[][] shares, int j, long count) {
        // More than one per model is left only where rounding went wrong; then all go together.
        long each = count <= shares.length ? 1 : count;
        for (long left = count; left > 0; left -= each) {
            int to = -1;
            long least = Long.MAX_VALUE;
            for (int m = 0; m < shares.length; m++) {
                if (problem.variable[m][j] >= 0) {
                    shares[m][j] += each;
                    long cost = problem.price(problem.counts(shares));
                    shares[m][j] -= each;
                    if (cost >= 0 && cost < least) {
                        least = cost;
                        to = m;
                    }
                }
            }
            if (to < 0) {
                return false;
            }
            shares[to][j] += each;
        }
        return true;
    }
}
