package dev.sro.runtime.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.operation.AlertRule;
import dev.sro.api.operation.Monitoring;
import dev.sro.testkit.monitoring.KnownMetrics;
import dev.sro.testkit.monitoring.MonitoringContract;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The operator's own alerts and dashboard ask for what its documentation names; each alert fires and ends. */
class OperatorMonitoringContractTest extends MonitoringContract {

    @Override
    protected Monitoring monitoring() {
        return OperatorMonitoring.create("special-resource-operator", "http");
    }

    @Override
    protected KnownMetrics metrics() {
        KnownMetrics metrics =
                KnownMetrics.none().and(List.of("ALERTS"), "alertname", "alertstate", "severity", "cluster");
        for (DocumentedMetric metric : DocumentedMetric.all()) {
            metrics = metrics.and(metric.series(), metric.labels().toArray(String[]::new))
                    .and(metric.series(), "cluster");
        }
        return metrics;
    }

    @Override
    protected List<String> scenarios() {
        try (InputStream in = OperatorMonitoringContractTest.class.getResourceAsStream("alerts.yaml")) {
            return List.of(new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void theDocumentationHasAParagraphForEachAlert() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "reference", "alerts-operator.md"));
        assertThat(page.lines().filter(line -> line.startsWith("### ")).map(line -> line.substring("### ".length())))
                .containsExactlyInAnyOrderElementsOf(
                        monitoring().alerts().stream().map(AlertRule::name).toList());
        assertThat(monitoring().alerts())
                .allSatisfy(alert -> assertThat(page)
                        .containsPattern("(?i)### " + alert.name() + "\n\n"
                                + alert.severity().name()));
    }

    @Test
    void theDocumentationNamesTheMetrics() {
        assertThat(DocumentedMetric.all())
                .contains(
                        new DocumentedMetric("sro_states", List.of("special_resource", "outcome")),
                        new DocumentedMetric("sro_pools", List.of("special_resource")),
                        new DocumentedMetric("sro_upgrade_stuck_nodes", List.of("special_resource", "reason")))
                .hasSizeGreaterThan(15);
    }
}
