package dev.sro.testkit.contract;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.util.Map;
import java.util.function.Supplier;

/** The kit for {@link PlainPlugin}, on one node; its tests are called one by one. */
class PlainKit extends AcceleratorPluginContract {
    private final Supplier<AcceleratorPlugin> plugin;

    PlainKit(Supplier<AcceleratorPlugin> plugin) {
        this.plugin = plugin;
    }

    /** For a plugin with this manifest. */
    static PlainKit of(String manifest) {
        return new PlainKit(() -> new PlainPlugin(manifest));
    }

    @Override
    protected AcceleratorPlugin plugin() {
        return plugin.get();
    }

    @Override
    protected String specialResource() {
        return """
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: plain}
            spec: {namespace: plain, plugin: {name: plain}}
            """;
    }

    @Override
    protected Map<String, NodeProfile> nodes() {
        return Map.of("a", NodeProfile.of(OsRelease.RHEL_9));
    }
}
