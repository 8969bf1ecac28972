package dev.sro.plugins.nvidia.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.operation.AlertRule;
import dev.sro.plugins.nvidia.monitoring.MonitoringSettings.Limit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RunbooksTest {

    private static final List<AlertRule> ALERTS = Stream.of(
                    NvidiaMonitoring.create(Contexts.with(Map.of("vgpuGuests", true))),
                    NvidiaMonitoring.slices(Contexts.with(Map.of())))
            .flatMap(monitoring -> monitoring.alerts().stream())
            .toList();

    private static String page() throws IOException {
        return Files.readString(Path.of("..", "docs", "reference", "alerts-nvidia.md"));
    }

    /** A paragraph for each alert and none for what is no alert; it begins with how bad it is. */
    @Test
    void haveAParagraphForEachAlert() throws IOException {
        List<String> headings = page().lines()
                .filter(line -> line.startsWith("### "))
                .map(line -> line.substring("### ".length()))
                .toList();
        assertThat(headings)
                .containsExactlyInAnyOrderElementsOf(
                        ALERTS.stream().map(AlertRule::name).toList());
        for (AlertRule alert : ALERTS) {
            String severity = alert.severity().name();
            assertThat(page())
                    .contains("### " + alert.name() + "\n\n" + severity.charAt(0)
                            + severity.substring(1).toLowerCase(Locale.ROOT));
        }
    }

    @Test
    void nameEachSettingWithItsDefaultAndRange() throws IOException {
        for (Limit limit : Limit.values()) {
            assertThat(page()).contains("| `" + limit.key() + "` | " + limit.fallback() + " | " + limit.range());
        }
    }

    @Test
    void areWhereTheAlertsSay() {
        assertThat(ALERTS).allSatisfy(alert -> {
            assertThat(alert.name()).startsWith("Nvidia");
            assertThat(alert.runbook())
                    .contains("docs/reference/alerts-nvidia.md#" + alert.name().toLowerCase(Locale.ROOT));
        });
    }
}
