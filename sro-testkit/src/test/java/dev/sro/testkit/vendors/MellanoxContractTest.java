package dev.sro.testkit.vendors;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.testkit.contract.AcceleratorPluginContract;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.util.Map;

class MellanoxContractTest extends AcceleratorPluginContract {

    private static final NodeProfile NODE = NodeProfile.of(OsRelease.RHEL_9).withPci("0200", "15b3", "1021");

    @Override
    protected AcceleratorPlugin plugin() {
        return new MellanoxPlugin();
    }

    @Override
    protected String specialResource() {
        return Vendors.resource("mellanox", "{}");
    }

    /** One of them by the vendor's number alone, as NFD can be set. */
    @Override
    protected Map<String, NodeProfile> nodes() {
        return Map.of(
                "a",
                NODE,
                "b",
                NODE.withOs(OsRelease.UBUNTU_24).withPciLabelFields("vendor"),
                "c",
                NODE.withArchitecture("arm64"));
    }
}
