package dev.sro.runtime.gather;

import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Events as lines, in the order in which they happened last: time, type, reason, what it is about, what is said, and how often. Kubelets
 * and controllers write events of the older form, which have their times and counts in other fields. Stateless.
 */
final class EventLines {
    private EventLines() {}

    static List<String> of(List<Event> events) {
        return events.stream()
                .sorted(Comparator.comparing(EventLines::last).thenComparing(EventLines::line))
                .map(EventLines::line)
                .toList();
    }

    private static String line(Event event) {
        String about = event.getRegarding() == null
                ? ""
                : event.getRegarding().getKind() + " " + event.getRegarding().getName();
        int count = count(event);
        String often = count < 2 ? "" : " (" + count + " times since " + words(first(event)) + ")";
        return words(last(event)) + "\t" + event.getType() + "\t" + event.getReason() + "\t" + about + "\t"
                + event.getNote() + often;
    }

    private static String words(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static Instant last(Event event) {
        MicroTime repeated =
                event.getSeries() == null ? null : event.getSeries().getLastObservedTime();
        return Stream.of(micro(repeated), time(event.getDeprecatedLastTimestamp()))
                .flatMap(Optional::stream)
                .findFirst()
                .orElseGet(() -> first(event));
    }

    private static Instant first(Event event) {
        return Stream.of(
                        micro(event.getEventTime()),
                        time(event.getDeprecatedFirstTimestamp()),
                        time(event.getMetadata().getCreationTimestamp()))
                .flatMap(Optional::stream)
                .findFirst()
                .orElse(Instant.EPOCH);
    }

    private static int count(Event event) {
        Integer count = event.getSeries() == null
                ? event.getDeprecatedCount()
                : event.getSeries().getCount();
        return count == null ? 1 : count;
    }

    private static Optional<Instant> micro(@Nullable MicroTime time) {
        return time == null ? Optional.empty() : time(time.getTime());
    }

    private static Optional<Instant> time(@Nullable String text) {
        try {
            return Optional.ofNullable(text).map(Instant::parse);
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }
}
