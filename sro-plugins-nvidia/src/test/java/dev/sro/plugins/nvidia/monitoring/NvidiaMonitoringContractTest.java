package dev.sro.plugins.nvidia.monitoring;

import dev.sro.api.operation.Monitoring;
import dev.sro.testkit.monitoring.KnownMetrics;
import dev.sro.testkit.monitoring.MonitoringContract;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Alerts and dashboards ask for what the exporter emits with our counters; each alert fires and ends. */
class NvidiaMonitoringContractTest extends MonitoringContract {

    /** Labels of the exporter; those of the pod with the GPU as Prometheus renames them; that of who asks several clusters. */
    private static final List<String> GPU_LABELS = List.of(
            "gpu",
            "UUID",
            "pci_bus_id",
            "device",
            "modelName",
            "GPU_I_PROFILE",
            "GPU_I_ID",
            "exported_namespace",
            "exported_pod",
            "exported_container",
            "cluster");

    /** Of kube-state-metrics, in its stable set. */
    private static final List<String> DEVICES = List.of(
            "kube_node_status_capacity", "kube_node_status_allocatable", "kube_pod_container_resource_requests");

    /** Of the node status exporter of NVIDIA's validator. */
    private static final List<String> BARRIERS = List.of(
            "gpu_operator_node_driver_ready",
            "gpu_operator_node_toolkit_ready",
            "gpu_operator_node_cuda_ready",
            "gpu_operator_node_plugin_ready");

    @Override
    protected Monitoring monitoring() {
        return NvidiaMonitoring.create(Contexts.with(Map.of("vgpuGuests", true)));
    }

    @Override
    protected KnownMetrics metrics() {
        List<String> labels = new ArrayList<>(GPU_LABELS);
        labels.addAll(Counters.labels());
        return KnownMetrics.none()
                .and(Counters.metrics(), labels.toArray(String[]::new))
                .and(List.of("DCGM_EXP_XID_ERRORS_COUNT"), "xid", "window_size_in_ms")
                .and(List.of("DCGM_EXP_CLOCK_EVENTS_COUNT"), "clock_event", "window_size_in_ms")
                .and(DEVICES, "resource", "unit", "cluster")
                .and(List.of("ALERTS"), "alertname", "alertstate", "severity", "gpu", "xid", "cluster")
                .and(BARRIERS)
                .and(List.of("sro_states_completed_info"), "specialresource", "state");
    }

    @Override
    protected List<String> scenarios() {
        return List.of(
                Resources.text("thermal.yaml"),
                Resources.text("errors.yaml"),
                Resources.text("links.yaml"),
                Resources.text("presence.yaml"));
    }
}
