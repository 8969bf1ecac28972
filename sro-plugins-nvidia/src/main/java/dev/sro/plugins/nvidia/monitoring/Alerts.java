package dev.sro.plugins.nvidia.monitoring;

import dev.sro.api.operation.AlertRule;
import dev.sro.plugins.nvidia.monitoring.MonitoringSettings.Limit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A list of alerts in the making: what they have in common. Not thread-safe. */
final class Alerts {

    /** One series per GPU: MIG gives each instance the same value, and the pod that uses it comes and goes. */
    static final String BY_GPU = " by (node, gpu, UUID, modelName) ";

    /** Which GPU, in a text. */
    static final String GPU = "GPU {{ $labels.gpu }} ({{ $labels.modelName }}) of node {{ $labels.node }}";

    private final List<AlertRule> rules = new ArrayList<>();
    private final MonitoringSettings settings;

    Alerts(MonitoringSettings settings) {
        this.settings = settings;
    }

    int limit(Limit limit) {
        return settings.limit(limit);
    }

    Duration minutes(Limit limit) {
        return Duration.ofMinutes(settings.limit(limit));
    }

    MonitoringSettings settings() {
        return settings;
    }

    /** A rule with its runbook. */
    AlertRule.Builder rule(String name, AlertRule.Severity severity, String expression) {
        return AlertRule.builder()
                .name(name)
                .severity(severity)
                .expression(expression)
                .runbook(settings.runbook(name));
    }

    void add(AlertRule.Builder rule) {
        rules.add(rule.build());
    }

    List<AlertRule> rules() {
        return List.copyOf(rules);
    }
}
