package dev.sro.core.monitoring;

import dev.sro.api.operation.AlertRule;
import dev.sro.api.operation.Monitoring;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The content of a PrometheusRule: alerts, and the vendor's metrics under the names that all devices have in common. */
final class PrometheusRules {

    private final String specialResource;
    private final Monitoring monitoring;

    PrometheusRules(String specialResource, Monitoring monitoring) {
        this.specialResource = specialResource;
        this.monitoring = monitoring;
    }

    /** {@code spec} of the PrometheusRule; empty if there is nothing to say. */
    Map<String, Object> spec() {
        List<Object> groups = new ArrayList<>();
        if (!monitoring.metricNames().isEmpty()) {
            List<Object> records = new ArrayList<>();
            new TreeMap<>(monitoring.metricNames()).forEach((common, own) -> {
                Map<String, Object> record = new LinkedHashMap<>();
                record.put("record", common);
                record.put("expr", own);
                record.put("labels", Map.of("special_resource", specialResource));
                records.add(record);
            });
            groups.add(group("metrics", records));
        }
        if (!monitoring.alerts().isEmpty()) {
            groups.add(group(
                    "alerts",
                    monitoring.alerts().stream()
                            .<Object>map(PrometheusRules::alert)
                            .toList()));
        }
        return groups.isEmpty() ? Map.of() : Map.of("groups", groups);
    }

    private Map<String, Object> group(String name, List<Object> rules) {
        Map<String, Object> group = new LinkedHashMap<>();
        group.put("name", specialResource + "-" + name);
        group.put("rules", rules);
        return group;
    }

    private static Map<String, Object> alert(AlertRule alert) {
        Map<String, Object> rule = new LinkedHashMap<>();
        rule.put("alert", alert.name());
        rule.put("expr", alert.expression());
        if (!alert.holdsFor().isZero()) {
            rule.put("for", duration(alert.holdsFor()));
        }
        if (!alert.keepFiringFor().isZero()) {
            rule.put("keep_firing_for", duration(alert.keepFiringFor()));
        }
        Map<String, Object> labels = new TreeMap<>(alert.labels());
        labels.put("severity", alert.severity().name().toLowerCase(Locale.ROOT));
        rule.put("labels", labels);
        Map<String, Object> annotations = new LinkedHashMap<>();
        annotations.put("summary", alert.summary());
        alert.description().ifPresent(text -> annotations.put("description", text));
        alert.runbook().ifPresent(url -> annotations.put("runbook_url", url));
        rule.put("annotations", annotations);
        return rule;
    }

    /** As Prometheus writes it: {@code 1h30m}, {@code 90s} is {@code 1m30s}. */
    static String duration(Duration duration) {
        StringBuilder text = new StringBuilder();
        part(text, duration.toDays(), "d");
        part(text, duration.toHoursPart(), "h");
        part(text, duration.toMinutesPart(), "m");
        part(text, duration.toSecondsPart(), "s");
        part(text, duration.toMillisPart(), "ms");
        return text.length() == 0 ? "0s" : text.toString();
    }

    private static void part(StringBuilder text, long amount, String unit) {
        if (amount > 0) {
            text.append(amount).append(unit);
        }
    }
}
