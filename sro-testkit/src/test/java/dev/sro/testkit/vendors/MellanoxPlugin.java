package dev.sro.testkit.vendors;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.ConflictRule;
import dev.sro.api.DeviceMatcher;
import dev.sro.api.NodeFacts;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.Pool;
import dev.sro.api.PoolKeyProvider;
import dev.sro.api.Problem;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.api.driver.ImageCandidate;
import dev.sro.api.driver.ImageCandidates;
import dev.sro.api.driver.ImageResolver;
import dev.sro.api.driver.KernelModule;
import dev.sro.api.driver.LoadExecutor;
import dev.sro.api.driver.LoadPlan;
import dev.sro.api.driver.LoadPlanner;
import dev.sro.api.operation.PodUse;
import dev.sro.api.operation.UpgradePolicy;
import dev.sro.api.operation.UpgradeStrategy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A pool is a system and a kernel, always; the registry is polled and the driver compiled where it has none; a freshly booted
 * driver waits for permission; states of the cluster gate those of nodes; drains are delegated; several kinds share a node.
 */
public final class MellanoxPlugin
        implements AcceleratorPlugin,
                DeviceMatcher,
                PoolKeyProvider,
                ConflictRule,
                ImageResolver,
                LoadPlanner,
                UpgradePolicy {

    private static final String IMAGE = "registry.example/mellanox/doca-driver:";

    @Override
    public PluginDescriptor descriptor() {
        return PluginDescriptor.builder()
                .name("mellanox")
                .version("1.0.0")
                .vendor("NVIDIA Networking")
                .addOperandResources("serviceaccounts", "daemonsets.apps", "runtimeclasses.node.k8s.io")
                .putDefaultConfig("version", "25.07")
                .addOptionalCrds("nodemaintenances.maintenance.nvidia.com")
                .build();
    }

    /** The network of the cluster comes first; then the driver; then what uses it, side by side. */
    @Override
    public StateGraph states(RecipeContext context) {
        State network = State.builder()
                .id("0100-cluster-network")
                .scope(State.Scope.CLUSTER)
                .addManifests(Vendors.manifest("runtime-class.yaml"))
                .build();
        return StateGraph.of(List.of(
                network,
                Vendors.driver("0200-ofed").addAfter("0100-cluster-network").build(),
                user("0300", "rdma-device-plugin"),
                user("0400", "sriov-device-plugin"),
                user("0500", "ipoib-cni")));
    }

    private static State user(String number, String name) {
        return Vendors.operand(number + "-" + name, name, "registry.example/mellanox/" + name + ":1.0", Map.of())
                .addAfter("0200-ofed")
                .build();
    }

    @Override
    public Map<String, Object> variables(RecipeContext context, Pool pool) {
        return Map.of("driverImage", IMAGE + context.config().get("version") + "-" + tag(pool));
    }

    private static String tag(Pool pool) {
        return Vendors.osTag(pool) + "-" + pool.architecture();
    }

    @Override
    public Presence match(NodeFacts node, RecipeContext context) {
        return node.pciDevices().stream().anyMatch(device -> device.isOf("15b3")) ? Presence.PRESENT : Presence.UNKNOWN;
    }

    @Override
    public Map<String, String> poolKey(NodeFacts node, RecipeContext context) {
        return Map.of("system", node.os().toString());
    }

    @Override
    public Optional<Problem> conflict(RecipeContext mine, RecipeContext other, NodeFacts node) {
        boolean same = mine.name().equals(other.name());
        return same
                ? Optional.empty()
                : Optional.of(Problem.user(
                        "MellanoxOverlap", "node " + node.name() + " is in " + mine.name() + " and " + other.name()));
    }

    @Override
    public ImageCandidates images(RecipeContext context, Pool pool) {
        if (pool.os().version().isEmpty()) {
            return ImageCandidates.none(Problem.platform("MellanoxUnknownSystem", "no driver for " + pool.os()));
        }
        Object version = context.config().get("version");
        return ImageCandidates.builder()
                .addCandidates(
                        ImageCandidate.of(
                                ImageCandidate.Kind.PREBUILT,
                                IMAGE + version + "-" + pool.kernelLabel() + "-" + tag(pool)),
                        ImageCandidate.of(ImageCandidate.Kind.COMPILE_ON_NODE, IMAGE + version + "-" + tag(pool)))
                .pollEvery(Duration.ofMinutes(1))
                .build();
    }

    @Override
    public LoadPlan loadPlan(RecipeContext context, Pool pool) {
        return LoadPlan.builder()
                .executor(LoadExecutor.OWN_STATES)
                .addInTreeToRemove("mlx5_ib", "mlx5_core")
                .addModules(KernelModule.of("mlx_compat"), KernelModule.of("mlx5_core"), KernelModule.of("mlx5_ib"))
                .build();
    }

    @Override
    public UpgradeStrategy upgradeStrategy(RecipeContext context) {
        return UpgradeStrategy.builder()
                .safeLoadAnnotation("nvidia.com/ofed-driver-upgrade.driver-wait-for-safe-load")
                .delegateTo("maintenance.nvidia.com/v1alpha1/NodeMaintenance")
                .maxParallel(4)
                .build();
    }

    @Override
    public boolean usesDevice(PodUse pod) {
        return pod.resources().keySet().stream().anyMatch(name -> name.startsWith("nvidia.com/rdma"));
    }
}
