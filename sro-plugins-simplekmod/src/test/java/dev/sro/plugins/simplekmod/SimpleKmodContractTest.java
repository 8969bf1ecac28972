package dev.sro.plugins.simplekmod;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.testkit.contract.AcceleratorPluginContract;
import dev.sro.testkit.contract.ContractProfile;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.util.List;
import java.util.Map;

/** The contract of every plugin, on Kubernetes. */
class SimpleKmodContractTest extends AcceleratorPluginContract {

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
        return Map.of(
                "a", NodeProfile.of(OsRelease.RHEL_9),
                "b", NodeProfile.of(OsRelease.UBUNTU_22),
                "c", NodeProfile.of(OsRelease.UBUNTU_22).withArchitecture("arm64"));
    }

    /** Both platforms: each has kinds and rights of its own. */
    @Override
    protected List<ContractProfile> profiles() {
        String everything = SimpleKmodScenarioTest.RESOURCE.replace(
                "plugin: {name: simple-kmod}",
                "plugin: {name: simple-kmod, config: {after: [network-driver], proveOn: {kubernetes.io/os: linux},"
                        + " alerts: true}}");
        return List.of(
                ContractProfile.of("everything optional", everything, Map.of("a", NodeProfile.of(OsRelease.RHEL_9)))
                        .prepared(sandbox -> sandbox.serve(
                                "monitoring.coreos.com", "v1", "PrometheusRule", "prometheusrules", true)),
                ContractProfile.of(
                                "OpenShift",
                                SimpleKmodScenarioTest.RESOURCE,
                                Map.of("a", NodeProfile.of(OsRelease.RHCOS_9)))
                        .onOpenShift());
    }
}
