package dev.sro.plugins.solarflare;

import com.google.auto.service.AutoService;
import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.BarrierWait;
import dev.sro.api.ConfigValidator;
import dev.sro.api.DeviceMatcher;
import dev.sro.api.NodeFacts;
import dev.sro.api.PciDevice;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.api.RecipeContext;
import dev.sro.api.StateGraph;
import dev.sro.api.device.CdiMount;
import dev.sro.api.device.CdiNode;
import dev.sro.api.device.CdiSpec;
import dev.sro.api.device.ContainerEdits;
import dev.sro.api.device.RuntimeConfiguration;
import dev.sro.api.device.RuntimeHook;
import dev.sro.api.driver.BuildPlan;
import dev.sro.api.driver.BuildPlanner;
import dev.sro.api.driver.ImageCandidate;
import dev.sro.api.driver.ImageCandidates;
import dev.sro.api.driver.ImageResolver;
import dev.sro.api.driver.LoadPlan;
import dev.sro.api.driver.LoadPlanner;
import dev.sro.api.operation.PodUse;
import dev.sro.api.operation.UpgradePolicy;
import dev.sro.api.operation.UpgradeStrategy;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Onload on Solarflare adapters: modules, user-space files, device plugin, container runtimes, PTP, profiles. Stateless. */
@AutoService(AcceleratorPlugin.class)
public final class OnloadPlugin
        implements AcceleratorPlugin,
                ConfigValidator,
                DeviceMatcher,
                ImageResolver,
                BuildPlanner,
                LoadPlanner,
                RuntimeHook,
                UpgradePolicy {

    /** As with the Onload operator, whose objects get longer names. */
    private static final int LONGEST_NAME = 39;

    private static final String SOLARFLARE = "1924";

    /** Its adapters after Solarflare became a part of it; it makes other devices, too. */
    private static final String XILINX = "10ee";

    private static final String ETHERNET = "0200";

    private static final List<String> BIND = List.of("ro", "nosuid", "nodev", "bind");

    @Override
    public PluginDescriptor descriptor() {
        return PluginDescriptor.builder()
                .name("solarflare-onload")
                .version("0.1.0")
                .vendor("AMD Solarflare")
                .addOperandResources(
                        "configmaps",
                        "serviceaccounts",
                        "daemonsets.apps",
                        "nodefeaturerules.nfd.k8s-sigs.io",
                        "roles.rbac.authorization.k8s.io",
                        "rolebindings.rbac.authorization.k8s.io")
                .addOptionalCrds("nodefeaturerules.nfd.k8s-sigs.io")
                .addRbacRules(new PolicyRuleBuilder()
                        .withApiGroups("security.openshift.io")
                        .withResources("securitycontextconstraints")
                        .withResourceNames("privileged")
                        .withVerbs("use")
                        .build())
                .build();
    }

    private static OnloadConfig config(RecipeContext context) {
        ConfigReader.Result result = ConfigReader.read(context.config());
        return result.config().orElseThrow(() -> new IllegalArgumentException(String.join("; ", result.errors())));
    }

    @Override
    public List<Problem> validate(RecipeContext context) {
        List<Problem> problems = new ArrayList<>();
        ConfigReader.read(context.config())
                .errors()
                .forEach(error -> problems.add(Problem.user("InvalidOnloadConfig", error)));
        if (context.name().length() > LONGEST_NAME) {
            problems.add(Problem.user(
                    "OnloadNameTooLong",
                    "metadata.name: \"" + context.name() + "\" has "
                            + context.name().length() + " characters, " + LONGEST_NAME
                            + " are possible; choose a shorter one"));
        }
        return problems;
    }

    @Override
    public StateGraph states(RecipeContext context) {
        return OnloadStates.create(context, config(context));
    }

    /** The files of a pool wait for the modules of that pool. */
    @Override
    public Map<String, Object> variables(RecipeContext context, Pool pool) {
        OnloadConfig config = config(context);
        BarrierWait wait = Barriers.forOwnModules(context, config, pool);
        return Map.of(
                "waitForModules",
                wait.container(),
                "moduleBarriers",
                wait.hostPath(),
                "modulesIdentity",
                OnloadDriver.identity(config, pool));
    }

    @Override
    public Presence match(NodeFacts node, RecipeContext context) {
        return node.pciDevices().stream().anyMatch(OnloadPlugin::isAdapter) ? Presence.PRESENT : Presence.ABSENT;
    }

    /**
     * A label without the class has the vendor in front. Of Xilinx' devices only network adapters count, unless the label does not
     * say what it is.
     */
    private static boolean isAdapter(PciDevice device) {
        boolean network =
                device.deviceClass().equals(ETHERNET) || device.deviceClass().isEmpty();
        return (device.isOf(SOLARFLARE) && network)
                || device.deviceClass().equals(SOLARFLARE)
                || (device.isOf(XILINX) && network)
                || device.deviceClass().equals(XILINX);
    }

    @Override
    public ImageCandidates images(RecipeContext context, Pool pool) {
        return OnloadDriver.images(config(context), pool);
    }

    @Override
    public Optional<BuildPlan> buildPlan(RecipeContext context, Pool pool, ImageCandidate image) {
        return OnloadDriver.buildPlan(config(context), context, pool, image);
    }

    @Override
    public LoadPlan loadPlan(RecipeContext context, Pool pool) {
        return OnloadDriver.loadPlan(context, config(context), pool);
    }

    @Override
    public RuntimeConfiguration runtime(NodeFacts node, RecipeContext context) {
        OnloadConfig config = config(context);
        RuntimeConfiguration.Builder runtime = RuntimeConfiguration.builder();
        if (config.cdi()) {
            runtime.addCdi(cdi(config.devicePlugin()));
        }
        config.decoration().ifPresent(runtime::addDecorations);
        return runtime.build();
    }

    /** The same as the device plugin gives. */
    private static CdiSpec cdi(OnloadConfig.DevicePlugin plugin) {
        ContainerEdits.Builder edits = ContainerEdits.builder()
                .addNodes(CdiNode.of("/dev/onload"), CdiNode.of("/dev/onload_epoll"), CdiNode.of("/dev/sfc_char"))
                .addMounts(new CdiMount(plugin.hostPath() + "/usr/lib64/libonload.so", plugin.library(), BIND));
        if (plugin.setPreload()) {
            edits.putEnvironment("LD_PRELOAD", plugin.library());
        }
        if (plugin.mountOnload()) {
            edits.addMounts(new CdiMount(
                    plugin.hostPath() + "/usr/bin/onload", plugin.basePath() + plugin.binPath() + "/onload", BIND));
        }
        return CdiSpec.builder()
                .kind(plugin.resource())
                .putDevices("all", edits.build())
                .build();
    }

    /** One node at a time unless {@code spec.upgradePolicy} says otherwise, and only users of Onload have to go. */
    @Override
    public UpgradeStrategy upgradeStrategy(RecipeContext context) {
        return UpgradeStrategy.builder()
                .maxParallel(1)
                .evict(UpgradeStrategy.Evict.DEVICE_USERS)
                .validateBefore(List.of("2000-device-plugin"))
                .build();
    }

    @Override
    public boolean usesDevice(PodUse pod) {
        return pod.resources().containsKey(OnloadConfig.RESOURCE);
    }

    @Override
    public boolean usesDevice(PodUse pod, RecipeContext context) {
        return pod.resources().containsKey(config(context).devicePlugin().resource());
    }
}
