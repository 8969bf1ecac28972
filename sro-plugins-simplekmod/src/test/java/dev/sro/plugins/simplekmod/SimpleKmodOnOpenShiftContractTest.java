package dev.sro.plugins.simplekmod;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.testkit.contract.AcceleratorPluginContract;
import dev.sro.testkit.contract.ContractProfile;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.util.List;
import java.util.Map;

/** The contract of every plugin, on OpenShift. */
class SimpleKmodOnOpenShiftContractTest extends AcceleratorPluginContract {

    @Override
    protected AcceleratorPlugin plugin() {
        return new SimpleKmodPlugin();
    }

    @Override
    protected String specialResource() {
        return SimpleKmodScenarioTest.RESOURCE;
    }

    @Override
    protected Map<String, NodeProfile> nodes() {
        return Map.of("a", NodeProfile.of(OsRelease.RHCOS_9));
    }

    @Override
    protected boolean openShift() {
        return true;
    }

    /** Both platforms: each has kinds and rights of its own. */
    @Override
    protected List<ContractProfile> profiles() {
        String alerts = SimpleKmodScenarioTest.RESOURCE.replace(
                "plugin: {name: simple-kmod}", "plugin: {name: simple-kmod, config: {alerts: true}}");
        return List.of(ContractProfile.of("Kubernetes", alerts, Map.of("a", NodeProfile.of(OsRelease.RHEL_9)))
                .prepared(sandbox ->
                        sandbox.serve("monitoring.coreos.com", "v1", "PrometheusRule", "prometheusrules", true)));
    }
}
