package dev.sro.core.upgrade.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MaintenanceWindowTest {

    private static MaintenanceWindow window(String day, String start, String duration, String zone) {
        Set<DayOfWeek> days = day.equals("-") ? Set.of() : Set.of(DayOfWeek.valueOf(day));
        return new MaintenanceWindow(days, LocalTime.parse(start), Duration.parse(duration), ZoneId.of(zone), Map.of());
    }

    @ParameterizedTest
    @CsvSource({
        // 2026-11-22 is a Sunday.
        "SUNDAY,02:00,PT2H,UTC,2026-11-22T02:00:00Z,true",
        "SUNDAY,02:00,PT2H,UTC,2026-11-22T03:59:59Z,true",
        "SUNDAY,02:00,PT2H,UTC,2026-11-22T04:00:00Z,false",
        "SUNDAY,02:00,PT2H,UTC,2026-11-23T02:30:00Z,false",
        "SATURDAY,23:00,PT2H,UTC,2026-11-22T00:30:00Z,true",
        "-,23:00,PT2H,UTC,2026-11-22T00:30:00Z,true",
        "SUNDAY,00:00,PT168H,UTC,2026-11-28T23:59:59Z,true",
        "SUNDAY,02:00,PT1H,Europe/Berlin,2026-11-22T01:30:00Z,true",
        "SUNDAY,02:00,PT1H,Europe/Berlin,2026-11-22T02:30:00Z,false",
        // The clock is put forward from 02:00 to 03:00: it opens at 03:30, and is open for an hour.
        "SUNDAY,02:30,PT1H,Europe/Berlin,2026-03-29T01:29:00Z,false",
        "SUNDAY,02:30,PT1H,Europe/Berlin,2026-03-29T01:30:00Z,true",
        "SUNDAY,02:30,PT1H,Europe/Berlin,2026-03-29T02:30:00Z,false",
        // It is put back from 03:00 to 02:00: the first 02:30 counts.
        "SUNDAY,02:30,PT1H,Europe/Berlin,2026-10-25T00:30:00Z,true",
        "SUNDAY,02:30,PT1H,Europe/Berlin,2026-10-25T01:30:00Z,false",
    })
    void isOpen(String day, String start, String duration, String zone, Instant at, boolean open) {
        assertThat(window(day, start, duration, zone).isOpen(at)).isEqualTo(open);
    }

    @Test
    void theNextOpeningIsAfterNow() {
        MaintenanceWindow window = window("SUNDAY", "02:00", "PT1H", "UTC");
        assertThat(window.next(Instant.parse("2026-11-22T01:00:00Z"))).isEqualTo("2026-11-22T02:00:00Z");
        assertThat(window.next(Instant.parse("2026-11-22T02:00:00Z"))).isEqualTo("2026-11-29T02:00:00Z");
        assertThat(window("-", "02:00", "PT1H", "Pacific/Kiritimati").next(Instant.parse("2026-11-22T12:00:00Z")))
                .isEqualTo("2026-11-23T12:00:00Z");
    }

    @Test
    void aWindowThatIsTooShortOrTooLongIsRefused() {
        assertThatThrownBy(() -> window("-", "02:00", "PT0S", "UTC")).hasMessageContaining("duration");
        assertThatThrownBy(() -> window("-", "02:00", "PT169H", "UTC")).hasMessageContaining("duration");
    }
}
