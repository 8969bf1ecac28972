package dev.sro.runtime;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Which word somebody meant. Stateless. */
public final class Nearest {

    private Nearest() {}

    /** The known word that takes the fewest changes to become; empty where none is known. */
    public static Optional<String> find(String word, Collection<String> known) {
        return known.stream().min(Comparator.comparingInt(candidate -> distance(word, candidate)));
    }

    /** How many letters have to be put in, taken out or changed. */
    public static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
