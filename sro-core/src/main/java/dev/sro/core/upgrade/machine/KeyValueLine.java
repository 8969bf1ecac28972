package dev.sro.core.upgrade.machine;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Lines of the form {@code key=value key=value}, which people can read and edit. Spaces, control characters and {@code %} in values are
 * written as {@code %XX}. Reading never throws.
 */
final class KeyValueLine {

    private static final String SECOND = "0000-00-00T00:00:00Z";

    private final StringBuilder text = new StringBuilder();

    /** Adds a word, unless the value is empty. */
    KeyValueLine put(String key, String value) {
        if (!value.isEmpty()) {
            if (text.length() > 0) {
                text.append(' ');
            }
            text.append(key).append('=');
            encode(value);
        }
        return this;
    }

    KeyValueLine put(String key, Optional<Instant> value) {
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
        int begin = 0;
        while (begin < line.length()) {
            int end = begin;
            while (end < line.length() && !isSpace(line.charAt(end))) {
                end++;
            }
            int at = line.indexOf('=', begin);
            if (at > begin && at < end) {
                words.put(line.substring(begin, at), decode(line.substring(at + 1, end)));
            }
            begin = end + 1;
        }
        return words;
    }

    /** What a regular expression calls one. */
    private static boolean isSpace(char c) {
        return c == ' ' || (c >= '\t' && c <= '\r');
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
            return text == null ? null : isToTheSecond(text) ? atSecond(text) : Instant.parse(text);
        } catch (DateTimeException e) {
            return null;
        }
    }

    /** As {@link Instant#toString} writes one to the second: a journal has one for each node, read with every plan. */
    private static boolean isToTheSecond(String text) {
        if (text.length() != SECOND.length()) {
            return false;
        }
        for (int i = 0; i < SECOND.length(); i++) {
            char c = text.charAt(i);
            boolean digit = c >= '0' && c <= '9';
            if (SECOND.charAt(i) == '0' ? !digit : c != SECOND.charAt(i)) {
                return false;
            }
        }
        // Only the general reader knows midnight at the end of a day, and seconds that leap.
        return two(text, 11) < 24 && two(text, 17) < 60;
    }

    private static Instant atSecond(String text) {
        LocalDate day = LocalDate.of(two(text, 0) * 100 + two(text, 2), two(text, 5), two(text, 8));
        LocalTime time = LocalTime.of(two(text, 11), two(text, 14), two(text, 17));
        return day.atTime(time).toInstant(ZoneOffset.UTC);
    }

    private static int two(String text, int at) {
        return (text.charAt(at) - '0') * 10 + text.charAt(at + 1) - '0';
    }

    /** A number from 0 to 1,000,000; 0 for none, -1 if it is no such number. */
    static int number(@Nullable String text) {
        if (text == null) {
            return 0;
        }
        boolean digits = !text.isEmpty() && text.length() <= 7 && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return digits && (text.length() < 7 || text.equals("1000000")) ? Integer.parseInt(text) : -1;
    }
}
