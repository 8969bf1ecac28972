package dev.sro.plugins.nvidia.monitoring;

import static dev.sro.plugins.nvidia.monitoring.Alerts.BY_GPU;
import static dev.sro.plugins.nvidia.monitoring.Alerts.GPU;

import dev.sro.api.operation.AlertRule.Severity;
import dev.sro.plugins.nvidia.monitoring.MonitoringSettings.Limit;
import java.time.Duration;

/**
 * Alerts about heat and power. The clocks of a GPU go down long before it takes damage: a share of time with lowered clocks is work
 * that is paid for and not done.
 */
final class ThermalAlerts {

    /** DCGM counts lowered clocks in nanoseconds. */
    private static final String PER_SECOND = " / 1e9 * 100";

    private ThermalAlerts() {}

    static void addTo(Alerts alerts) {
        temperature(alerts);
        clocks(alerts);
    }

    private static void temperature(Alerts alerts) {
        String gpu = "max" + BY_GPU + "(DCGM_FI_DEV_GPU_TEMP) > ";
        alerts.add(alerts.rule("NvidiaGpuHot", Severity.WARNING, gpu + alerts.limit(Limit.GPU_CELSIUS))
                .holdsFor(Duration.ofMinutes(10))
                .summary(GPU + " is at {{ $value }} °C."));
        alerts.add(alerts.rule("NvidiaGpuTooHot", Severity.CRITICAL, gpu + alerts.limit(Limit.GPU_CRITICAL_CELSIUS))
                .holdsFor(Duration.ofMinutes(2))
                .summary(GPU + " is at {{ $value }} °C, close to where it switches itself off."));
        alerts.add(alerts.rule(
                        "NvidiaGpuMemoryHot",
                        Severity.WARNING,
                        "max" + BY_GPU + "(DCGM_FI_DEV_MEMORY_TEMP) > " + alerts.limit(Limit.MEMORY_CELSIUS))
                .holdsFor(Duration.ofMinutes(10))
                .summary("The memory of " + GPU + " is at {{ $value }} °C."));
    }

    private static void clocks(Alerts alerts) {
        String share = "{{ printf \"%.0f\" $value }} % of the time";
        alerts.add(alerts.rule(
                        "NvidiaGpuThermalThrottling",
                        Severity.WARNING,
                        "max" + BY_GPU + "(rate(DCGM_FI_DEV_THERMAL_VIOLATION[5m]))" + PER_SECOND + " > "
                                + alerts.limit(Limit.THERMAL_THROTTLING_PERCENT))
                .holdsFor(Duration.ofMinutes(10))
                .summary(GPU + " runs slower for its temperature " + share + "."));
        alerts.add(alerts.rule(
                        "NvidiaGpuPowerThrottling",
                        Severity.INFO,
                        "max" + BY_GPU + "(rate(DCGM_FI_DEV_POWER_VIOLATION[5m]))" + PER_SECOND + " > "
                                + alerts.limit(Limit.POWER_THROTTLING_PERCENT))
                .holdsFor(Duration.ofMinutes(30))
                .summary(GPU + " runs slower for its power limit " + share + "."));
        alerts.add(alerts.rule(
                        "NvidiaGpuHardwareSlowdown",
                        Severity.WARNING,
                        "max by (node, gpu, UUID, modelName, clock_event)"
                                + " (DCGM_EXP_CLOCK_EVENTS_COUNT{clock_event=~\"hw_slowdown|hw_thermal|hw_power_brake\"})"
                                + " > 0")
                .holdsFor(Duration.ofMinutes(5))
                .summary("The board slows down " + GPU + ": {{ $labels.clock_event }}."));
    }
}
