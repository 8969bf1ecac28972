package dev.sro.api.operation;

import dev.sro.api.NotActedOnYet;
import dev.sro.api.RecipeContext;

/** Optional for a plugin: says how the device is monitored. */
@NotActedOnYet(until = "put exporter, ServiceMonitor and PrometheusRule into a state")
public interface Observability {

    /** How it is monitored. */
    Monitoring monitoring(RecipeContext context);
}
