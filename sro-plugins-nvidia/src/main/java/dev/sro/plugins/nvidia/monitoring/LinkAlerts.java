package dev.sro.plugins.nvidia.monitoring;

import static dev.sro.plugins.nvidia.monitoring.Alerts.BY_GPU;
import static dev.sro.plugins.nvidia.monitoring.Alerts.GPU;

import dev.sro.api.operation.AlertRule.Severity;
import dev.sro.plugins.nvidia.monitoring.MonitoringSettings.Limit;
import java.time.Duration;

/** Alerts about PCIe and NVLink: what goes over a bad link is sent again, and everybody waits for the slowest GPU. */
final class LinkAlerts {

    private LinkAlerts() {}

    static void addTo(Alerts alerts) {
        alerts.add(alerts.rule(
                        "NvidiaPcieReplays",
                        Severity.WARNING,
                        "max" + BY_GPU + "(rate(DCGM_FI_DEV_PCIE_REPLAY_COUNTER[10m])) * 60 > "
                                + alerts.limit(Limit.PCIE_REPLAYS_PER_MINUTE))
                .holdsFor(Duration.ofMinutes(10))
                .summary(GPU + " repeats {{ printf \"%.0f\" $value }} transfers over PCIe per minute."));
        alerts.add(alerts.rule(
                        "NvidiaNvlinkErrors",
                        Severity.WARNING,
                        "max" + BY_GPU + "(increase(DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL[1h])"
                                + " + increase(DCGM_FI_DEV_NVLINK_CRC_DATA_ERROR_COUNT_TOTAL[1h])"
                                + " + increase(DCGM_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL[1h])) > "
                                + alerts.limit(Limit.NVLINK_ERRORS_PER_HOUR))
                .holdsFor(Duration.ofMinutes(10))
                .summary("The NVLinks of " + GPU + " had {{ printf \"%.0f\" $value }} errors within an hour."));
        alerts.add(alerts.rule(
                        "NvidiaNvlinkRecovered",
                        Severity.WARNING,
                        "max" + BY_GPU + "(increase(DCGM_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL[1h])) > 0")
                .holdsFor(Duration.ZERO)
                .summary("A NVLink of " + GPU + " broke and was set up again."));
    }
}
