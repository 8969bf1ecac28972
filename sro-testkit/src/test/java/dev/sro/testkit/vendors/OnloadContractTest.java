package dev.sro.testkit.vendors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.testkit.contract.AcceleratorPluginContract;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OnloadContractTest extends AcceleratorPluginContract {

    @Override
    protected AcceleratorPlugin plugin() {
        return new OnloadPlugin();
    }

    @Override
    protected String specialResource() {
        return Vendors.resource("onload", "{pods: 50}");
    }

    @Override
    protected Map<String, NodeProfile> nodes() {
        return Map.of("a", NodeProfile.of(OsRelease.RHCOS_9).withPci("0200", "1924", "0b03"));
    }

    @Test
    void aNameThatNoSocketHasRoomForIsTheUsersProblem() {
        try (SroSandbox sandbox = SroSandbox.create(plugin())) {
            String name = "n".repeat(40);
            sandbox.apply(specialResource().replaceFirst("name: onload", "name: " + name));
            sandbox.settle();

            assertThat(sandbox.state(name))
                    .isEqualTo("Errored: metadata.name: at most 39 characters; choose a shorter one");
        }
    }
}
