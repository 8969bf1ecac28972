package dev.sro.core.placement;

import java.util.Arrays;

/** What everything in one state answers to each {@link AskedShapes shape}. Not thread-safe. */
final class StateAnswers {
    static final int UNKNOWN = -3;
    /** Nobody says what it has. Of nodes alone. */
    static final int NO_GPUS = -4;
    /** There is no such profile. */
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
            byShape = grown(byShape, shape + 1);
        }
        byShape[shape] = answer;
    }

    void forget() {
        Arrays.fill(byShape, UNKNOWN);
    }

    /** Twice as long at least, what is new unknown. */
    static int[] grown(int[] answers, int least) {
        int[] grown = Arrays.copyOf(answers, Math.max(least, 2 * answers.length));
        Arrays.fill(grown, answers.length, grown.length, UNKNOWN);
        return grown;
    }

    /** What two answer together: the better place, else that it is full now. */
    static int better(int one, int other) {
        return one < 0 || other < 0 ? Math.max(one, other) : Math.min(one, other);
    }
}
