package dev.sro.core.yaml;

import java.util.Locale;
import java.util.Set;

/** Words without quotes that YAML 1.1 reads as something else than a text. Stateless. */
final class PlainScalars {

    private static final Set<String> WORDS = Set.of("y", "n", "yes", "no", "on", "off", "true", "false", "null");

    private PlainScalars() {}

    /** In whatever case. */
    static boolean areNoText(String text) {
        return WORDS.contains(text.toLowerCase(Locale.ROOT));
    }
}
