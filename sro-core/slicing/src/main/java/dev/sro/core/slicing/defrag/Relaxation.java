package dev.sro.core.slicing.defrag;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The least cost of emptying a number of devices if devices could be divided: a linear programme over classes of devices,
 * solved by column generation. One column says for each class what all its devices become; there is a row per profile
 * (as many places as instances), one for emptied devices, and one for convexity.
 *
 * <p>{@link #bound()} is a lower bound at any time: it comes from the prices alone.
 */
final class Relaxation {
    private static final double PENALTY = 1000;
    private static final int MAX_COLUMNS = 5000;

    /** What one column says, with its totals divided by the number of devices. */
    private static final class Column {
        final char[] becomes;
        final double[] rows;
        final double cost;

        Column(char[] becomes, double[] rows, double cost) {
            this.becomes = becomes;
            this.rows = rows;
            this.cost = cost;
        }
    }

    private final Pricing pricing;
    private final DeviceClasses classes;
    private final int rows;
    private final double scale;
    private final List<Column> columns = new ArrayList<>();
    private final double[] right;
    /** Column of each row of the basis; below zero: -1 - row for a penalty. */
    private final int[] basis;

    private final double[][] inverse;
    private final double[] value;
    private final double[] price;
    private double bound;

    Relaxation(Pricing pricing, long devices) {
        this.pricing = pricing;
        this.classes = pricing.classes();
        int profiles = pricing.table().geometry.profiles();
        this.rows = profiles + 2;
        this.scale = Math.max(1, devices);
        this.right = new double[rows];
        this.basis = new int[rows];
        this.inverse = new double[rows][rows];
        this.value = new double[rows];
        this.price = new double[rows];
        // Profiles without surplus make the optimum degenerate; a billionth of an instance avoids cycles.
        for (int p = 0; p < profiles; p++) {
            right[p] = 1e-10 * (p + 1);
        }
        right[rows - 1] = 1;
        char[] same = new char[classes.size];
        Arrays.setAll(basis, r -> -1 - r);
        for (int c = 0; c < same.length; c++) {
            same[c] = (char) classes.layout[c];
        }
        for (int r = 0; r < rows; r++) {
            inverse[r][r] = 1;
            double[] surplus = new double[rows];
            surplus[r] = -1;
            columns.add(new Column(new char[0], surplus, r == rows - 1 ? PENALTY : 0));
        }
        columns.add(column(same));
        basis[rows - 1] = rows;
    }

    /** Solves for a number of devices to empty; what was learned of other numbers is used. */
    void solve(long toEmpty) {
        right[rows - 2] = toEmpty / scale;
        bound = 0;
        restart();
        while (columns.size() < MAX_COLUMNS) {
            optimise();
            double[] worth = Arrays.copyOf(price, rows - 2);
            Arrays.setAll(worth, p -> Math.max(0, worth[p]));
            double emptied = Math.max(0, price[rows - 2]);
            pricing.prices(worth, emptied);
            char[] answer = new char[classes.size];
            for (int c = 0; c < answer.length; c++) {
                answer[c] = (char) pricing.answer(c);
            }
            Column column = column(answer);
            double reduced = column.cost - emptied * column.rows[rows - 2];
            for (int p = 0; p < rows - 2; p++) {
                reduced -= worth[p] * column.rows[p];
            }
            bound = Math.max(bound, (reduced + emptied * right[rows - 2]) * scale);
            if (cost() - bound < Math.max(0.01, 2e-6 * bound) || reduced > price[rows - 1] - 1e-12) {
                return;
            }
            columns.add(column);
        }
    }

    /** No plan that empties so many devices costs less. */
    double bound() {
        return bound;
    }

    /** Cost of the divided optimum; beyond {@link #bound()} by no more than the tolerance. */
    double cost() {
        double sum = 0;
        for (int r = 0; r < rows; r++) {
            sum += value[r] * costOf(basis[r]);
        }
        return sum * scale;
    }

    /** Whether so many devices can be emptied at all. */
    boolean possible() {
        for (int r = 0; r < rows; r++) {
            if (basis[r] < 0 && value[r] * scale > 1e-3) {
                return false;
            }
        }
        return true;
    }

    /** Shares of columns in the optimum. */
    List<Double> shares() {
        return used().mapToObj(r -> value[r]).toList();
    }

    /** What classes become, for each of {@link #shares()}. */
    List<char[]> answers() {
        return used().mapToObj(r -> columns.get(basis[r]).becomes).toList();
    }

    private IntStream used() {
        return IntStream.range(0, rows).filter(r -> basis[r] >= rows && value[r] > 1e-12);
    }

    int columns() {
        return columns.size();
    }

    private Column column(char[] becomes) {
        double[] totals = new double[rows];
        double cost = 0;
        for (int c = 0; c < becomes.length; c++) {
            double devices = classes.count[c] / scale;
            int[] gain = pricing.gain(c, becomes[c]);
            for (int r = 0; r < gain.length; r++) {
                totals[r] += gain[r] * devices;
            }
            cost += pricing.cost(c, becomes[c]) * devices;
        }
        totals[rows - 1] = 1;
        return new Column(becomes, totals, cost);
    }

    private double costOf(int column) {
        return column < 0 ? PENALTY : columns.get(column).cost;
    }

    // A new right side may make the old basis infeasible: start from penalties, the columns are kept.
    private void restart() {
        for (int r = 0; r < rows; r++) {
            Arrays.fill(inverse[r], 0);
            inverse[r][r] = 1;
            basis[r] = r == rows - 1 ? rows : -1 - r;
        }
        System.arraycopy(right, 0, value, 0, rows);
    }

    private void optimise() {
        for (int pivots = 0; pivots < 10_000; pivots++) {
            for (int r = 0; r < rows; r++) {
                price[r] = 0;
                for (int i = 0; i < rows; i++) {
                    price[r] += costOf(basis[i]) * inverse[i][r];
                }
            }
            int enters = -1;
            double least = -1e-11;
            for (int j = 0; j < columns.size(); j++) {
                double reduced = columns.get(j).cost;
                for (int r = 0; r < rows; r++) {
                    reduced -= price[r] * columns.get(j).rows[r];
                }
                if (reduced < least) {
                    least = reduced;
                    enters = j;
                }
            }
            if (enters < 0 || !pivot(enters)) {
                return;
            }
        }
    }

    private boolean pivot(int enters) {
        double[] direction = new double[rows];
        int leaves = -1;
        double step = Double.MAX_VALUE;
        for (int r = 0; r < rows; r++) {
            for (int i = 0; i < rows; i++) {
                direction[r] += inverse[r][i] * columns.get(enters).rows[i];
            }
            if (direction[r] > 1e-11 && value[r] / direction[r] < step) {
                step = Math.max(0, value[r] / direction[r]);
                leaves = r;
            }
        }
        if (leaves < 0) {
            return false;
        }
        double by = direction[leaves];
        for (int i = 0; i < rows; i++) {
            inverse[leaves][i] /= by;
        }
        for (int r = 0; r < rows; r++) {
            if (r != leaves) {
                value[r] -= step * direction[r];
                for (int i = 0; i < rows; i++) {
                    inverse[r][i] -= direction[r] * inverse[leaves][i];
                }
            }
        }
        value[leaves] = step;
        basis[leaves] = enters;
        return true;
    }
}
