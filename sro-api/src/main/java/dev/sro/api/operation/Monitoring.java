package dev.sro.api.operation;

import dev.sro.api.Checks;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.immutables.value.Value;

/**
 * The monitoring of a device. Immutable.
 *
 * @since 0.1.0
 */
@Value.Immutable
@ValueStyle
public abstract class Monitoring {

    /** The label that the documentation of Grafana's operator gives its instances. */
    public static final Map<String, String> DEFAULT_GRAFANA = Map.of("dashboards", "grafana");

    Monitoring() {}

    /**
     * Service of the exporter in the operand namespace; no scraping without it. One that is longer than the 63 characters that a Service
     * may have is a problem of the manifest that makes the Service ({@code NameTooLong}), and so of who named the special resource.
     *
     * <p>What alerts and dashboards may rely on: {@code job} is the name of the Service, {@code node} the node of the exporter's
     * pod, {@code namespace} and {@code pod} say where the exporter runs. Labels of the exporter under these names, such as
     * those of the pod that uses a device, become {@code exported_namespace} and so on.
     */
    public abstract Optional<String> service();

    /** Name of the Service's port. */
    @Value.Default
    public String port() {
        return "metrics";
    }

    /** Path of the metrics. */
    @Value.Default
    public String path() {
        return "/metrics";
    }

    /** The interval of scraping. */
    @Value.Default
    public Duration interval() {
        return Duration.ofSeconds(30);
    }

    /** Alerts. */
    public abstract List<AlertRule> alerts();

    /** Dashboards of Grafana as JSON, by name. */
    public abstract Map<String, String> dashboards();

    /**
     * The vendor's metric for each common one, so that dashboards work for all: {@code device_utilization},
     * {@code device_memory_used_bytes}, {@code device_temperature_celsius}, {@code device_power_watts},
     * {@code device_errors_total}.
     */
    public abstract Map<String, String> metricNames();

    /**
     * Labels of the ServiceMonitor, the PrometheusRule and the dashboards, by which the administrator's Prometheus and Grafana select
     * them, for example {@code release: kube-prometheus-stack}; best taken from the settings.
     */
    public abstract Map<String, String> labels();

    /** Labels of the Grafana instances that the operator of Grafana gives the dashboards to. */
    @Value.Default
    public Map<String, String> grafanaSelector() {
        return DEFAULT_GRAFANA;
    }

    /**
     * Whether OpenShift's monitoring of the platform reads the metrics: SRO labels the namespace of the operands for it, if the
     * namespace is SRO's own, and lets its Prometheus read there. No effect elsewhere. The plugin's {@code rbacRules} then have
     * to hold get, list and watch of services, endpoints and pods.
     */
    @Value.Default
    public boolean clusterMonitoring() {
        return false;
    }

    @Value.Check
    void check() {
        service()
                .ifPresent(name -> Checks.require(
                        name.matches("[a-z0-9]([-a-z0-9]*[a-z0-9])?"),
                        "Monitoring.service",
                        "\"" + name
                                + "\" must be the name of a Service: lower case letters, digits and '-', starting and"
                                + " ending with a letter or digit"));
        Checks.dnsLabel("Monitoring.port", port());
        Checks.absolutePath("Monitoring.path", path());
        Checks.require(
                interval().compareTo(Duration.ofSeconds(1)) >= 0, "Monitoring.interval", "must be a second or more");
        Checks.noDuplicates(
                "Monitoring.alerts", alerts().stream().map(AlertRule::name).toList());
        dashboards().keySet().forEach(name -> Checks.dnsLabel("Monitoring.dashboards", name));
        labels().forEach(Monitoring::label);
        grafanaSelector().forEach(Monitoring::label);
        metricNames().forEach((common, own) -> {
            metric(common);
            metric(own);
        });
    }

    private static void label(String key, String value) {
        Checks.qualifiedName("Monitoring.labels", key);
        Checks.labelValue("Monitoring.labels", value);
    }

    private static void metric(String name) {
        Checks.require(
                name.matches("[a-zA-Z_:][a-zA-Z0-9_:]*"),
                "Monitoring.metricNames",
                "\"" + name + "\" must be the name of a Prometheus metric");
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds {@link Monitoring}. Not thread-safe. */
    public static final class Builder extends ImmutableMonitoring.Builder {
        Builder() {}
    }
}
