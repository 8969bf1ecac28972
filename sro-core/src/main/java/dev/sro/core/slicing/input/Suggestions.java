package dev.sro.core.slicing.input;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Names that somebody may have meant. Stateless. */
public final class Suggestions {
    private static final int MOST = 3;

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
        List<String> close = close(name, candidates);
        if (!close.isEmpty()) {
            return "; did you mean " + String.join(", ", close) + "?";
        }
        return candidates.isEmpty() || candidates.size() > 20 ? "" : "; known are " + String.join(", ", candidates);
    }

    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }

    private static boolean near(String wanted, String candidate) {
        boolean part = wanted.length() >= 3 && (candidate.contains(wanted) || wanted.contains(candidate));
        return part || distance(wanted, candidate) <= Math.max(1, Math.min(wanted.length(), candidate.length()) / 3);
    }

    /** Levenshtein. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int above = row[j];
                int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(changed, Math.min(above, row[j - 1]) + 1);
                diagonal = above;
            }
        }
        return row[b.length()];
    }
}
