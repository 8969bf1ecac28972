package dev.sro.core.slicing.input;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Names that somebody may have meant. Stateless. */
public final class Suggestions {
    private static final int MOST = 3;

    /** Letters of the longest name that is compared letter by letter. Nobody misspells longer ones, and it costs the product of both lengths. */
    private static final int LONGEST = 256;

    private Suggestions() {}

    /** At most three of {@code candidates}, nearest first: by edit distance of letters and digits
     * without regard to case, then by name. */
    public static List<String> close(String name, Collection<String> candidates) {
        String wanted = plain(name);
        List<String> near = candidates.stream()
                .distinct()
                .filter(candidate -> near(wanted, plain(candidate)))
                .sorted(Comparator.comparingInt((String candidate) -> distance(wanted, plain(candidate)))
                        .thenComparing(Comparator.naturalOrder()))
                .toList();
        int worst = near.isEmpty() ? 0 : distance(wanted, plain(near.get(0))) + 1;
        return near.stream()
                .filter(candidate -> distance(wanted, plain(candidate)) <= worst)
                .limit(MOST)
                .toList();
    }

    /** {@code "; did you mean A, B?"}, or a list of all candidates if none is close and they are few, or nothing. */
    public static String hint(String name, Collection<String> candidates) {
        String meant = meant(name, candidates);
        if (!meant.isEmpty()) {
            return meant;
        }
        return candidates.isEmpty() || candidates.size() > 20 ? "" : "; known are " + String.join(", ", candidates);
    }

    /** {@code "; did you mean A, B?"}, or nothing if none is close. */
    public static String meant(String name, Collection<String> candidates) {
        List<String> close = close(name, candidates);
        return close.isEmpty() ? "" : "; did you mean " + String.join(", ", close) + "?";
    }

    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }

    private static boolean near(String wanted, String candidate) {
        if (wanted.length() > LONGEST || candidate.length() > LONGEST) {
            return false;
        }
        boolean part = wanted.length() >= 3 && (candidate.contains(wanted) || wanted.contains(candidate));
        return part || distance(wanted, candidate) <= Math.max(1, Math.min(wanted.length(), candidate.length()) / 3);
    }

    /** How many letters have to be inserted, left out, changed, or swapped with their neighbour. */
    public static int distance(String a, String b) {
        int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    cost[i][j] = i + j;
                    continue;
                }
                int same = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                cost[i][j] = Math.min(cost[i - 1][j - 1] + same, Math.min(cost[i - 1][j], cost[i][j - 1]) + 1);
                boolean swapped =
                        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
                if (swapped) {
                    cost[i][j] = Math.min(cost[i][j], cost[i - 2][j - 2] + 1);
                }
            }
        }
        return cost[a.length()][b.length()];
    }
}
