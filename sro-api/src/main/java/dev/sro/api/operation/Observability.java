package dev.sro.api.operation;

import dev.sro.api.RecipeContext;

/**
 * Optional for a plugin: says how the device is monitored. SRO makes a state of its own of it, which nothing waits for: a ServiceMonitor
 * and a PrometheusRule where the cluster serves them, each dashboard as a ConfigMap with the label {@code grafana_dashboard} and, where
 * that is served, as a GrafanaDashboard. The exporter with its Service is in a state of the plugin's.
 *
 * @since 0.1.0
 */
public interface Observability {

    /** The monitoring of the device. */
    Monitoring monitoring(RecipeContext context);
}
