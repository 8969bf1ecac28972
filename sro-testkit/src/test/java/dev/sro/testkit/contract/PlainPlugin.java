package dev.sro.testkit.contract;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;

/** A plugin with one state of one manifest, which tests make wrong in one way each. Immutable. */
class PlainPlugin implements AcceleratorPlugin {
    static final String CONFIG_MAP = """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "${name}"}
        """;

    private final String manifest;

    PlainPlugin(String manifest) {
        this.manifest = manifest;
    }

    @Override
    public PluginDescriptor descriptor() {
        return PluginDescriptor.builder()
                .name("plain")
                .version("1.0")
                .vendor("Example")
                .addOperandResources("configmaps")
                .build();
    }

    @Override
    public StateGraph states(RecipeContext context) {
        return StateGraph.chain(State.of("1000-x", ManifestTemplate.text("x.yaml", manifest)));
    }
}
