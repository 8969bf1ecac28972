package dev.sro.plugins.simplekmod;

import dev.sro.api.operation.Monitoring;
import dev.sro.testkit.monitoring.KnownMetrics;
import dev.sro.testkit.monitoring.MonitoringContract;
import java.util.List;

/** The alert asks for what kube-state-metrics has, fires when modules go, and ends when they are back. */
class AlertsTest extends MonitoringContract {

    private static final String SCENARIO = """
        - alert: SimpleKmodNotLoaded
          series:
            kube_pod_container_status_ready{namespace="drivers",pod="simple-kmod-validation-79de22ce-x",container="validated"}: 1x9 0x29 1x9
            kube_pod_info{namespace="drivers",pod="simple-kmod-validation-79de22ce-x",node="a"}: 1x60
            kube_pod_container_status_ready{namespace="drivers",pod="simple-kmod-validation-79de22ce-y",container="validated"}: 1x60
            kube_pod_info{namespace="drivers",pod="simple-kmod-validation-79de22ce-y",node="b"}: 1x60
            kube_pod_container_status_ready{namespace="web",pod="other",container="validated"}: 0x60
            kube_pod_info{namespace="web",pod="other",node="a"}: 1x60
          fires:
            - {at: 30m, labels: {node: a, namespace: drivers, pod: simple-kmod-validation-79de22ce-x}}
          silent: [9m, 20m, 45m]
        """;

    @Override
    protected Monitoring monitoring() {
        return new SimpleKmodPlugin().monitoring(Kmod.everything());
    }

    @Override
    protected KnownMetrics metrics() {
        return KnownMetrics.none()
                .and(List.of("kube_pod_container_status_ready"), "container")
                .and(List.of("kube_pod_info"), "node");
    }

    @Override
    protected List<String> scenarios() {
        return List.of(SCENARIO);
    }
}
