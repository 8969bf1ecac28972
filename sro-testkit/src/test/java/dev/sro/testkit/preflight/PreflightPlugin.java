package dev.sro.testkit.preflight;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.api.driver.PreflightCheck;
import dev.sro.api.driver.PreflightTarget;
import dev.sro.api.driver.PreflightVerdict;
import java.util.List;

/** Its one state is what spec.plugin.config.yaml has. */
final class PreflightPlugin implements AcceleratorPlugin, PreflightCheck {
    @Override
    public PluginDescriptor descriptor() {
        return PluginDescriptor.of("text", "1.0.0", "Test Vendor");
    }

    @Override
    public StateGraph states(RecipeContext context) {
        String yaml = String.valueOf(context.config().get("yaml"));
        return StateGraph.chain(State.of("0000-all", ManifestTemplate.text("all.yaml", yaml)));
    }

    /** What the settings say of one image, or nothing. */
    @Override
    public List<PreflightVerdict> preflight(RecipeContext context, PreflightTarget target) {
        Object said = context.config().get("said");
        return said == null
                ? List.of()
                : List.of(PreflightVerdict.builder()
                        .image("registry.example/driver:v" + target.kernel())
                        .result(PreflightVerdict.Result.valueOf(String.valueOf(said)))
                        .addEvidence("signed for " + target.os().version() + " of "
                                + target.platformVersion().orElse("nobody"))
                        .build());
    }
}
