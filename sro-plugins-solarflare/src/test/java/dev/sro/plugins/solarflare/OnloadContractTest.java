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

/** The contract of every plugin, on Kubernetes. */
class OnloadContractTest extends AcceleratorPluginContract {

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
        return Map.of("a", Onload.node(OsRelease.RHEL_9), "b", Onload.node(OsRelease.UBUNTU_22));
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
