package dev.sro.runtime.install;

import static dev.sro.core.model.TreeLiterals.list;
import static dev.sro.core.model.TreeLiterals.map;

import dev.sro.api.operation.AlertRule;
import dev.sro.api.operation.Monitoring;
import dev.sro.core.client.rights.Grant;
import dev.sro.runtime.operator.OperatorMonitoring;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What watches the operator: a ServiceMonitor, a PrometheusRule and a dashboard, for the sidecar of Grafana and for its operator.
 * Immutable.
 */
final class MonitoringManifests {

    private static final String API = "monitoring.coreos.com/v1";
    private static final String GRAFANA_API = "grafana.integreatly.org/v1beta1";
    private static final String DASHBOARD = Grant.NAME + "-dashboard";
    private static final String JSON = ".json";

    private final Object namespace;
    private final Object labels;
    private final Installation.Openings openings;
    private final Monitoring monitoring = OperatorMonitoring.create(Grant.NAME, Installation.PORT_NAME);

    /**
     * Of one installation.
     *
     * @param labels by which Prometheus finds its objects
     */
    MonitoringManifests(Object namespace, Object labels, Installation.Openings openings) {
        this.namespace = namespace;
        this.openings = openings;
        this.labels = labels;
    }

    Map<String, List<Map<String, Object>>> files() {
        Map<String, List<Map<String, Object>>> files = new LinkedHashMap<>();
        files.put("servicemonitor.yaml", List.of(serviceMonitor()));
        files.put("prometheusrule.yaml", List.of(rules()));
        files.put("dashboard.yaml", List.of(dashboard()));
        return files;
    }

    /** The dashboard for the operator of Grafana, which takes it out of the ConfigMap. */
    Map<String, List<Map<String, Object>>> grafana() {
        List<Map<String, Object>> dashboards = new ArrayList<>();
        monitoring
                .dashboards()
                .forEach((name, json) -> dashboards.add(object(
                        GRAFANA_API,
                        "GrafanaDashboard",
                        map(
                                "instanceSelector",
                                map("matchLabels", new LinkedHashMap<>(monitoring.grafanaSelector())),
                                "allowCrossNamespaceImport",
                                true,
                                "configMapRef",
                                map("name", DASHBOARD, "key", name + JSON)))));
        return Map.of("grafanadashboard.yaml", dashboards);
    }

    private Map<String, Object> object(String kind, Object spec) {
        return object(API, kind, spec);
    }

    private Map<String, Object> object(String api, String kind, Object spec) {
        return map(
                "apiVersion",
                api,
                "kind",
                kind,
                "metadata",
                map("name", Grant.NAME, "namespace", namespace, "labels", labels),
                "spec",
                spec);
    }

    private Map<String, Object> serviceMonitor() {
        return object(
                "ServiceMonitor",
                map(
                        "selector", map("matchLabels", Installation.labels()),
                        "endpoints",
                                list(map(
                                        // First, as a place in a chart is a line of its own.
                                        "path",
                                        monitoring.path(),
                                        "port",
                                        openings.metricsPort(),
                                        "scheme",
                                        openings.metricsScheme(),
                                        "bearerTokenFile",
                                        "/var/run/secrets/kubernetes.io/serviceaccount/token",
                                        "tlsConfig",
                                        map("insecureSkipVerify", true),
                                        "interval",
                                        seconds(monitoring.interval())))));
    }

    private Map<String, Object> rules() {
        List<Object> rules = new ArrayList<>();
        monitoring.alerts().forEach(alert -> rules.add(rule(alert)));
        return object("PrometheusRule", map("groups", list(map("name", Grant.NAME, "rules", rules))));
    }

    private static Map<String, Object> rule(AlertRule alert) {
        Map<String, Object> annotations = map("summary", alert.summary());
        alert.runbook().ifPresent(runbook -> annotations.put("runbook_url", runbook));
        return map(
                "alert", alert.name(),
                "expr", alert.expression(),
                "for", seconds(alert.holdsFor()),
                "labels", map("severity", alert.severity().name().toLowerCase(Locale.ROOT)),
                "annotations", annotations);
    }

    private static String seconds(Duration duration) {
        return duration.toSeconds() + "s";
    }

    private Map<String, Object> dashboard() {
        Map<String, Object> data = new LinkedHashMap<>();
        monitoring.dashboards().forEach((name, json) -> data.put(name + JSON, json));
        return map(
                "apiVersion",
                "v1",
                "kind",
                "ConfigMap",
                "metadata",
                map(
                        "name",
                        DASHBOARD,
                        "namespace",
                        namespace,
                        "labels",
                        map("app.kubernetes.io/name", Grant.NAME, "grafana_dashboard", "1")),
                "data",
                data);
    }
}
