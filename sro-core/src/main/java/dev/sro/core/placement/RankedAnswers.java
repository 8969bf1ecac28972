package dev.sro.core.placement;

import java.util.Arrays;

/** Scores of answers: the best for the lowest, one less for each that is next; 1 for all after these, and 0 for what does not fit. Not thread-safe. */
final class RankedAnswers {
    private final int[] lowest;
    private int known;

    /** @param best score; as many ranks are told apart */
    RankedAnswers(int best) {
        this.lowest = new int[best];
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
        if (answer < 0 || (known == lowest.length && answer >= lowest[known - 1])) {
            return;
        }
        int at = Arrays.binarySearch(lowest, 0, known, answer);
        if (at >= 0) {
            return;
        }
        int slot = -at - 1;
        int kept = Math.min(known, lowest.length - 1);
        System.arraycopy(lowest, slot, lowest, slot + 1, kept - slot);
        lowest[slot] = answer;
        known = kept + 1;
    }

    int score(int answer) {
        if (answer < 0) {
            return 0;
        }
        if (known > 0 && answer > lowest[known - 1]) {
            return 1;
        }
        int at = Arrays.binarySearch(lowest, 0, known, answer);
        return at < 0 ? 1 : lowest.length - at;
    }
}
