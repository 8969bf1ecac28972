package dev.sro.testkit.vendors;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.testkit.contract.AcceleratorPluginContract;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

class HabanaContractTest extends AcceleratorPluginContract {

    private static final NodeProfile NODE =
            NodeProfile.of(OsRelease.UBUNTU_22).withPci("1200", "1da3", "1020").withResource("hugepages-2Mi", "16Gi");

    @Override
    protected AcceleratorPlugin plugin() {
        return new HabanaPlugin();
    }

    @Override
    protected String specialResource() {
        return Vendors.resource("habana", "{}");
    }

    /** ServiceMonitor and others as their projects publish them, where they are at hand. */
    @Override
    protected Optional<Path> crds() {
        return PublishedCrds.directory();
    }

    /** Where its definition is not at hand. */
    @Override
    protected Set<String> unchecked() {
        return Set.of("grafana.integreatly.org/v1beta1/GrafanaDashboard");
    }

    @Override
    protected Map<String, NodeProfile> nodes() {
        return Map.of("a", NODE, "b", NODE.withOs(OsRelease.RHEL_9));
    }
}
