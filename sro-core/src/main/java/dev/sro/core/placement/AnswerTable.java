package dev.sro.core.placement;

import java.util.Arrays;

/**
 * What each node answers to each {@link AskedShapes shape}, as {@link StateAnswers} has it. A row for each shape, so that the answers of a thousand nodes
 * to one shape are some kilobytes side by side. Not thread-safe.
 */
final class AnswerTable {
    private int[][] rows = new int[0][];
    private int nodes;

    /** The answers to a shape by number of node, unknown at first. Not to be kept: the next call may make another one. */
    int[] row(int shape) {
        if (shape >= rows.length) {
            int before = rows.length;
            rows = Arrays.copyOf(rows, Math.max(shape + 1, 2 * before));
            Arrays.fill(rows, before, rows.length, new int[0]);
        }
        if (rows[shape].length < nodes) {
            rows[shape] = StateAnswers.grown(rows[shape], nodes);
        }
        return rows[shape];
    }

    /** Makes room for nodes of numbers below {@code count}. */
    void size(int count) {
        nodes = Math.max(nodes, count);
    }

    /** Nothing is known of a node any more. */
    void forget(int node) {
        for (int[] row : rows) {
            if (node < row.length) {
                row[node] = StateAnswers.UNKNOWN;
            }
        }
    }

    void clear() {
        rows = new int[0][];
    }
}
