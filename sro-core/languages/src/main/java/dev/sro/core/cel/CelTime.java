package dev.sro.core.cel;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Times and durations of CEL. */
public final class CelTime {
    private static final Pattern DURATION_PART = Pattern.compile("([0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|ms|s|m|h)");
    private static final Map<String, Long> NANOS = Map.of(
            "ns", 1L,
            "us", 1_000L,
            "µs", 1_000L,
            "ms", 1_000_000L,
            "s", 1_000_000_000L,
            "m", 60_000_000_000L,
            "h", 3_600_000_000_000L);

    private CelTime() {}

    /** {@code 1h30m}, {@code -0.5s}. */
    public static Duration duration(String text) {
        boolean negative = text.startsWith("-");
        String rest = negative || text.startsWith("+") ? text.substring(1) : text;
        if (rest.equals("0")) {
            return Duration.ZERO;
        }
        Matcher part = DURATION_PART.matcher(rest);
        BigDecimal nanos = BigDecimal.ZERO;
        int end = 0;
        while (end < rest.length() && part.find(end) && part.start() == end) {
            long unit = NANOS.getOrDefault(part.group(2), 1L);
            nanos = nanos.add(new BigDecimal(part.group(1)).multiply(BigDecimal.valueOf(unit)));
            end = part.end();
        }
        if (end != rest.length() || end == 0) {
            throw new CelException("time: invalid duration \"" + text + "\"");
        }
        Duration duration = Duration.ofNanos(nanos.longValue());
        return negative ? duration.negated() : duration;
    }

    static Instant timestamp(String text) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException e) {
            throw new CelException("parsing time \"" + text + "\"");
        }
    }

    public static String text(Duration duration) {
        return BigDecimal.valueOf(duration.toNanos(), 9).stripTrailingZeros().toPlainString() + "s";
    }

    /** A getter such as {@code getHours}; null if there is none of this name. */
    static @Nullable Long get(String getter, Duration duration) {
        return switch (getter) {
            case "getHours" -> duration.toHours();
            case "getMinutes" -> duration.toMinutes();
            case "getSeconds" -> duration.toSeconds();
            case "getMilliseconds" -> (long) duration.toMillisPart();
            default -> null;
        };
    }

    /** A getter such as {@code getFullYear}; null if there is none of this name. */
    static @Nullable Long get(String getter, Instant instant, @Nullable String zone) {
        ZonedDateTime time;
        try {
            time = instant.atZone(zone == null ? ZoneOffset.UTC : ZoneId.of(zone));
        } catch (DateTimeException e) {
            throw new CelException("unknown time zone " + zone);
        }
        return switch (getter) {
            case "getFullYear" -> (long) time.getYear();
            case "getMonth" -> time.getMonthValue() - 1L;
            case "getDate" -> (long) time.getDayOfMonth();
            case "getDayOfMonth" -> time.getDayOfMonth() - 1L;
            case "getDayOfWeek" -> (long) (time.getDayOfWeek().getValue() % 7);
            case "getDayOfYear" -> time.getDayOfYear() - 1L;
            case "getHours" -> (long) time.getHour();
            case "getMinutes" -> (long) time.getMinute();
            case "getSeconds" -> (long) time.getSecond();
            case "getMilliseconds" -> time.getNano() / 1_000_000L;
            default -> null;
        };
    }
}
