package dev.sro.plugins.nvidia;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.testkit.contract.AcceleratorPluginContract;
import dev.sro.testkit.contract.ContractProfile;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The contract of every plugin, on Kubernetes with the usual settings. */
class NvidiaContractTest extends AcceleratorPluginContract {

    @Override
    protected AcceleratorPlugin plugin() {
        return new NvidiaPlugin();
    }

    @Override
    protected String specialResource() {
        return Gpus.resource("{}");
    }

    @Override
    protected Map<String, NodeProfile> nodes() {
        return Map.of("ubuntu", Gpus.NODE, "rhel", Gpus.NODE.withOs(OsRelease.RHEL_9));
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
