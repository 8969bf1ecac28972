package dev.sro.plugins.nvidia.monitoring;

import dev.sro.api.operation.AlertRule.Severity;
import dev.sro.plugins.nvidia.monitoring.MonitoringSettings.Limit;
import java.time.Duration;

/** Alerts about what is missing: a GPU, the exporter, a step of the stack, devices that could be handed out, a licence. */
final class PresenceAlerts {

    /** How kube-state-metrics writes {@code nvidia.com/gpu} and {@code nvidia.com/mig-1g.5gb}. */
    private static final String RESOURCES = "{resource=~\"nvidia_com_(gpu|mig_.+)\"}";

    private static final String SEEN_BY_NODE = "count by (node) (count by (node, UUID) (DCGM_FI_DEV_GPU_TEMP))";

    private final String specialResource;
    private final String up;

    PresenceAlerts(String specialResource, String job) {
        this.specialResource = specialResource;
        this.up = "up{job=\"" + job + "\"}";
    }

    void addTo(Alerts alerts) {
        gpus(alerts);
        exporter(alerts);
        nodes(alerts);
        states(alerts);
        if (alerts.settings().vgpuGuests()) {
            alerts.add(alerts.rule(
                            "NvidiaVgpuUnlicensed",
                            Severity.WARNING,
                            "min" + Alerts.BY_GPU + "(DCGM_FI_DEV_VGPU_LICENSE_STATUS) == 0")
                    .holdsFor(Duration.ofMinutes(30))
                    .summary("The virtual " + Alerts.GPU + " has no licence and slows down."));
        }
    }

    private void gpus(Alerts alerts) {
        String series = "group by (node, gpu, UUID) ";
        alerts.add(alerts.rule(
                        "NvidiaGpuLost",
                        Severity.CRITICAL,
                        "(" + series + "(last_over_time(DCGM_FI_DEV_GPU_TEMP[" + alerts.limit(Limit.LOST_FOR_HOURS)
                                + "h])) unless on (node, UUID) " + series
                                + "(DCGM_FI_DEV_GPU_TEMP)) and on (node) (max by (node) (" + up + ") == 1)")
                .holdsFor(alerts.minutes(Limit.LOST_AFTER_MINUTES))
                .summary("GPU {{ $labels.gpu }} ({{ $labels.UUID }}) of node {{ $labels.node }} is gone, while others,"
                        + " or the exporter at least, are still there."));
        alerts.add(alerts.rule(
                        "NvidiaCapacityBelowGpus",
                        Severity.WARNING,
                        SEEN_BY_NODE + " > on (node) sum by (node) (kube_node_status_capacity" + RESOURCES + ")")
                .holdsFor(Duration.ofMinutes(30))
                .summary("Node {{ $labels.node }} has {{ $value }} GPUs and offers fewer devices to pods."));
        alerts.add(alerts.rule(
                        "NvidiaAllocatableBelowCapacity",
                        Severity.WARNING,
                        "max by (node, resource) (kube_node_status_capacity" + RESOURCES
                                + ") - on (node, resource) max by (node, resource)"
                                + " (kube_node_status_allocatable"
                                + RESOURCES + ") > 0")
                .holdsFor(Duration.ofMinutes(15))
                .summary("{{ $value }} of the devices {{ $labels.resource }} of node {{ $labels.node }} are out"
                        + " of service."));
    }

    private void exporter(Alerts alerts) {
        alerts.add(alerts.rule("NvidiaExporterDown", Severity.WARNING, "max by (node) (" + up + ") == 0")
                .holdsFor(alerts.minutes(Limit.EXPORTER_DOWN_MINUTES))
                .summary("The GPUs of node {{ $labels.node }} are not watched: dcgm-exporter does not answer."));
        alerts.add(alerts.rule("NvidiaExporterAbsent", Severity.WARNING, "absent(" + up + ")")
                .holdsFor(alerts.minutes(Limit.EXPORTER_DOWN_MINUTES))
                .summary("No GPU is watched: Prometheus knows no dcgm-exporter."));
    }

    /** Barriers on each node, from the node status exporter of NVIDIA's validator, where it runs. */
    private void nodes(Alerts alerts) {
        barrier(alerts, "NvidiaDriverNotReady", "gpu_operator_node_driver_ready", "the driver");
        barrier(alerts, "NvidiaToolkitNotReady", "gpu_operator_node_toolkit_ready", "the container toolkit");
        barrier(alerts, "NvidiaCudaNotReady", "gpu_operator_node_cuda_ready", "the validation with CUDA");
        barrier(alerts, "NvidiaDevicePluginNotReady", "gpu_operator_node_plugin_ready", "the device plugin");
    }

    private void barrier(Alerts alerts, String name, String metric, String what) {
        alerts.add(alerts.rule(name, Severity.WARNING, "min by (node) (" + metric + ") == 0")
                .holdsFor(alerts.minutes(Limit.NOT_READY_MINUTES))
                .summary("On node {{ $labels.node }} " + what + " is not ready."));
    }

    /** What SRO itself says of the stack. */
    private void states(Alerts alerts) {
        alerts.add(alerts.rule(
                        "NvidiaStateNotReady",
                        Severity.WARNING,
                        "min by (specialresource, state) (sro_states_completed_info{specialresource=\""
                                + specialResource + "\"}) == 0")
                .holdsFor(alerts.minutes(Limit.NOT_READY_MINUTES))
                .summary("State {{ $labels.state }} of special resource {{ $labels.specialresource }} is not"
                        + " ready.")
                .description("sro status {{ $labels.specialresource }} says what it waits for, on which node, and"
                        + " whose turn it is."));
    }
}
