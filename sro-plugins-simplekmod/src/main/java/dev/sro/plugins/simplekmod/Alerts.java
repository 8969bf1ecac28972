package dev.sro.plugins.simplekmod;

import dev.sro.api.RecipeContext;
import dev.sro.api.operation.AlertRule;
import dev.sro.api.operation.Monitoring;
import java.time.Duration;

/**
 * What is alerted on, where the settings ask for it. Modules have no exporter, but the pod that proves them has a readiness probe, which
 * kube-state-metrics shows: an alert on that needs nothing on the nodes. That states do not get ready at all is alerted on by SRO
 * itself, for all plugins. Stateless.
 */
final class Alerts {

    /** Longer than a node boots, or an upgrade keeps the modules away. */
    private static final Duration HOLDS = Duration.ofMinutes(15);

    private Alerts() {}

    static Monitoring create(RecipeContext context) {
        Monitoring.Builder monitoring = Monitoring.builder();
        if (Boolean.TRUE.equals(context.config().get(Settings.ALERTS))) {
            monitoring.addAlerts(notLoaded("pod=~\"" + context.name() + "-validation-.*\""));
        }
        return monitoring.build();
    }

    /** By node, which the readiness of a container does not have, and kube_pod_info does. */
    private static AlertRule notLoaded(String pods) {
        return AlertRule.builder()
                .name("SimpleKmodNotLoaded")
                .expression("max by (node, namespace, pod) ((kube_pod_container_status_ready{" + pods
                        + ",container=\"validated\"} == bool 0) * on (namespace, pod) group_left (node) kube_pod_info{"
                        + pods + "}) > 0")
                .holdsFor(HOLDS)
                .severity(AlertRule.Severity.WARNING)
                .summary("Kernel modules that were loaded on node {{ $labels.node }} are not there any more.")
                .description("Pod {{ $labels.namespace }}/{{ $labels.pod }} does not find them in /proc/modules.")
                .runbook("docs/reference/monitoring.md#simplekmodnotloaded")
                .build();
    }
}
