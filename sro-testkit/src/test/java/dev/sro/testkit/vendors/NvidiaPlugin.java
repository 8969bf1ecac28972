package dev.sro.testkit.vendors;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.DeviceMatcher;
import dev.sro.api.NodeClassifier;
import dev.sro.api.NodeFacts;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.Pool;
import dev.sro.api.PoolKeyProvider;
import dev.sro.api.Problem;
import dev.sro.api.ReadinessRule;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.api.device.CdiNode;
import dev.sro.api.device.CdiSpec;
import dev.sro.api.device.ContainerEdits;
import dev.sro.api.device.DeviceClassValue;
import dev.sro.api.device.Exposure;
import dev.sro.api.device.ResourceExposure;
import dev.sro.api.device.RuntimeConfiguration;
import dev.sro.api.device.RuntimeHook;
import dev.sro.api.driver.ImageCandidate;
import dev.sro.api.driver.ImageCandidates;
import dev.sro.api.driver.ImageResolver;
import dev.sro.api.driver.KernelModule;
import dev.sro.api.driver.LoadExecutor;
import dev.sro.api.driver.LoadPlan;
import dev.sro.api.driver.LoadPlanner;
import dev.sro.api.operation.DriverSet;
import dev.sro.api.operation.PodUse;
import dev.sro.api.operation.Scheduling;
import dev.sro.api.operation.SchedulingPolicy;
import dev.sro.api.operation.UpgradeAction;
import dev.sro.api.operation.UpgradePolicy;
import dev.sro.api.operation.UpgradeStrategy;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A long chain of states with a barrier on each node, three workload profiles, pools by operating system, precompiled or
 * compiled drivers, drivers of the host, restarts without a drain, CDI, and a device plugin or DRA.
 */
