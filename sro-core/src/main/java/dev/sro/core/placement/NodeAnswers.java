package dev.sro.core.placement;

import java.util.Arrays;

/**
 * What nodes in one state answer: nodes that carry the same are asked once. Not thread-safe.
 */
final class NodeAnswers {
    static final int UNKNOWN = -3;
    /** There is no such profile on the node. */
    static final int NEVER = -2;
    /** It does not fit now. */
    static final int FULL = -1;

    private int[] byShape = new int[0];

    /** {@link #UNKNOWN}, {@link #NEVER}, {@link #FULL}, or how much the policy likes the best place, lower is better. */
    int of(int shape) {
        return shape < byShape.length ? byShape[shape] : UNKNOWN;
    }

    void set(int shape, int answer) {
        if (shape >= byShape.length) {
            int before = byShape.length;
            byShape = Arrays.copyOf(byShape, Math.max(shape + 1, 2 * before));
            Arrays.fill(byShape, before, byShape.length, UNKNOWN);
        }
        byShape[shape] = answer;
    }
}
