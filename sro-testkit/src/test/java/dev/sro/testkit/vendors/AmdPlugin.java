package dev.sro.testkit.vendors;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.DeviceMatcher;
import dev.sro.api.NodeClassifier;
import dev.sro.api.NodeFacts;
import dev.sro.api.Outcome;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.api.ReadinessProbe;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.api.driver.BuildPlan;
import dev.sro.api.driver.BuildPlanner;
import dev.sro.api.driver.ImageCandidate;
import dev.sro.api.driver.ImageCandidates;
import dev.sro.api.driver.ImageResolver;
import dev.sro.api.driver.KernelModule;
import dev.sro.api.driver.LoadExecutor;
import dev.sro.api.driver.LoadPlan;
import dev.sro.api.driver.LoadPlanner;
import dev.sro.api.driver.SignPlan;
import dev.sro.api.operation.DriverSet;
import dev.sro.api.operation.NodeTaint;
import dev.sro.api.operation.PodUse;
import dev.sro.api.operation.Scheduling;
import dev.sro.api.operation.SchedulingPolicy;
import dev.sro.api.operation.UpgradeAction;
import dev.sro.api.operation.UpgradePolicy;
import dev.sro.api.operation.UpgradeStrategy;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Kernel Module Management loads; a reboot is part of an upgrade; Dockerfiles by operating system; partitions by compute and
 * memory mode behind a taint; a remediation workflow; whole devices for virtual machines.
 */
public final class AmdPlugin
        implements AcceleratorPlugin,
                DeviceMatcher,
                NodeClassifier,
                ReadinessProbe,
                ImageResolver,
                BuildPlanner,
                LoadPlanner,
                SchedulingPolicy,
                UpgradePolicy {

    private static final String IMAGE = "registry.example/amd/driver:";

    @Override
    public PluginDescriptor descriptor() {
        return PluginDescriptor.builder()
                .name("amd")
                .version("1.0.0")
                .vendor("AMD")
                .addOperandResources("daemonsets.apps", "modules.kmm.sigs.x-k8s.io")
                .putDefaultConfig("version", "6.4")
                .addRequiredCrds("modules.kmm.sigs.x-k8s.io")
                .addOptionalCrds("workflows.argoproj.io")
                .build();
    }

    @Override
    public StateGraph states(RecipeContext context) {
        return StateGraph.of(List.of(
                State.of("1000-module", Vendors.manifest("kmm-module.yaml")),
                Vendors.operand(
                                "2000-device-plugin",
                                "device-plugin",
                                "registry.example/amd/device-plugin:1.0",
                                Map.of("amd.com/gpu.mode", "container"))
                        .addAfter("1000-module")
                        .build(),
                Vendors.operand(
                                "2100-node-labeller",
                                "node-labeller",
                                "registry.example/amd/labeller:1.0",
                                Map.of("amd.com/gpu.mode", "container"))
                        .addAfter("1000-module")
                        .build()));
    }

    @Override
    public Map<String, Object> variables(RecipeContext context, Pool pool) {
        return Map.of("driverImage", image(context, pool));
    }

    private static String image(RecipeContext context, Pool pool) {
        String os = pool.os().id() + "-" + pool.os().version();
        return IMAGE + os + "-" + pool.kernelLabel() + "-" + context.config().get("version");
    }

    @Override
    public Presence match(NodeFacts node, RecipeContext context) {
        return node.pciDevices().stream().anyMatch(device -> device.isOf("1002")) ? Presence.PRESENT : Presence.ABSENT;
    }

    @Override
    public Map<String, String> nodeLabels(NodeFacts node, RecipeContext context) {
        boolean functions = node.labels().containsKey("amd.com/gpu.passthrough");
        return Map.of("amd.com/gpu.mode", functions ? "pf-passthrough" : "container");
    }

    /** A Module says how many nodes have it, not whether it is ready. */
    @Override
    public Optional<Outcome> probe(GenericKubernetesResource live, State state, Instant now) {
        if (!"Module".equals(live.getKind())) {
            return Optional.empty();
        }
        int desired = number(live, "desiredNumber");
        int available = number(live, "availableNumber");
        return Optional.of(
                desired > 0 && available >= desired
                        ? Outcome.ready()
                        : Outcome.waiting(
                                "AmdModuleLoading",
                                now,
                                "Module " + live.getMetadata().getName() + ": " + available + " of " + desired
                                        + " nodes have it"));
    }

    private static int number(GenericKubernetesResource live, String field) {
        Object number = live.get("status", "moduleLoader", field);
        return number instanceof Number value ? value.intValue() : 0;
    }

    @Override
    public ImageCandidates images(RecipeContext context, Pool pool) {
        return pool.os().version().isEmpty()
                ? ImageCandidates.none(Problem.platform("AmdUnknownSystem", "no driver for " + pool.os()))
                : ImageCandidates.of(ImageCandidate.of(ImageCandidate.Kind.BUILD, image(context, pool)));
    }

    @Override
    public Optional<BuildPlan> buildPlan(RecipeContext context, Pool pool, ImageCandidate image) {
        boolean red = pool.os().id().startsWith("rh");
        BuildPlan.Builder plan = BuildPlan.builder();
        plan.dockerfile(
                        red
                                ? "FROM $DTK\nRUN dnf install -y amdgpu-dkms"
                                : "FROM ubuntu\nRUN apt-get install amdgpu-dkms")
                .putArguments("DRIVERS_VERSION", String.valueOf(context.config().get("version")))
                .driverToolkit(red)
                .pushTo(image.reference());
        return Optional.of(plan.build());
    }

    @Override
    public Optional<SignPlan> signPlan(RecipeContext context, Pool pool, ImageCandidate image) {
        return Optional.of(SignPlan.builder()
                .unsignedImage(image.reference())
                .signedImage(image.reference() + "-signed")
                .addFiles("/opt/lib/modules/" + pool.kernel() + "/updates/dkms/amdgpu.ko")
                .keySecret("secure-boot-key")
                .certSecret("secure-boot-cert")
                .build());
    }

    @Override
    public LoadPlan loadPlan(RecipeContext context, Pool pool) {
        return LoadPlan.builder()
                .executor(LoadExecutor.OWN_STATES)
                .addModules(KernelModule.of("amdgpu"))
                .addBlacklist("amdgpu")
                .firmwareSource("/firmware")
                .build();
    }

    @Override
    public Scheduling scheduling(RecipeContext context) {
        return Scheduling.builder()
                .addTaints(new NodeTaint("amd.com/dcm", "up", NodeTaint.Effect.NO_EXECUTE))
                .build();
    }

    @Override
    public UpgradeStrategy upgradeStrategy(RecipeContext context) {
        return UpgradeStrategy.builder().evict(UpgradeStrategy.Evict.EVERYBODY).build();
    }

    @Override
    public UpgradeAction upgradeAction(DriverSet running, DriverSet desired, NodeFacts node) {
        return running.equals(desired) ? UpgradeAction.NONE : UpgradeAction.REBOOT;
    }

    @Override
    public boolean usesDevice(PodUse pod) {
        return pod.resources().containsKey("amd.com/gpu");
    }
}
