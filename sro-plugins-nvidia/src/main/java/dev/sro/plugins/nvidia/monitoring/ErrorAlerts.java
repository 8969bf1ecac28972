package dev.sro.plugins.nvidia.monitoring;

import static dev.sro.plugins.nvidia.monitoring.Alerts.BY_GPU;
import static dev.sro.plugins.nvidia.monitoring.Alerts.GPU;

import dev.sro.api.operation.AlertRule.Severity;
import dev.sro.plugins.nvidia.monitoring.MonitoringSettings.Limit;
import java.time.Duration;

/**
 * Alerts about XIDs and memory errors. XIDs are taken from the exporter's count by code, not from the field with the last XID,
 * which would keep an alert alive until the next error.
 */
final class ErrorAlerts {

    /** The exporter forgets an XID after five minutes: an alert shall outlive the way to the screen. */
    private static final Duration SEEN = Duration.ofMinutes(15);

    private static final String BY_XID = "by (node, gpu, UUID, modelName, xid) ";

    private ErrorAlerts() {}

    static void addTo(Alerts alerts) {
        xids(alerts, Xids.load());
        ecc(alerts);
        repairs(alerts);
    }

    private static void xids(Alerts alerts, Xids xids) {
        alerts.add(alerts.rule(
                        "NvidiaXidApplicationError",
                        Severity.INFO,
                        "sum by (node, gpu, UUID, modelName, xid, exported_namespace, exported_pod) "
                                + counted("=~", xids.pattern(Xids.Kind.APPLICATION)))
                .holdsFor(Duration.ZERO)
                .keepFiringFor(SEEN)
                .summary("XID {{ $labels.xid }} on " + GPU + ": a program failed.")
                .description(
                        "Pod {{ $labels.exported_namespace }}/{{ $labels.exported_pod }} used it. The GPU goes on."));
        alerts.add(alerts.rule(
                        "NvidiaXidResetNeeded",
                        Severity.CRITICAL,
                        "sum " + BY_XID + counted("=~", xids.pattern(Xids.Kind.RESET)))
                .holdsFor(Duration.ZERO)
                .keepFiringFor(SEEN)
                .summary("XID {{ $labels.xid }} on " + GPU + ": it has to be reset."));
        alerts.add(alerts.rule(
                        "NvidiaXidHardwareError",
                        Severity.CRITICAL,
                        "sum " + BY_XID + counted("=~", xids.pattern(Xids.Kind.HARDWARE)))
                .holdsFor(Duration.ZERO)
                .keepFiringFor(SEEN)
                .summary("XID {{ $labels.xid }} on " + GPU
                        + ": the node has to be restarted, or the hardware looked at."));
        alerts.add(alerts.rule("NvidiaXidUnknown", Severity.WARNING, "sum " + BY_XID + counted("!~", xids.known()))
                .holdsFor(Duration.ZERO)
                .keepFiringFor(SEEN)
                .summary("XID {{ $labels.xid }} on " + GPU + " is not in our list: look it up in NVIDIA's catalogue."));
    }

    private static String counted(String operator, String pattern) {
        return "(DCGM_EXP_XID_ERRORS_COUNT{xid" + operator + "\"" + pattern + "\"}) > 0";
    }

    private static void ecc(Alerts alerts) {
        alerts.add(alerts.rule(
                        "NvidiaGpuUncorrectedEcc",
                        Severity.CRITICAL,
                        "max" + BY_GPU + "(increase(DCGM_FI_DEV_ECC_DBE_VOL_TOTAL[1h])) > 0")
                .holdsFor(Duration.ZERO)
                .summary(GPU + " could not correct errors of its memory: results may be lost."));
        alerts.add(alerts.rule(
                        "NvidiaGpuCorrectedEccRate",
                        Severity.WARNING,
                        "max" + BY_GPU + "(increase(DCGM_FI_DEV_ECC_SBE_VOL_TOTAL[1h])) > "
                                + alerts.limit(Limit.CORRECTED_ECC_PER_HOUR))
                .holdsFor(Duration.ofMinutes(10))
                .summary(GPU + " corrected {{ printf \"%.0f\" $value }} errors of its memory within an hour."));
    }

    private static void repairs(Alerts alerts) {
        alerts.add(alerts.rule(
                        "NvidiaGpuRowRemapFailed",
                        Severity.CRITICAL,
                        "max" + BY_GPU + "(DCGM_FI_DEV_ROW_REMAP_FAILURE) > 0")
                .holdsFor(Duration.ZERO)
                .summary(GPU + " has no spare row left for a broken one of its memory: replace it."));
        alerts.add(alerts.rule(
                        "NvidiaGpuRowsRemapped",
                        Severity.WARNING,
                        "max" + BY_GPU + "(increase(DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS[1h])) > 0")
                .holdsFor(Duration.ZERO)
                .summary(GPU + " replaced rows of its memory; it takes a reset to be in effect."));
        alerts.add(alerts.rule(
                        "NvidiaGpuPagesPendingRetirement",
                        Severity.WARNING,
                        "max" + BY_GPU + "(DCGM_FI_DEV_RETIRED_PENDING) > 0")
                .summary(GPU + " has pages of memory to retire, for which it has to be reset."));
    }
}
