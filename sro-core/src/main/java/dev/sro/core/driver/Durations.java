package dev.sro.core.driver;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times as Kubernetes objects have them: {@code 30s}, {@code 5m}, {@code 1h30m}. Stateless. */
final class Durations {

    private static final Pattern DURATION = Pattern.compile("(?:(\\d{1,5})h)?(?:(\\d{1,6})m)?(?:(\\d{1,8})s)?");

    private Durations() {}

    static Duration parse(String field, String text) {
        Matcher matcher = DURATION.matcher(text);
        if (text.isEmpty() || !matcher.matches()) {
            throw DriverException.invalid(field, "\"" + text + "\" is no time; write it as 30s, 5m or 1h30m");
        }
        return Duration.ofHours(number(matcher.group(1)))
                .plusMinutes(number(matcher.group(2)))
                .plusSeconds(number(matcher.group(3)));
    }

    private static long number(String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }
}
