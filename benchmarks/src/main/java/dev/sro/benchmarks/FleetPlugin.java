package dev.sro.benchmarks;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.Reach;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;

/** A recipe of any number of states, each a kernel-affine DaemonSet that every node has to run. */
record FleetPlugin(int states) implements AcceleratorPlugin {

    private static final int STEP = 100;

    /** A special resource for it, on nodes with the label example.com/device=true. */
    static final String RESOURCE = """
        apiVersion: sro.openshift.io/v1beta1
        kind: SpecialResource
        metadata: {name: fleet}
        spec:
          namespace: fleet
          plugin: {name: fleet}
          nodeSelector: {example.com/device: "true"}
        """;

    private static final String DAEMON_SET = """
        apiVersion: apps/v1
        kind: DaemonSet
        metadata:
          name: ${name}-%1$s
          annotations: {specialresource.openshift.io/kernel-affine: "true"}
        spec:
          updateStrategy: {type: OnDelete}
          template:
            spec:
              containers:
              - name: step
                image: registry.example/step-%1$s:v${kernelNormalizedVersion}
        """;

    @Override
    public PluginDescriptor descriptor() {
        return PluginDescriptor.of("fleet", "1.0.0", "Example");
    }

    @Override
    public StateGraph states(RecipeContext context) {
        State[] chain = new State[states];
        for (int i = 0; i < states; i++) {
            chain[i] = State.builder()
                    .id("%04d-step".formatted(i * STEP))
                    .reach(Reach.nodeByNode())
                    .addManifests(ManifestTemplate.text("step.yaml", DAEMON_SET.formatted(i)))
                    .build();
        }
        return StateGraph.chain(chain);
    }
}
