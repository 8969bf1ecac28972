package ${package};

import dev.sro.api.AcceleratorPlugin;
import dev.sro.testkit.contract.AcceleratorPluginContract;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.util.Map;

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
}
