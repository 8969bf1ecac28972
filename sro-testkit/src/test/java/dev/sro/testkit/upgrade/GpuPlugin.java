package dev.sro.testkit.upgrade;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.NodeFacts;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.Problem;
import dev.sro.api.Reach;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.api.operation.DriverSet;
import dev.sro.api.operation.PodUse;
import dev.sro.api.operation.UpgradeAction;
import dev.sro.api.operation.UpgradePolicy;
import dev.sro.api.operation.UpgradeStrategy;
import java.util.Optional;

/** A driver and a validation per node; pods that ask for example.com/gpu, or have a claim of gpu.example.com, use the device. */
public final class GpuPlugin implements AcceleratorPlugin, UpgradePolicy {

    private static final String DRIVER = """
        apiVersion: apps/v1
        kind: DaemonSet
        metadata:
          name: ${name}-driver
          annotations: {specialresource.openshift.io/kernel-affine: "true"}
        spec:
          template:
            metadata:
              annotations: {sro.dev/driver-digest: "${specialresource.spec.set.digest}"}
            spec:
              containers:
              - name: driver
                image: registry.example/driver:${specialresource.spec.set.version}
        """;

    private static final String VALIDATE = """
        apiVersion: apps/v1
        kind: DaemonSet
        metadata:
          name: ${name}-validation
          annotations: {specialresource.openshift.io/kernel-affine: "true"}
        spec:
          template:
            spec:
              containers:
              - name: validate
                image: registry.example/validate:1
        """;

    private final String name;
    private final UpgradeStrategy strategy;

    /** With a name and an order of steps of its own. */
    public GpuPlugin(String name, UpgradeStrategy strategy) {
        this.name = name;
        this.strategy = strategy;
    }

    @Override
    public PluginDescriptor descriptor() {
        return PluginDescriptor.of(name, "1.0.0", "Example");
    }

    @Override
    public StateGraph states(RecipeContext context) {
        return StateGraph.chain(
                State.builder()
                        .id("1000-driver")
                        .reach(Reach.nodeByNode())
                        .addManifests(ManifestTemplate.text("driver.yaml", DRIVER))
                        .build(),
                State.builder()
                        .id("2000-validation")
                        .reach(Reach.nodeByNode())
                        .addManifests(ManifestTemplate.text("validate.yaml", VALIDATE))
                        .build());
    }

    @Override
    public UpgradeStrategy upgradeStrategy(RecipeContext context) {
        return strategy;
    }

    @Override
    public boolean usesDevice(PodUse pod) {
        return pod.resources().containsKey("example.com/gpu")
                || pod.draDrivers().contains("gpu.example.com");
    }

    @Override
    public UpgradeAction upgradeAction(DriverSet running, DriverSet desired, NodeFacts node) {
        return desired.version().startsWith("boot") ? UpgradeAction.REBOOT : UpgradeAction.FULL;
    }

    @Override
    public Optional<Problem> incompatibility(DriverSet running, DriverSet desired) {
        return running.version().startsWith("9") && desired.version().startsWith("1")
                ? Optional.of(Problem.user("DriverDowngrade", "driver 9 cannot go back to driver 1"))
                : Optional.empty();
    }
}
