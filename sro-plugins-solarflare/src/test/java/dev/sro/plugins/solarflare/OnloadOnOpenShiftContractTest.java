package dev.sro.plugins.solarflare;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.testkit.contract.AcceleratorPluginContract;
import dev.sro.testkit.contract.ContractProfile;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The contract of every plugin, on OpenShift. */
class OnloadOnOpenShiftContractTest extends AcceleratorPluginContract {

    @Override
    protected AcceleratorPlugin plugin() {
        return new OnloadPlugin();
    }

    @Override
    protected String specialResource() {
        return Onload.RESOURCE;
    }

    @Override
    protected Map<String, NodeProfile> nodes() {
        return Map.of("a", Onload.node(OsRelease.RHCOS_9));
    }

    @Override
    protected boolean openShift() {
        return true;
    }

    @Override
    protected List<ContractProfile> profiles() {
        return Onload.profiles();
    }

    @Override
    protected Optional<Path> crds() {
        return Onload.crds();
    }
}
