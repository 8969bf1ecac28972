package ${package};

import dev.sro.api.AcceleratorPlugin;
import dev.sro.testkit.contract.AcceleratorPluginContract;
import dev.sro.testkit.contract.ContractProfile;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What every plugin promises. */
class ${vendor}ContractTest extends AcceleratorPluginContract {
    @Override
    protected AcceleratorPlugin plugin() {
        return new ${vendor}Plugin();
    }

    @Override
    protected String specialResource() {
        return ${vendor}PluginTest.file("special-resource.yaml");
    }

    @Override
    protected Map<String, NodeProfile> nodes() {
        return Map.of(
                "a", ${vendor}PluginTest.node(OsRelease.RHEL_9),
                "b", ${vendor}PluginTest.node(OsRelease.UBUNTU_22));
    }

    /** Nodes offer the resource as soon as the device plugin's pod is ready. */
    @Override
    protected void prepare(SroSandbox sandbox) {
        sandbox.offerDevices();
    }

    /** With Prometheus' operator, whose kinds the plugin uses where the cluster has them. */
    @Override
    protected List<ContractProfile> profiles() {
        return List.of(ContractProfile.of("monitored", specialResource(), nodes())
                .prepared(${vendor}ContractTest::monitored));
    }

    /** The definitions of Prometheus' operator are not at hand here: put them into a folder, and name it in crds(), and they are checked. */
    @Override
    protected Set<String> unchecked() {
        return Set.of("monitoring.coreos.com/v1/ServiceMonitor", "monitoring.coreos.com/v1/PrometheusRule");
    }

    private static void monitored(SroSandbox sandbox) {
        sandbox.serve("monitoring.coreos.com", "v1", "ServiceMonitor", "servicemonitors", true);
        sandbox.serve("monitoring.coreos.com", "v1", "PrometheusRule", "prometheusrules", true);
    }
}
