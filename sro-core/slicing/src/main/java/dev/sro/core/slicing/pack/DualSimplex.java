package dev.sro.core.slicing.pack;

import java.util.Arrays;

/**
 * Solves {@code least cost * v} with {@code rows * v <= right} and limits of single variables, by the dual simplex method on
 * a dense table. Costs must not be negative. Its answers are guides: what has to be certain is checked in whole numbers elsewhere.
 */
final class DualSimplex {
    private static final double PIVOT = 1e-9;
    /** Pivots after which the rule changes to one that can not cycle. */
    private static final int PATIENT = 300;

    private static final int MOST = 3000;

    private final long[][] rows;
    private final long[] right;
    private final long[] cost;
    private double[][] table = {};
    private int[] basis = {};
    private int width;

    /** Values of variables in the optimum. */
    final double[] value;
    /** Prices of rows, in the optimum or as a reason why there is none. */
    final double[] price;

    DualSimplex(MixedProblem problem) {
        this.rows = problem.rows;
        this.right = problem.right;
        this.cost = problem.cost;
        this.value = new double[cost.length];
        this.price = new double[rows.length];
    }

    /** Whether there is a solution with {@code low <= v <= high}; limits above {@code most} are not looked at. */
    boolean solve(long[] low, long[] high, long[] most) {
        load(low, high, most);
        double tolerance = 1e-9;
        for (double[] row : table) {
            tolerance = Math.max(tolerance, 1e-12 * Math.abs(row[width]));
        }
        int bottom = basis.length;
        for (int pivots = 0; pivots < MOST; pivots++) {
            int leaves = leaves(tolerance, pivots < PATIENT);
            if (leaves < 0) {
                for (int r = 0; r < price.length; r++) {
                    price[r] = Math.max(0, table[bottom][cost.length + r]);
                }
                values(low);
                return true;
            }
            int enters = enters(leaves);
            if (enters < 0) {
                for (int r = 0; r < price.length; r++) {
                    price[r] = Math.max(0, table[leaves][cost.length + r]);
                }
                return false;
            }
            pivot(leaves, enters);
        }
        // Not seen; a price of zero for every row is valid too.
        Arrays.fill(price, 0);
        values(low);
        return true;
    }

    private void load(long[] low, long[] high, long[] most) {
        int limits = 0;
        for (int v = 0; v < cost.length; v++) {
            limits += high[v] < most[v] ? 1 : 0;
        }
        int height = rows.length + limits;
        width = cost.length + height;
        table = new double[height + 1][width + 1];
        basis = new int[height];
        for (int r = 0; r < height; r++) {
            table[r][cost.length + r] = 1;
            basis[r] = cost.length + r;
        }
        for (int r = 0; r < rows.length; r++) {
            long rest = right[r];
            for (int v = 0; v < cost.length; v++) {
                table[r][v] = rows[r][v];
                rest -= rows[r][v] * low[v];
            }
            table[r][width] = rest;
        }
        for (int v = 0, r = rows.length; v < cost.length; v++) {
            table[height][v] = cost[v];
            if (high[v] < most[v]) {
                table[r][v] = 1;
                table[r++][width] = high[v] - low[v];
            }
        }
    }

    private int leaves(double tolerance, boolean largest) {
        int found = -1;
        for (int r = 0; r < basis.length; r++) {
            if (table[r][width] < -tolerance
                    && (found < 0 || (largest ? table[r][width] < table[found][width] : basis[r] < basis[found]))) {
                found = r;
            }
        }
        return found;
    }

    private int enters(int leaves) {
        int found = -1;
        double least = Double.MAX_VALUE;
        for (int j = 0; j < width; j++) {
            double by = table[leaves][j];
            if (by < -PIVOT && table[basis.length][j] / -by < least - 1e-12) {
                least = table[basis.length][j] / -by;
                found = j;
            }
        }
        return found;
    }

    private void pivot(int leaves, int enters) {
        double[] row = table[leaves];
        double by = row[enters];
        for (int j = 0; j <= width; j++) {
            row[j] /= by;
        }
        for (int r = 0; r < table.length; r++) {
            double factor = table[r][enters];
            if (r != leaves && factor != 0) {
                for (int j = 0; j <= width; j++) {
                    table[r][j] -= factor * row[j];
                }
                table[r][enters] = 0;
            }
        }
        basis[leaves] = enters;
    }

    private void values(long[] low) {
        for (int v = 0; v < value.length; v++) {
            value[v] = low[v];
        }
        for (int r = 0; r < basis.length; r++) {
            if (basis[r] < value.length) {
                value[basis[r]] += table[r][width];
            }
        }
    }
}
