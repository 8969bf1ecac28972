package dev.sro.core.placement;

import java.util.Arrays;

/**
 * Scores of answers: the best for the lowest, one less for each that is next; 1 for all after these, and 0 for what does not fit. Not thread-safe.
 *
 * <p>Answers come in no order, so that a search would be sent the wrong way every other time; to count the lower ones of a handful is quicker.
 */
final class RankedAnswers {
    /** The lowest that are known, in their order; behind them more than any answer. */
    private final int[] lowest;

    /** @param best score; as many ranks are told apart */
    RankedAnswers(int best) {
        this.lowest = new int[best];
        Arrays.fill(lowest, Integer.MAX_VALUE);
    }

    /** The score of each answer. */
    static int[] scores(int[] answers, int best) {
        RankedAnswers ranked = new RankedAnswers(best);
        for (int answer : answers) {
            ranked.add(answer);
        }
        int[] scores = new int[answers.length];
        for (int i = 0; i < scores.length; i++) {
            scores[i] = ranked.score(answers[i]);
        }
        return scores;
    }

    void add(int answer) {
        if (answer < 0 || answer >= lowest[lowest.length - 1]) {
            return;
        }
        int at = lower(answer);
        if (lowest[at] != answer) {
            System.arraycopy(lowest, at, lowest, at + 1, lowest.length - at - 1);
            lowest[at] = answer;
        }
    }

    int score(int answer) {
        return answer < 0 ? 0 : Math.max(1, lowest.length - lower(answer));
    }

    private int lower(int answer) {
        int count = 0;
        for (int each : lowest) {
            count += each < answer ? 1 : 0;
        }
        return count;
    }
}
