package dev.sro.testkit.load;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.Reach;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;

/** With the state that the engine makes of a load plan: a pod for each node loads modules and ends. */
public final class LoadingPlugin implements AcceleratorPlugin {
    private final String name;

    /** With a name of its own. */
    public LoadingPlugin(String name) {
        this.name = name;
    }

    @Override
    public PluginDescriptor descriptor() {
        return PluginDescriptor.of(name, "1.0.0", "Example");
    }

    @Override
    public StateGraph states(RecipeContext context) {
        String config = WorkerRecipe.config(context.config().get("level"));
        return StateGraph.chain(
                State.builder()
                        .id("0500-driver-load")
                        .reach(Reach.nodeByNode())
                        .addManifests(ManifestTemplate.text("load.yaml", WorkerRecipe.manifest(config, config)))
                        .build(),
                State.builder()
                        .id("1000-device-plugin")
                        .reach(Reach.nodeByNode())
                        .addManifests(ManifestTemplate.text("plugin.yaml", WorkerRecipe.DEVICE_PLUGIN))
                        .build());
    }
}
