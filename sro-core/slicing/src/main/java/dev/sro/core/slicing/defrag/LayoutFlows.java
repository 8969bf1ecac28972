package dev.sro.core.slicing.defrag;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The divided optimum in whole devices: how many devices of each class become which layout.
 *
 * <p>First shares are shifted along directions that change no total, until at most as many choices are open as there are totals
 * (Shapley and Folkman); the rest is rounded.
 */
final class LayoutFlows {
    /** A number of devices of a class that become a layout. */
    record Flow(int deviceClass, int to, int devices) {}

    private static final double ZERO = 1e-9;

    private final Pricing pricing;
    private final DeviceClasses classes;
    private final int totals;
    private final int[][] to;
    private final double[][] share;
    private final int[] choices;

    private LayoutFlows(Relaxation relaxation, Pricing pricing) {
        this.pricing = pricing;
        this.classes = pricing.classes();
        this.totals = pricing.table().geometry.profiles() + 1;
        this.to = new int[classes.size][];
        this.share = new double[classes.size][];
        this.choices = new int[classes.size];
        List<char[]> answers = relaxation.answers();
        List<Double> shares = relaxation.shares();
        for (int c = 0; c < classes.size; c++) {
            to[c] = new int[answers.size()];
            share[c] = new double[answers.size()];
            for (int i = 0; i < answers.size(); i++) {
                add(c, answers.get(i)[c], shares.get(i) * classes.count[c]);
            }
        }
    }

    static List<Flow> decompose(Relaxation relaxation, Pricing pricing) {
        LayoutFlows flows = new LayoutFlows(relaxation, pricing);
        flows.purify();
        return flows.round();
    }

    private void add(int c, int layout, double amount) {
        for (int i = 0; i < choices[c]; i++) {
            if (to[c][i] == layout) {
                share[c][i] += amount;
                return;
            }
        }
        to[c][choices[c]] = layout;
        share[c][choices[c]++] = amount;
    }

    private void purify() {
        List<int[]> open = new ArrayList<>();
        for (int c = 0; c < classes.size; c++) {
            clean(c);
            for (int i = 1; i < choices[c]; i++) {
                open.add(new int[] {c, i});
            }
            while (open.size() > totals) {
                shift(open.subList(0, totals + 1));
                List<Integer> touched =
                        open.stream().map(direction -> direction[0]).distinct().toList();
                open.clear();
                for (int t : touched) {
                    clean(t);
                    for (int i = 1; i < choices[t]; i++) {
                        open.add(new int[] {t, i});
                    }
                }
            }
        }
    }

    private void clean(int c) {
        for (int i = choices[c] - 1; i >= 0 && choices[c] > 1; i--) {
            if (share[c][i] <= ZERO * Math.max(1, classes.count[c])) {
                int last = --choices[c];
                share[c][i] = share[c][last];
                to[c][i] = to[c][last];
            }
        }
    }

    private void shift(List<int[]> open) {
        double[][] matrix = new double[totals][open.size()];
        double change = 0;
        for (int j = 0; j < open.size(); j++) {
            int[] with = pricing.gain(open.get(j)[0], to[open.get(j)[0]][open.get(j)[1]]);
            int[] without = pricing.gain(open.get(j)[0], to[open.get(j)[0]][0]);
            for (int r = 0; r < totals; r++) {
                matrix[r][j] = with[r] - without[r];
            }
        }
        double[] direction = kernel(matrix);
        for (int j = 0; j < direction.length; j++) {
            int c = open.get(j)[0];
            change += direction[j] * (pricing.cost(c, to[c][open.get(j)[1]]) - pricing.cost(c, to[c][0]));
        }
        double sign = change > 0 ? -1 : 1;
        double[] base = new double[classes.size];
        double step = Double.MAX_VALUE;
        for (int j = 0; j < direction.length; j++) {
            direction[j] *= sign;
            int c = open.get(j)[0];
            base[c] -= direction[j];
            step = limit(step, share[c][open.get(j)[1]], direction[j]);
        }
        for (int[] one : open) {
            step = limit(step, share[one[0]][0], base[one[0]]);
        }
        for (int j = 0; j < direction.length; j++) {
            share[open.get(j)[0]][open.get(j)[1]] += step * direction[j];
            share[open.get(j)[0]][0] -= step * direction[j];
        }
    }

    private static double limit(double step, double share, double rate) {
        return rate < -1e-12 ? Math.min(step, Math.max(0, share) / -rate) : step;
    }

    /** A vector other than zero that the matrix, wider than high, maps to zero. */
    private static double[] kernel(double[][] matrix) {
        int width = matrix[0].length;
        int[] pivotRow = new int[width];
        Arrays.fill(pivotRow, -1);
        int row = 0;
        int free = width - 1;
        for (int j = 0; j < width; j++) {
            int best = row;
            for (int r = row; r < matrix.length; r++) {
                best = Math.abs(matrix[r][j]) > Math.abs(matrix[best][j]) ? r : best;
            }
            if (row == matrix.length || Math.abs(matrix[best][j]) < 1e-9) {
                free = j;
                break;
            }
            double[] swap = matrix[best];
            matrix[best] = matrix[row];
            matrix[row] = swap;
            eliminate(matrix, row, j);
            pivotRow[j] = row++;
        }
        double[] kernel = new double[width];
        kernel[free] = 1;
        for (int j = 0; j < free; j++) {
            kernel[j] = -matrix[pivotRow[j]][free];
        }
        return kernel;
    }

    private static void eliminate(double[][] matrix, int row, int column) {
        double by = matrix[row][column];
        for (int j = 0; j < matrix[row].length; j++) {
            matrix[row][j] /= by;
        }
        for (int r = 0; r < matrix.length; r++) {
            double factor = matrix[r][column];
            if (r != row && factor != 0) {
                for (int j = 0; j < matrix[r].length; j++) {
                    matrix[r][j] -= factor * matrix[row][j];
                }
            }
        }
    }

    // The largest remainders get the devices that rounding down leaves.
    private List<Flow> round() {
        List<Flow> flows = new ArrayList<>();
        for (int c = 0; c < classes.size; c++) {
            int[] whole = new int[choices[c]];
            int left = classes.count[c];
            for (int i = 0; i < whole.length; i++) {
                whole[i] = (int) Math.floor(share[c][i] + 1e-6);
                left -= whole[i];
            }
            while (left > 0) {
                int most = 0;
                for (int i = 1; i < whole.length; i++) {
                    most = share[c][i] - whole[i] > share[c][most] - whole[most] ? i : most;
                }
                whole[most]++;
                left--;
            }
            for (int i = 0; i < whole.length; i++) {
                if (whole[i] > 0) {
                    flows.add(new Flow(c, to[c][i], whole[i]));
                }
            }
        }
        return flows;
    }
}
