package dev.sro.plugins.nvidia.monitoring;

import dev.sro.api.operation.Monitoring;
import dev.sro.testkit.monitoring.KnownMetrics;
import dev.sro.testkit.monitoring.MonitoringContract;
import java.util.List;
import java.util.Map;

/** Alerts and the dashboard of slices ask for what the agents emit; each alert fires and ends. */
class SliceMonitoringContractTest extends MonitoringContract {

    @Override
    protected Monitoring monitoring() {
        return NvidiaMonitoring.slices(Contexts.with(Map.of()));
    }

    /** The table of metrics in docs/slicing/agent.md, which a test of the agent holds against what it serves. */
    @Override
    protected KnownMetrics metrics() {
        return KnownMetrics.none()
                .and(
                        List.of(
                                "sro_agent_quarantined",
                                "sro_agent_not_repaired",
                                "sro_agent_gpus_ill",
                                "sro_agent_repairs_total",
                                "sro_agent_free_units",
                                "sro_agent_fragmentation_ratio"),
                        "cluster")
                .and(List.of("sro_agent_refusals_total"), "reason", "cluster")
                .and(List.of("sro_agent_free_places"), "profile", "cluster")
                .and(List.of("sro_agent_device_seconds_bucket"), "operation", "le", "cluster")
                .and(List.of("sro_agent_device_failures_total"), "operation", "kind", "cluster");
    }

    @Override
    protected List<String> scenarios() {
        return List.of(Resources.text("slices.yaml"));
    }
}
