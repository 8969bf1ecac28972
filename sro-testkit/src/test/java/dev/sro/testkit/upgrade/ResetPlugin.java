package dev.sro.testkit.upgrade;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.Reach;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.api.operation.DeviceResets;
import dev.sro.api.operation.PodUse;
import dev.sro.api.operation.UpgradePolicy;
import dev.sro.api.operation.UpgradeStrategy;

/** A driver, the agent that resets devices, a monitor that holds them open, and a validation behind labels. */
final class ResetPlugin implements AcceleratorPlugin, UpgradePolicy {

    static final DeviceResets RESETS = by("2000-agent");

    private final DeviceResets resets;

    ResetPlugin() {
        this(RESETS);
    }

    ResetPlugin(DeviceResets resets) {
        this.resets = resets;
    }

    /** The same annotations, and another state that does it. */
    static DeviceResets by(String state) {
        return new DeviceResets(
                "agent.example/reset-needed", "agent.example/reset", "agent.example/reset-failed", state);
    }

    @Override
    public PluginDescriptor descriptor() {
        return PluginDescriptor.of("gpu", "1.0.0", "Example");
    }

    private static State state(String id, Reach reach, String name, String tag) {
        String text = """
            apiVersion: apps/v1
            kind: DaemonSet
            metadata:
              name: gpu-%1$s
              annotations: {specialresource.openshift.io/kernel-affine: "true", sro.dev/driver: "%2$s"}
            spec:
              template:
                spec:
                  containers:
                  - name: main
                    image: registry.example/%1$s:%3$s
            """.formatted(name, name.equals("driver"), tag);
        return State.builder()
                .id(id)
                .reach(reach)
                .addManifests(ManifestTemplate.text(name + ".yaml", text))
                .build();
    }

    @Override
    public StateGraph states(RecipeContext context) {
        return StateGraph.chain(
                state("1000-driver", Reach.nodeByNode(), "driver", "${specialresource.spec.set.version}"),
                state("2000-agent", Reach.ownBarrier().leavingWithDriver(), "agent", "1"),
                state("3000-monitor", Reach.ownBarrier().leavingWithDriver(), "monitor", "1"),
                state("4000-validation", Reach.nodeByNode(), "validation", "1"));
    }

    @Override
    public UpgradeStrategy upgradeStrategy(RecipeContext context) {
        return UpgradeStrategy.builder()
                .addValidateBefore("4000-validation")
                .deviceResets(resets)
                .build();
    }

    @Override
    public boolean usesDevice(PodUse pod) {
        return pod.resources().getOrDefault("example.com/gpu", "").equals("1");
    }
}
