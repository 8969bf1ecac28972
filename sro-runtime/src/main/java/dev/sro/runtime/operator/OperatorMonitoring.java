package dev.sro.runtime.operator;

import dev.sro.api.operation.AlertRule;
import dev.sro.api.operation.AlertRule.Severity;
import dev.sro.api.operation.Monitoring;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** How the operator itself is watched: alerts and a dashboard on its metrics. Stateless. */
public final class OperatorMonitoring {

    /** Name of the dashboard, and of its file. */
    public static final String DASHBOARD = "sro-operator";

    private static final String RUNBOOKS = "docs/reference/alerts-operator.md#";
    private static final String OF = "special resource {{ $labels.special_resource }}";

    private final List<AlertRule> rules = new ArrayList<>();
    private final String up;

    private OperatorMonitoring(String service) {
        this.up = "up{job=\"" + service + "\"}";
    }

    /**
     * Alerts and the dashboard.
     *
     * @param service the operator's Service, and so the job of its series
     * @param port name of the Service's port
     */
    public static Monitoring create(String service, String port) {
        OperatorMonitoring monitoring = new OperatorMonitoring(service);
        monitoring.operator();
        monitoring.requests();
        monitoring.specialResources();
        monitoring.upgrades();
        return Monitoring.builder()
                .service(service)
                .port(port)
                .addAllAlerts(monitoring.rules)
                .putDashboards(DASHBOARD, dashboard())
                .build();
    }

    private void operator() {
        add("SroOperatorDown", Severity.CRITICAL, "absent(" + up + " == 1)", 10, "No replica of the operator answers.");
        add(
                "SroNoLeader",
                Severity.CRITICAL,
                "sum(sro_leader) == 0",
                5,
                "No replica of the operator leads: nothing goes on.");
        add(
                "SroPluginRejected",
                Severity.WARNING,
                "max(sro_plugins_rejected) > 0",
                5,
                "{{ $value }} files in the folder of plugins are no plugins that SRO takes.");
        add(
                "SroUnseenKinds",
                Severity.WARNING,
                "max(sro_unseen_kinds) > 0",
                15,
                "SRO cannot list and watch {{ $value }} kinds of objects that it has to see.");
    }

    private void requests() {
        add(
                "SroApiErrors",
                Severity.WARNING,
                "100 * sum(rate(sro_api_requests_total{code=~\"5..|none\"}[5m])) /"
                        + " sum(rate(sro_api_requests_total[5m])) > 10",
                15,
                "{{ printf \"%.0f\" $value }} % of SRO's requests to the API server fail.");
        add(
                "SroApiThrottled",
                Severity.INFO,
                "sum(rate(sro_api_throttled_seconds_sum[5m])) > 0.5",
                15,
                "SRO waits {{ printf \"%.1f\" $value }} s per second for its own limit of requests.");
        add(
                "SroWritesRefused",
                Severity.WARNING,
                "sum by (special_resource) (increase(sro_writes_total{result=\"refused\"}[15m])) > 0",
                15,
                "The API server refuses writes for " + OF + ".");
    }

    private void specialResources() {
        add(
                "SroSpecialResourceNotReady",
                Severity.WARNING,
                "min by (special_resource) (sro_special_resource_ready) == 0",
                60,
                "The " + OF + " has not been ready for an hour.");
        add(
                "SroStateFailed",
                Severity.WARNING,
                "max by (special_resource) (sro_states{outcome=\"failed\"}) > 0",
                15,
                "{{ $value }} states of " + OF + " failed.");
        add(
                "SroReconcileSlow",
                Severity.INFO,
                "max by (special_resource) (sro_reconcile_seconds_max) > 10",
                15,
                "A reconcile of " + OF + " takes {{ printf \"%.0f\" $value }} s.");
    }

    private void upgrades() {
        add(
                "SroUpgradeHalted",
                Severity.CRITICAL,
                "max by (special_resource) (sro_upgrade_halted) == 1",
                1,
                "Too many nodes failed: the upgrade of the driver of " + OF + " has stopped.");
        add(
                "SroUpgradeStuck",
                Severity.WARNING,
                "max by (special_resource, reason) (sro_upgrade_stuck_nodes) > 0",
                60,
                "The upgrade of the driver of " + OF + " does not go on on {{ $value }} nodes: {{ $labels.reason }}.");
        add(
                "SroDriverMissingForNextKernel",
                Severity.WARNING,
                "max by (cr) (sro_upgrade_alert) == 1",
                5,
                "The special resource {{ $labels.cr }} is not ready for the kernel to come.");
    }

    private void add(String name, Severity severity, String expression, int minutes, String summary) {
        rules.add(AlertRule.builder()
                .name(name)
                .severity(severity)
                .expression(expression)
                .holdsFor(Duration.ofMinutes(minutes))
                .summary(summary)
                .runbook(RUNBOOKS + name.toLowerCase(Locale.ROOT))
                .build());
    }

    private static String dashboard() {
        String name = DASHBOARD + ".json";
        try (InputStream in = OperatorMonitoring.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is not on the class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + name, e);
        }
    }
}
