package dev.sro.plugins.nvidia.monitoring;

import dev.sro.api.InvalidRecipeException;
import dev.sro.api.Problem;
import dev.sro.api.RecipeContext;
import dev.sro.api.operation.Monitoring;
import java.util.List;

/**
 * How NVIDIA GPUs are watched: what dcgm-exporter measures, the alerts and the dashboards. The settings are
 * {@code spec.plugin.config.monitoring}. Stateless.
 */
public final class NvidiaMonitoring {

    /** The exporter's Service in the operand namespace, and so the job of its series. */
    public static final String SERVICE = "nvidia-dcgm-exporter";

    /** Name of the Service's port. */
    public static final String PORT = "gpu-metrics";

    /** The number that dcgm-exporter listens on where nothing else is said. */
    public static final int PORT_NUMBER = 9400;

    /** The Service of the agents that make slices, and so the job of their series. */
    static final String SLICES_SERVICE = "nvidia-slices-agent";

    private static final String SLICES_DASHBOARD = "nvidia-slices";

    private static final List<String> DASHBOARDS =
            List.of("nvidia-gpu-fleet", "nvidia-gpu-node", "nvidia-gpu-mig", "nvidia-gpu-usage");

    private NvidiaMonitoring() {}

    /** What dcgm-exporter has to measure: the content of the file that its option {@code --collectors} names. */
    public static String counters() {
        return Resources.text("counters.csv");
    }

    /**
     * How the GPUs of a special resource are watched.
     *
     * @throws InvalidRecipeException when the settings are wrong; the message names all of them
     */
    public static Monitoring create(RecipeContext context) {
        MonitoringSettings settings = MonitoringSettings.of(context);
        Alerts alerts = new Alerts(settings);
        ThermalAlerts.addTo(alerts);
        ErrorAlerts.addTo(alerts);
        LinkAlerts.addTo(alerts);
        new PresenceAlerts(context.name(), SERVICE).addTo(alerts);
        Monitoring.Builder monitoring =
                common(settings, DASHBOARDS).service(SERVICE).port(PORT);
        return monitoring
                .addAllAlerts(alerts.rules())
                .putMetricNames("device_utilization", "DCGM_FI_PROF_GR_ENGINE_ACTIVE")
                .putMetricNames("device_temperature_celsius", "DCGM_FI_DEV_GPU_TEMP")
                .putMetricNames("device_power_watts", "DCGM_FI_DEV_POWER_USAGE")
                .build();
    }

    /**
     * How slices on demand are watched, beside the GPUs: by what the agents count. Their ServiceMonitor is in their own state.
     *
     * @throws InvalidRecipeException when the settings are wrong; the message names all of them
     */
    public static Monitoring slices(RecipeContext context) {
        MonitoringSettings settings = MonitoringSettings.of(context);
        Alerts alerts = new Alerts(settings);
        SliceAlerts.addTo(alerts, SLICES_SERVICE);
        return common(settings, List.of(SLICES_DASHBOARD))
                .addAllAlerts(alerts.rules())
                .build();
    }

    private static Monitoring.Builder common(MonitoringSettings settings, List<String> dashboards) {
        Monitoring.Builder monitoring = Monitoring.builder();
        dashboards.forEach(name -> monitoring.putDashboards(name, Resources.text("dashboards/" + name + ".json")));
        return monitoring
                .labels(settings.labels())
                .grafanaSelector(settings.grafana())
                .clusterMonitoring(settings.clusterMonitoring());
    }

    /** All that is wrong with the settings; empty when nothing is. */
    public static List<Problem> problems(RecipeContext context) {
        return MonitoringSettings.problems(context);
    }
}
