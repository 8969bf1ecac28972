package dev.sro.core.upgrade.policy;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * When nodes may be taken on; what has begun ends outside of it too. Immutable.
 *
 * @param days on which it opens; every day when empty
 * @param start time of day at which it opens; on a day without that time (a clock put forward) as much later as the clock jumped
 * @param duration how long it is open, by the time that passes; from 1 minute to 7 days
 * @param zone of days and start
 * @param matchLabels labels of the nodes that it is for; all nodes when empty
 */
public record MaintenanceWindow(
        Set<DayOfWeek> days, LocalTime start, Duration duration, ZoneId zone, Map<String, String> matchLabels) {

    private static final int WEEK = 7;

    /** Checks and copies. */
    public MaintenanceWindow {
        days = Set.copyOf(days);
        matchLabels = Map.copyOf(matchLabels);
        Objects.requireNonNull(start, "start");
        Objects.requireNonNull(zone, "zone");
        if (duration.compareTo(Duration.ofMinutes(1)) < 0 || duration.compareTo(Duration.ofDays(WEEK)) > 0) {
            throw new IllegalArgumentException(
                    "MaintenanceWindow.duration: " + duration + " must be from 1 minute to 7 days");
        }
    }

    /** Whether it is open. The start is part of it, the end is not. */
    public boolean isOpen(Instant now) {
        LocalDate today = now.atZone(zone).toLocalDate();
        for (int back = 0; back <= WEEK + 1; back++) {
            Optional<Instant> open = opening(today.minusDays(back));
            if (open.isPresent()
                    && !open.get().isAfter(now)
                    && now.isBefore(open.get().plus(duration))) {
                return true;
            }
        }
        return false;
    }

    /** When it opens next, after now. */
    public Instant next(Instant now) {
        LocalDate today = now.atZone(zone).toLocalDate();
        for (int ahead = -1; ; ahead++) {
            Optional<Instant> open = opening(today.plusDays(ahead));
            if (open.isPresent() && open.get().isAfter(now)) {
                return open.get();
            }
        }
    }

    private Optional<Instant> opening(LocalDate day) {
        return days.isEmpty() || days.contains(day.getDayOfWeek())
                ? Optional.of(day.atTime(start).atZone(zone).toInstant())
                : Optional.empty();
    }

    /** Whether it is for a node with these labels. */
    public boolean matches(Map<String, String> labels) {
        return labels.entrySet().containsAll(matchLabels.entrySet());
    }
}
