package dev.sro.plugins.nvidia.monitoring;

import dev.sro.api.operation.AlertRule.Severity;
import dev.sro.plugins.nvidia.monitoring.MonitoringSettings.Limit;
import java.time.Duration;

/** Alerts about slices on demand: agents that are gone, slices that nobody can take back, and claims that get nothing although they were promised it. */
final class SliceAlerts {

    private static final Duration A_FEW_LOOKS = Duration.ofMinutes(15);

    /** More than somebody's mistake, within a quarter of an hour. */
    private static final int MANY_REFUSALS = 3;

    private SliceAlerts() {}

    /** Adds them; {@code job} is that of the agents' series. */
    static void addTo(Alerts alerts, String job) {
        agents(alerts, job);
        alerts.add(alerts.rule("NvidiaSliceQuarantined", Severity.WARNING, "max by (node) (sro_agent_quarantined) > 0")
                .holdsFor(A_FEW_LOOKS)
                .summary("Node {{ $labels.node }} has {{ $value }} slices of nobody that cannot be destroyed."));
        alerts.add(alerts.rule("NvidiaSliceNotRepaired", Severity.WARNING, "max by (node) (sro_agent_not_repaired) > 0")
                .holdsFor(A_FEW_LOOKS)
                .summary("On node {{ $labels.node }} hardware and claims differ in {{ $value }} places, and the agent"
                        + " cannot put that right."));
        alerts.add(alerts.rule("NvidiaSlicesOfIllGpus", Severity.WARNING, "max by (node) (sro_agent_gpus_ill) > 0")
                .holdsFor(Duration.ofMinutes(5))
                .summary("{{ $value }} GPUs of node {{ $labels.node }} take no new slices because of an error."));
    }

    private static void agents(Alerts alerts, String job) {
        alerts.add(alerts.rule(
                        "NvidiaSlicesAgentDown", Severity.WARNING, "max by (node) (up{job=\"" + job + "\"}) == 0")
                .holdsFor(alerts.minutes(Limit.EXPORTER_DOWN_MINUTES))
                .summary("The agent of node {{ $labels.node }} does not answer: pods with slices neither start nor end"
                        + " there."));
        alerts.add(alerts.rule(
                        "NvidiaSlicesRefused",
                        Severity.WARNING,
                        "sum by (node, reason) (increase(sro_agent_refusals_total[15m])) > " + MANY_REFUSALS)
                .holdsFor(Duration.ZERO)
                .summary("Node {{ $labels.node }} refused {{ printf \"%.0f\" $value }} claims within a quarter of an"
                        + " hour what they were allocated: {{ $labels.reason }}."));
    }
}
