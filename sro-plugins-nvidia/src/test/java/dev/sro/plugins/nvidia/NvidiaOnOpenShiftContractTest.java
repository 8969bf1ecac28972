package dev.sro.plugins.nvidia;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.testkit.contract.AcceleratorPluginContract;
import dev.sro.testkit.contract.ContractProfile;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The contract of every plugin, on OpenShift with everything that is optional. */
class NvidiaOnOpenShiftContractTest extends AcceleratorPluginContract {

    @Override
    protected AcceleratorPlugin plugin() {
        return new NvidiaPlugin();
    }

    @Override
    protected String specialResource() {
        return Gpus.resource("{dcgm: {enabled: true}, nodeStatusExporter: {enabled: true}, gds: {enabled: true},"
                + " gdrcopy: {enabled: true}, driver: {rdma: {enabled: true}}, dcgmExporter: {enablePodLabels: true}}");
    }

    @Override
    protected Map<String, NodeProfile> nodes() {
        return Map.of("a", Gpus.NODE.withOs(OsRelease.RHCOS_9));
    }

    @Override
    protected boolean openShift() {
        return true;
    }

    @Override
    protected List<ContractProfile> profiles() {
        return Gpus.profiles();
    }

    @Override
    protected Set<String> unchecked() {
        return Gpus.WITH_TESTS_OF_THEIR_OWN;
    }
}