public final class NvidiaPlugin
        implements AcceleratorPlugin,
                DeviceMatcher,
                NodeClassifier,
                PoolKeyProvider,
                ImageResolver,
                LoadPlanner,
                RuntimeHook,
                ResourceExposure,
                UpgradePolicy,
                SchedulingPolicy {

    private static final String GPU = "nvidia.com/gpu";
    private static final String WORKLOAD = "nvidia.com/gpu.workload.config";
    private static final String DEPLOY = "nvidia.com/gpu.deploy.";
    private static final String REGISTRY = "registry.example/nvidia/";

    @Override
    public PluginDescriptor descriptor() {
        return PluginDescriptor.builder()
                .name("nvidia")
                .version("1.0.0")
                .vendor("NVIDIA")
                .addOperandResources("serviceaccounts", "configmaps", "daemonsets.apps", "runtimeclasses.node.k8s.io")
                .putDefaultConfig("version", "550.163.01")
                .putDefaultConfig("hostDriver", false)
                .putDefaultConfig("dra", false)
                .addRelatedImages(
                        REGISTRY + "container-toolkit:1.0",
                        REGISTRY + "dcgm-exporter:1.0",
                        REGISTRY + "device-plugin:1.0",
                        REGISTRY + "gpu-feature-discovery:1.0",
                        REGISTRY + "mig-manager:1.0",
                        REGISTRY + "operator-validator:1.0")
                .build();
    }

    @Override
    public StateGraph states(RecipeContext context) {
        State prerequisites = State.builder()
                .id("0100-prerequisites")
                .scope(State.Scope.CLUSTER)
                .build();
        return StateGraph.chain(
                prerequisites,
                Vendors.driver("0300-driver").build(),
                operand("0400", "container-toolkit").build(),
                operand("0500", "operator-validator").build(),
                operand("0600", "device-plugin")
                        .addReadiness(ReadinessRule.allocatable(GPU, 1))
                        .build(),
                operand("0900", "dcgm-exporter").build(),
                operand("1000", "gpu-feature-discovery").build(),
                operand("1100", "mig-manager")
                        .addReadiness(ReadinessRule.nodeLabel("nvidia.com/mig.config.state", "success"))
                        .build());
    }

    private static State.Builder operand(String number, String name) {
        return Vendors.operand(number + "-" + name, name, REGISTRY + name + ":1.0", Map.of(DEPLOY + name, "true"));
    }

    @Override
    public Map<String, Object> variables(RecipeContext context, Pool pool) {
        List<ImageCandidate> candidates = images(context, pool).candidates();
        return Map.of(
                "driverImage",
                candidates.isEmpty() ? REGISTRY + "none:1.0" : candidates.get(0).reference());
    }

    @Override
    public Presence match(NodeFacts node, RecipeContext context) {
        boolean present = node.pciDevices().stream()
                .anyMatch(device -> device.isOf("10de") && !device.deviceClass().startsWith("0c03"));
        return present ? Presence.PRESENT : Presence.ABSENT;
    }

    private static boolean isForContainers(NodeFacts node) {
        return "container".equals(node.labels().getOrDefault(WORKLOAD, "container"));
    }

    /** Which operands run on a node follows from its workload; an administrator's label is stronger. */
    @Override
    public Map<String, String> nodeLabels(NodeFacts node, RecipeContext context) {
        String deploy = String.valueOf(isForContainers(node));
        return Map.of(
                "nvidia.com/gpu.present",
                "true",
                DEPLOY + "container-toolkit",
                deploy,
                DEPLOY + "operator-validator",
                deploy,
                DEPLOY + "device-plugin",
                deploy,
                DEPLOY + "dcgm-exporter",
                deploy,
                DEPLOY + "gpu-feature-discovery",
                deploy,
                DEPLOY + "mig-manager",
                deploy);
    }

    @Override
    public Map<String, String> poolKey(NodeFacts node, RecipeContext context) {
        return Map.of("workload", node.labels().getOrDefault(WORKLOAD, "container"));
    }

    @Override
    public ImageCandidates images(RecipeContext context, Pool pool) {
        if (Boolean.TRUE.equals(context.config().get("hostDriver"))) {
            return ImageCandidates.none(Problem.user("NvidiaHostDriver", "the host brings the driver"));
        }
        if (pool.os().version().isEmpty()) {
            return ImageCandidates.none(Problem.platform(
                    "NvidiaUnknownSystem", "there is no driver for " + pool.os().id()));
        }
        String version = String.valueOf(context.config().get("version"));
        String tag = Vendors.osTag(pool);
        return ImageCandidates.of(
                ImageCandidate.of(
                        ImageCandidate.Kind.PREBUILT,
                        REGISTRY + "driver:" + version + "-" + pool.kernelLabel() + "-" + tag),
                ImageCandidate.of(ImageCandidate.Kind.COMPILE_ON_NODE, REGISTRY + "driver:" + version + "-" + tag));
    }

    @Override
    public LoadPlan loadPlan(RecipeContext context, Pool pool) {
        return Boolean.TRUE.equals(context.config().get("hostDriver"))
                ? LoadPlan.hostProvided()
                : LoadPlan.builder()
                        .executor(LoadExecutor.OWN_STATES)
                        .addBlacklist("nouveau")
                        .addModules(
                                KernelModule.of("nvidia", "NVreg_EnableGpuFirmware=1"),
                                KernelModule.of("nvidia_uvm"),
                                KernelModule.of("nvidia_modeset"))
                        .build();
    }

    @Override
    public RuntimeConfiguration runtime(NodeFacts node, RecipeContext context) {
        if (!isForContainers(node)) {
            return RuntimeConfiguration.builder().build();
        }
        return RuntimeConfiguration.builder()
                .putRuntimeClasses("nvidia", "nvidia")
                .addCdi(CdiSpec.builder()
                        .kind("nvidia.com/gpu")
                        .putDevices(
                                "all",
                                ContainerEdits.builder()
                                        .addNodes(CdiNode.of("/dev/nvidiactl"), CdiNode.of("/dev/nvidia0"))
                                        .putEnvironment("NVIDIA_VISIBLE_DEVICES", "void")
                                        .build())
                        .build())
                .build();
    }

    @Override
    public Exposure exposure(RecipeContext context) {
        return Boolean.TRUE.equals(context.config().get("dra"))
                ? Exposure.builder()
                        .mode(Exposure.Mode.DRA)
                        .draDriver("gpu.nvidia.com")
                        .addDeviceClasses(new DeviceClassValue(
                                "gpu.nvidia.com", List.of("device.driver == 'gpu.nvidia.com'"), Optional.of(GPU)))
                        .build()
                : Exposure.devicePlugin(GPU, "nvidia.com/mig-1g.5gb");
    }

    @Override
    public UpgradeStrategy upgradeStrategy(RecipeContext context) {
        return UpgradeStrategy.builder()
                .skipLabel("nvidia.com/gpu-driver-upgrade.skip")
                .addValidateBefore("0500-operator-validator")
                .build();
    }

    /** The same driver in another wrapping needs no drain. */
    @Override
    public UpgradeAction upgradeAction(DriverSet running, DriverSet desired, NodeFacts node) {
        if (running.equals(desired)) {
            return UpgradeAction.NONE;
        }
        boolean sameDriver = running.version().equals(desired.version())
                && running.kernel().equals(desired.kernel())
                && running.attributes().equals(desired.attributes());
        return sameDriver ? UpgradeAction.RESTART_ONLY : UpgradeAction.FULL;
    }

    @Override
    public boolean usesDevice(PodUse pod) {
        return pod.draDrivers().contains("gpu.nvidia.com")
                || pod.resources().keySet().stream()
                        .anyMatch(name -> name.startsWith(GPU) || name.startsWith("nvidia.com/mig-"));
    }

    @Override
    public Scheduling scheduling(RecipeContext context) {
        return Scheduling.builder()
                .addTolerations(new TolerationBuilder()
                        .withKey(GPU)
                        .withOperator("Exists")
                        .withEffect("NoSchedule")
                        .build())
                .build();
    }
}
