package dev.sro.testkit.vendors;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.ConfigConverter;
import dev.sro.api.ConfigValidator;
import dev.sro.api.DeviceMatcher;
import dev.sro.api.LifecycleHook;
import dev.sro.api.NodeFacts;
import dev.sro.api.Outcome;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.api.RecipeContext;
import dev.sro.api.StateGraph;
import dev.sro.api.device.CdiMount;
import dev.sro.api.device.CdiNode;
import dev.sro.api.device.CdiSpec;
import dev.sro.api.device.ContainerEdits;
import dev.sro.api.device.Exposure;
import dev.sro.api.device.ResourceExposure;
import dev.sro.api.device.RuntimeConfiguration;
import dev.sro.api.device.RuntimeHook;
import dev.sro.api.device.Sharing;
import dev.sro.api.driver.HostFile;
import dev.sro.api.driver.KernelModule;
import dev.sro.api.driver.LoadExecutor;
import dev.sro.api.driver.LoadPlan;
import dev.sro.api.driver.LoadPlanner;
import dev.sro.api.driver.SoftDependency;
import dev.sro.api.operation.PodUse;
import dev.sro.api.operation.UpgradePolicy;
import dev.sro.api.operation.UpgradeStrategy;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Two modules in strict order, unloaded in reverse; user-space files on the host; the device plugin is changed before the
 * modules, one node at a time, and only users of the resource go; parameters of the control plane; short names.
 */
public final class OnloadPlugin
        implements AcceleratorPlugin,
                ConfigValidator,
                ConfigConverter,
                DeviceMatcher,
                LoadPlanner,
                RuntimeHook,
                ResourceExposure,
                LifecycleHook,
                UpgradePolicy {

    /** The device plugin's socket has the name in its path, which a socket has 108 bytes for. */
    private static final int LONGEST_NAME = 39;

    private static final String RESOURCE = "amd.com/onload";

    static final String IN_USE = "onload.amd.com/in-use";

    @Override
    public PluginDescriptor descriptor() {
        return PluginDescriptor.builder()
                .name("onload")
                .version("3.0.0")
                .vendor("AMD Solarflare")
                .addOperandResources("configmaps", "serviceaccounts", "daemonsets.apps")
                .putDefaultConfig("maxPodsPerNode", 100)
                .putDefaultConfig("controlPlane", List.of("-K"))
                .build();
    }

    /** The setting was called {@code pods} before version 3. */
    @Override
    public Map<String, Object> convertConfig(Map<String, Object> config) {
        if (!config.containsKey("pods")) {
            return config;
        }
        Map<String, Object> converted = new HashMap<>(config);
        converted.put("maxPodsPerNode", converted.remove("pods"));
        return converted;
    }

    @Override
    public List<Problem> validate(RecipeContext context) {
        return context.name().length() <= LONGEST_NAME
                ? List.of()
                : List.of(Problem.user(
                        "OnloadNameTooLong",
                        "metadata.name: at most " + LONGEST_NAME + " characters; choose a shorter one"));
    }

    @Override
    public StateGraph states(RecipeContext context) {
        return StateGraph.chain(
                Vendors.driver("1000-modules").build(),
                Vendors.operand(
                                "2000-device-plugin",
                                "device-plugin",
                                "registry.example/onload/device-plugin:3.0",
                                Map.of())
                        .build());
    }

    @Override
    public Map<String, Object> variables(RecipeContext context, Pool pool) {
        return Map.of("driverImage", "registry.example/onload/modules:3.0-" + pool.kernelLabel());
    }

    @Override
    public Presence match(NodeFacts node, RecipeContext context) {
        return node.pciDevices().stream().anyMatch(device -> device.isOf("1924") || device.isOf("10ee"))
                ? Presence.PRESENT
                : Presence.ABSENT;
    }

    @Override
    public LoadPlan loadPlan(RecipeContext context, Pool pool) {
        return LoadPlan.builder()
                .executor(LoadExecutor.OWN_STATES)
                .addInTreeToRemove("sfc")
                .addModules(
                        KernelModule.of("sfc"),
                        KernelModule.builder()
                                .name("onload")
                                .addParameters("oof_all_ports_required=0")
                                .build())
                .addSoftDependencies(new SoftDependency("onload", List.of("sfc_resource"), List.of()))
                .addHostFiles(
                        new HostFile("/opt/onload", "/opt/onload", true),
                        new HostFile("/opt/onload/sbin/onload_cp_server", "/opt/onload/sbin/onload_cp_server", true))
                .build();
    }

    @Override
    public RuntimeConfiguration runtime(NodeFacts node, RecipeContext context) {
        return RuntimeConfiguration.builder()
                .addCdi(CdiSpec.builder()
                        .kind("amd.com/onload")
                        .putDevices(
                                "all",
                                ContainerEdits.builder()
                                        .addNodes(CdiNode.of("/dev/onload"), CdiNode.of("/dev/sfc_char"))
                                        .addMounts(CdiMount.readOnly("/usr/lib64/libonload.so"))
                                        .putEnvironment("LD_PRELOAD", "/usr/lib64/libonload.so")
                                        .build())
                        .build())
                .build();
    }

    @Override
    public Exposure exposure(RecipeContext context) {
        int pods = context.config().get("maxPodsPerNode") instanceof Number number ? number.intValue() : 100;
        return Exposure.builder()
                .mode(Exposure.Mode.DEVICE_PLUGIN)
                .addResourceNames(RESOURCE)
                .sharing(new Sharing("max-pods-per-node", pods))
                .build();
    }

    @Override
    public UpgradeStrategy upgradeStrategy(RecipeContext context) {
        return UpgradeStrategy.builder()
                .maxParallel(1)
                .evict(UpgradeStrategy.Evict.DEVICE_USERS)
                .build();
    }

    /** The device plugin writes onto its own DaemonSet whether there are pods with the device. */
    @Override
    public Outcome beforeDelete(GenericKubernetesResource live, Place place, Instant now) {
        return "true".equals(live.getMetadata().getAnnotations().get(IN_USE))
                ? Outcome.waiting(
                        "OnloadInUse",
                        now,
                        live.getKind() + " " + live.getMetadata().getName() + " serves pods with " + RESOURCE)
                : Outcome.ready();
    }

    @Override
    public boolean usesDevice(PodUse pod) {
        return pod.resources().containsKey(RESOURCE);
    }
}
