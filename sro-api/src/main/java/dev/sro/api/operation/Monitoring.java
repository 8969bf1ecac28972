package dev.sro.api.operation;

import dev.sro.api.Checks;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.immutables.value.Value;

/** How a device is monitored. Immutable. */
@Value.Immutable
@ValueStyle
public abstract class Monitoring {

    Monitoring() {}

    /** Service of the exporter in the operand namespace; no scraping without it. */
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

    /** How often. */
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

    @Value.Check
    void check() {
        service().ifPresent(name -> Checks.dnsLabel("Monitoring.service", name));
        Checks.dnsLabel("Monitoring.port", port());
        Checks.absolutePath("Monitoring.path", path());
        Checks.require(
                interval().compareTo(Duration.ofSeconds(1)) >= 0, "Monitoring.interval", "must be a second or more");
        Checks.noDuplicates(
                "Monitoring.alerts", alerts().stream().map(AlertRule::name).toList());
        dashboards().keySet().forEach(name -> Checks.dnsLabel("Monitoring.dashboards", name));
        metricNames().forEach((common, own) -> {
            metric(common);
            metric(own);
        });
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
