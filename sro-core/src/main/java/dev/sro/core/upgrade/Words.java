package dev.sro.core.upgrade;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Lines of the form {@code key=value key=value}, which people can read and edit. Spaces, control characters and {@code %} in values are
 * written as {@code %XX}. Reading never throws.
 */
final class Words {

    private final StringBuilder text = new StringBuilder();

    /** Adds a word, unless the value is empty. */
    Words put(String key, String value) {
        if (!value.isEmpty()) {
            if (text.length() > 0) {
                text.append(' ');
            }
            text.append(key).append('=');
            encode(value);
        }
        return this;
    }

    Words put(String key, Optional<Instant> value) {
        return value.isPresent() ? put(key, value.get().toString()) : this;
    }

    @Override
    public String toString() {
        return text.toString();
    }

    private void encode(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c <= ' ' || c == '%' || c == 0x7f) {
                text.append('%').append(Character.forDigit(c >> 4, 16)).append(Character.forDigit(c & 15, 16));
            } else {
                text.append(c);
            }
        }
    }

    /** The words of a line; what has no {@code =} is left out, and of equal keys the last one counts. */
    static Map<String, String> read(String line) {
        Map<String, String> words = new LinkedHashMap<>();
        for (String word : line.split("\\s+", -1)) {
            int at = word.indexOf('=');
            if (at > 0) {
                words.put(word.substring(0, at), decode(word.substring(at + 1)));
            }
        }
        return words;
    }

    private static String decode(String value) {
        if (value.indexOf('%') < 0) {
            return value;
        }
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            int high = c == '%' && i + 2 < value.length() ? Character.digit(value.charAt(i + 1), 16) : -1;
            int low = high >= 0 ? Character.digit(value.charAt(i + 2), 16) : -1;
            if (low >= 0) {
                out.append((char) (high * 16 + low));
                i += 2;
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }

    /** A time, or null if it is none or absent. */
    static @Nullable Instant time(@Nullable String text) {
        try {
            return text == null ? null : Instant.parse(text);
        } catch (DateTimeException e) {
            return null;
        }
    }

    /** A number from 0 to 1,000,000; 0 for none, -1 if it is no such number. */
    static int number(@Nullable String text) {
        if (text == null) {
            return 0;
        }
        return text.matches("[0-9]{1,6}|1000000") ? Integer.parseInt(text) : -1;
    }
}
