package dev.sro.testkit.preflight;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.Reach;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;

/** Runs the image of the driver. */
public final class DriverPlugin implements AcceleratorPlugin {
    @Override
    public PluginDescriptor descriptor() {
        return PluginDescriptor.of("acme", "1.0.0", "Test Vendor");
    }

    @Override
    public StateGraph states(RecipeContext context) {
        return StateGraph.chain(State.builder()
                .id("1000-driver")
                .reach(Reach.nodeByNode())
                .addManifests(ManifestTemplate.text("driver.yaml", """
                    apiVersion: apps/v1
                    kind: DaemonSet
                    metadata:
                      name: driver
                      annotations: {specialresource.openshift.io/kernel-affine: "true"}
                    spec:
                      selector: {matchLabels: {app: driver}}
                      template:
                        metadata: {labels: {app: driver}}
                        spec: {containers: [{name: driver, image: "${driverImage}"}]}
                    """))
                .build());
    }
}
