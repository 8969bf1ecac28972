package dev.sro.runtime.demo;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.Reach;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.api.operation.PodUse;
import dev.sro.api.operation.UpgradePolicy;
import dev.sro.api.operation.UpgradeStrategy;
import java.util.List;

/** A recipe for the upgrade scenario: a driver and a validation per kernel and node. Stateless. */
final class DemoDriver implements AcceleratorPlugin, UpgradePolicy {

    static final String NAME = "demo-driver";

    /** Pods that ask for it use the device. */
    static final String RESOURCE = "example.com/device";

    private static final String DAEMON_SET = """
        apiVersion: apps/v1
        kind: DaemonSet
        metadata:
          name: ${name}-%s
          annotations: {specialresource.openshift.io/kernel-affine: "true"}
        spec:
          template:
            spec:
              containers:
              - name: main
                image: registry.example/%s
        """;

    @Override
    public PluginDescriptor descriptor() {
        return PluginDescriptor.of(NAME, "1.0.0", "Example");
    }

    @Override
    public StateGraph states(RecipeContext context) {
        return StateGraph.chain(
                state("1000-driver", DAEMON_SET.formatted("driver", "driver:${specialresource.spec.set.version}")),
                state("2000-validation", DAEMON_SET.formatted("validation", "validation:1")));
    }

    private static State state(String id, String manifest) {
        return State.builder()
                .id(id)
                .reach(Reach.nodeByNode())
                .addManifests(ManifestTemplate.text("daemonset.yaml", manifest))
                .build();
    }

    @Override
    public UpgradeStrategy upgradeStrategy(RecipeContext context) {
        return UpgradeStrategy.builder()
                .validateBefore(List.of("2000-validation"))
                .build();
    }

    @Override
    public boolean usesDevice(PodUse pod) {
        return pod.resources().containsKey(RESOURCE);
    }
}
