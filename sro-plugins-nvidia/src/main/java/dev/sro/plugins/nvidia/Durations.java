package dev.sro.plugins.nvidia;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times as Prometheus writes them. Stateless. */
final class Durations {

    private static final Pattern FORM = Pattern.compile("(?:(\\d{1,4})h)?(?:(\\d{1,6})m)?(?:(\\d{1,8})s)?");

    private Durations() {}

    /** The time, or empty where it is none or shorter than a second. */
    static Optional<Duration> parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        Duration time =
                Duration.ofHours(part(matcher, 1)).plusMinutes(part(matcher, 2)).plusSeconds(part(matcher, 3));
        return time.isZero() ? Optional.empty() : Optional.of(time);
    }

    private static long part(Matcher matcher, int group) {
        String text = matcher.group(group);
        return text == null ? 0 : Long.parseLong(text);
    }
}
