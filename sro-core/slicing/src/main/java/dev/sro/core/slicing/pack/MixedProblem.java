package dev.sro.core.slicing.pack;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Packing on several models as an integer programme: least {@code cost * v} with {@code rows * v <= right}. Variables are the
 * devices of each model, per list of its inequalities, and then for each demand its instances on each model that can carry it.
 */
final class MixedProblem {
    private static final int FRACTION_BITS = 40;

    final List<Feasibility> models;
    final long[] needs;
    final long[] cost;
    final long[][] rows;
    final long[] right;
    /** Most that each variable can usefully be. */
    final long[] most;
    /** Variable of a demand on a model, or -1. */
    final int[][] variable;

    private final long[] prices;
    private final long[] stocks;
    private final int[][] profiles;
    private final boolean[] limited;
    private final List<Packer> packers;

    MixedProblem(List<Feasibility> models, long[] prices, long[] stocks, long[] needs, int[][] profiles) {
        this.models = models;
        this.prices = prices;
        this.needs = needs;
        this.profiles = profiles;
        this.packers = models.stream().map(Packer::of).toList();
        long total = 0;
        for (long need : needs) {
            total += need;
        }
        this.stocks = stocks.clone();
        this.limited = new boolean[stocks.length];
        int width =
                models.stream().mapToInt(model -> model.inequalities().size()).sum();
        this.variable = new int[models.size()][needs.length];
        for (int m = 0; m < models.size(); m++) {
            // No device is worth its price without an instance on it.
            this.stocks[m] = Math.min(stocks[m], total);
            limited[m] = stocks[m] < total;
            for (int j = 0; j < needs.length; j++) {
                variable[m][j] = profiles[m][j] < 0 ? -1 : width++;
            }
        }
        this.cost = new long[width];
        this.most = new long[width];
        List<long[]> table = new ArrayList<>();
        int first = 0;
        for (int m = 0; m < models.size(); m++) {
            model(m, first, table);
            first += models.get(m).inequalities().size();
        }
        for (int j = 0; j < needs.length; j++) {
            demand(j, table);
        }
        this.rows = new long[table.size()][];
        this.right = new long[rows.length];
        for (int r = 0; r < rows.length; r++) {
            rows[r] = Arrays.copyOf(table.get(r), width);
            right[r] = table.get(r)[width];
        }
    }

    private void model(int m, int first, List<long[]> table) {
        List<List<Inequality>> blocks = models.get(m).inequalities();
        long[] together = new long[cost.length + 1];
        for (int b = 0; b < blocks.size(); b++) {
            cost[first + b] = prices[m];
            most[first + b] = stocks[m];
            together[first + b] = 1;
            for (Inequality inequality : blocks.get(b)) {
                long[] row = new long[cost.length + 1];
                row[first + b] = -inequality.perDevice();
                for (int j = 0; j < needs.length; j++) {
                    if (variable[m][j] >= 0) {
                        row[variable[m][j]] = inequality.coefficients().get(profiles[m][j]);
                    }
                }
                table.add(row);
            }
        }
        if (limited[m]) {
            together[cost.length] = stocks[m];
            table.add(together);
        }
    }

    private void demand(int j, List<long[]> table) {
        long[] row = new long[cost.length + 1];
        row[cost.length] = -needs[j];
        for (int[] of : variable) {
            if (of[j] >= 0) {
                row[of[j]] = -1;
                most[of[j]] = needs[j];
            }
        }
        table.add(row);
    }

    /** Whether every row holds with these values of the variables. */
    boolean holds(long[] values) {
        for (int r = 0; r < rows.length; r++) {
            long sum = 0;
            for (int v = 0; v < values.length; v++) {
                sum += rows[r][v] * values[v];
            }
            if (sum > right[r]) {
                return false;
            }
        }
        return true;
    }

    /** What {@code counts[model][profile]} cost by the inequalities; -1 if there are not enough devices. */
    long price(long[][] counts) {
        long sum = 0;
        for (int m = 0; m < counts.length; m++) {
            long devices = models.get(m).minDevices(counts[m]);
            if (devices > stocks[m]) {
                return -1;
            }
            sum += devices * prices[m];
        }
        return sum;
    }

    /** What packings cost; -1 if there are not enough devices. */
    long cost(List<Packing> packings) {
        long sum = 0;
        for (int m = 0; m < packings.size(); m++) {
            if (packings.get(m).devices() > stocks[m]) {
                return -1;
            }
            sum += packings.get(m).devices() * prices[m];
        }
        return sum;
    }

    /** Instances per model and profile, of instances per model and demand. */
    long[][] counts(long[][] shares) {
        long[][] counts = new long[shares.length][];
        for (int m = 0; m < shares.length; m++) {
            counts[m] = new long[models.get(m).geometry().profiles()];
            for (int j = 0; j < needs.length; j++) {
                if (variable[m][j] >= 0) {
                    counts[m][profiles[m][j]] += shares[m][j];
                }
            }
        }
        return counts;
    }

    List<Packing> packings(long[][] shares) {
        long[][] counts = counts(shares);
        List<Packing> packings = new ArrayList<>();
        for (int m = 0; m < counts.length; m++) {
            packings.add(packers.get(m).pack(counts[m]));
        }
        return packings;
    }

    /**
     * A number that {@code factor * cost} does not go below within these limits of variables, whatever the prices of rows, as long as
     * they are not negative: computed exactly (weak duality). With factor 0, a positive result proves that there is
     * no solution.
     */
    BigInteger bound(double[] rowPrices, long[] low, long[] high, int factor) {
        BigInteger[] scaled = new BigInteger[rows.length];
        BigInteger sum = BigInteger.ZERO;
        for (int r = 0; r < rows.length; r++) {
            double price = Math.max(0, rowPrices[r]);
            scaled[r] = BigDecimal.valueOf(price)
                    .multiply(BigDecimal.valueOf(1L << FRACTION_BITS))
                    .toBigInteger();
            sum = sum.subtract(scaled[r].multiply(BigInteger.valueOf(right[r])));
        }
        for (int v = 0; v < cost.length; v++) {
            BigInteger reduced = BigInteger.valueOf(factor * cost[v]).shiftLeft(FRACTION_BITS);
            for (int r = 0; r < rows.length; r++) {
                if (rows[r][v] != 0) {
                    reduced = reduced.add(scaled[r].multiply(BigInteger.valueOf(rows[r][v])));
                }
            }
            sum = sum.add(reduced.multiply(BigInteger.valueOf(reduced.signum() < 0 ? high[v] : low[v])));
        }
        // Rounded up: costs are whole.
        return sum.negate().shiftRight(FRACTION_BITS).negate();
    }
}
