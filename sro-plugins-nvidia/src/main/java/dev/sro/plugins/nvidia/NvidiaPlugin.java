package dev.sro.plugins.nvidia;

import com.google.auto.service.AutoService;
import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.ConfigValidator;
import dev.sro.api.DeviceMatcher;
import dev.sro.api.ManifestHook;
import dev.sro.api.NodeClassifier;
import dev.sro.api.NodeFacts;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.Pool;
import dev.sro.api.PoolKeyProvider;
import dev.sro.api.Problem;
import dev.sro.api.RecipeContext;
import dev.sro.api.StateGraph;
import dev.sro.api.device.Exposure;
import dev.sro.api.device.Handover;
import dev.sro.api.device.ResourceExposure;
import dev.sro.api.driver.BuildPlan;
import dev.sro.api.driver.BuildPlanner;
import dev.sro.api.driver.ImageCandidate;
import dev.sro.api.driver.ImageCandidates;
import dev.sro.api.driver.ImageResolver;
import dev.sro.api.operation.DeviceResets;
import dev.sro.api.operation.DriverSet;
import dev.sro.api.operation.Monitoring;
import dev.sro.api.operation.Observability;
import dev.sro.api.operation.PodUse;
import dev.sro.api.operation.Scheduling;
import dev.sro.api.operation.SchedulingPolicy;
import dev.sro.api.operation.UpgradeAction;
import dev.sro.api.operation.UpgradePolicy;
import dev.sro.api.operation.UpgradeStrategy;
import dev.sro.plugins.nvidia.monitoring.NvidiaMonitoring;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * NVIDIA GPUs, from the driver to the MIG manager. Settings are those of NVIDIA's ClusterPolicy: see {@code config-fields.txt}.
 */
@AutoService(AcceleratorPlugin.class)
public final class NvidiaPlugin
        implements AcceleratorPlugin,
                ConfigValidator,
                DeviceMatcher,
                NodeClassifier,
                PoolKeyProvider,
                ManifestHook,
                ImageResolver,
                BuildPlanner,
                ResourceExposure,
                UpgradePolicy,
                SchedulingPolicy,
                Observability {

    private static final String VENDOR_ID = "10de";

    /** Display controllers; switches and audio devices of the vendor have other classes. */
    private static final String DISPLAY = "03";

    private static final String NFD = "feature.node.kubernetes.io/";

    @Override
    public PluginDescriptor descriptor() {
        return PluginDescriptor.builder()
                .name("nvidia-gpu")
                .version("0.1.0")
                .vendor("NVIDIA")
                .addOperandResources(
                        "configmaps",
                        "serviceaccounts",
                        "services",
                        "daemonsets.apps",
                        "runtimeclasses.node.k8s.io",
                        "deviceclasses.resource.k8s.io",
                        "resourceclaimtemplates.resource.k8s.io",
                        "roles.rbac.authorization.k8s.io",
                        "rolebindings.rbac.authorization.k8s.io",
                        "clusterroles.rbac.authorization.k8s.io",
                        "clusterrolebindings.rbac.authorization.k8s.io",
                        "validatingadmissionpolicies.admissionregistration.k8s.io",
                        "validatingadmissionpolicybindings.admissionregistration.k8s.io",
                        "servicemonitors.monitoring.coreos.com",
                        "prometheusrules.monitoring.coreos.com",
                        "grafanadashboards.grafana.integreatly.org")
                .addOptionalCrds(
                        "servicemonitors.monitoring.coreos.com",
                        "prometheusrules.monitoring.coreos.com",
                        "grafanadashboards.grafana.integreatly.org")
                .addAllRbacRules(Rules.all())
                .addAllRelatedImages(Catalogue.OWN.images())
                .build();
    }

    @Override
    public List<Problem> validate(RecipeContext context) {
        List<Problem> problems = new ArrayList<>(ConfigCheck.check(ConfigFields.OWN, context.config()));
        if (context.config().getOrDefault("monitoring", Map.of()) instanceof Map) {
            // That it is no map at all has been said.
            problems.addAll(NvidiaMonitoring.problems(context));
        }
        problems.addAll(Conflicts.find(context));
        problems.addAll(ImageCheck.check(new Settings(context)));
        return List.copyOf(problems);
    }

    @Override
    public StateGraph states(RecipeContext context) {
        return Recipe.create(context);
    }

    @Override
    public Map<String, Object> variables(RecipeContext context, Pool pool) {
        Catalogue.Entry vgpu = new Settings(context).image("vgpuManager");
        String system = DriverImages.system(context, pool);
        return Map.of(
                "vgpuManagerImage", vgpu.image().isEmpty() ? "" : vgpu.reference(system.isEmpty() ? "" : "-" + system));
    }

    /** A GPU, by any of the labels that Node Feature Discovery makes of one; unknown before it has labelled the node at all. */
    @Override
    public Presence match(NodeFacts node, RecipeContext context) {
        boolean present = node.pciDevices().stream()
                .anyMatch(device -> device.isOf(VENDOR_ID)
                        && (device.deviceClass().isEmpty()
                                || device.deviceClass().startsWith(DISPLAY)));
        if (present) {
            return Presence.PRESENT;
        }
        boolean labelled =
                !node.features().isEmpty() || node.labels().keySet().stream().anyMatch(key -> key.startsWith(NFD));
        return labelled ? Presence.ABSENT : Presence.UNKNOWN;
    }

    @Override
    public Map<String, String> nodeLabels(NodeFacts node, RecipeContext context) {
        return NodeLabels.derive(node, new Settings(context));
    }

    @Override
    public Map<String, String> labelsWithoutDevice(NodeFacts node, RecipeContext context) {
        return NodeLabels.withoutGpu(node);
    }

    @Override
    public Map<String, String> poolKey(NodeFacts node, RecipeContext context) {
        String release = node.labels().getOrDefault(NFD + "system-os_release.VERSION_ID", "");
        return node.os().id().equals("rhcos") && !release.isEmpty() ? Map.of(DriverImages.RELEASE, release) : Map.of();
    }

    @Override
    public Optional<GenericKubernetesResource> afterDecode(
            GenericKubernetesResource object, ManifestHook.Context context) {
        if (object.getKind().equals("DaemonSet")) {
            OperandHook.apply(object, context);
        }
        return Optional.of(object);
    }

    @Override
    public ImageCandidates images(RecipeContext context, Pool pool) {
        return DriverImages.choose(context, new Settings(context), pool);
    }

    @Override
    public Optional<BuildPlan> buildPlan(RecipeContext context, Pool pool, ImageCandidate image) {
        return Optional.of(DriverImages.build(context, new Settings(context), pool, image));
    }

    @Override
    public Exposure exposure(RecipeContext context) {
        return Exposures.choose(new Settings(context));
    }

    @Override
    public Optional<Handover> handover(NodeFacts node, RecipeContext context) {
        return NodeLabels.handover(node, new Settings(context));
    }

    @Override
    public UpgradeStrategy upgradeStrategy(RecipeContext context) {
        Settings settings = new Settings(context);
        return UpgradeStrategy.builder()
                .skipLabel(Labels.PREFIX + "gpu-driver-upgrade.skip")
                .validateBefore(settings.isDra() ? List.of() : List.of(Recipe.VALIDATION))
                .deviceResets(
                        settings.hasResets()
                                ? Optional.of(new DeviceResets(
                                        Labels.RESET_NEEDED, Labels.RESET, Labels.RESET_FAILED, Recipe.SLICES))
                                : Optional.empty())
                .build();
    }

    /** The same version for the same kernel in another wrapping needs no drain; SRO compares the digest of the settings itself. */
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
        return pod.draDrivers().contains(Labels.DRA_DRIVER)
                || pod.draDrivers().contains(Labels.SLICES_DRIVER)
                || pod.resources().keySet().stream()
                        .anyMatch(name -> name.startsWith(Labels.GPU) || name.startsWith(Labels.MIG));
    }

    @Override
    public Scheduling scheduling(RecipeContext context) {
        Scheduling.Builder scheduling = Scheduling.builder()
                .addTolerations(new TolerationBuilder()
                        .withKey(Labels.GPU)
                        .withOperator("Exists")
                        .withEffect("NoSchedule")
                        .build());
        new Settings(context).maps("daemonsets.tolerations").forEach(one -> scheduling.addTolerations(toleration(one)));
        return scheduling.build();
    }

    /** What watches the exporter of the monitoring state and the agents of slices; nothing of what there is none. */
    @Override
    public Monitoring monitoring(RecipeContext context) {
        Settings settings = new Settings(context);
        Monitoring.Builder monitoring = Monitoring.builder();
        if (settings.hasSlices()) {
            monitoring.from(NvidiaMonitoring.slices(context));
        }
        if (!settings.is("dcgmExporter.enabled")) {
            return monitoring.build();
        }
        monitoring.from(NvidiaMonitoring.create(context));
        if (!settings.is("dcgmExporter.serviceMonitor.enabled")) {
            monitoring.service(Optional.empty());
        }
        Durations.parse(settings.text("dcgmExporter.serviceMonitor.interval")).ifPresent(monitoring::interval);
        return monitoring.build();
    }

    private static Toleration toleration(Map<String, Object> one) {
        TolerationBuilder builder = new TolerationBuilder();
        one.forEach((key, value) -> {
            switch (key) {
                case "key" -> builder.withKey(String.valueOf(value));
                case "operator" -> builder.withOperator(String.valueOf(value));
                case "value" -> builder.withValue(String.valueOf(value));
                case "effect" -> builder.withEffect(String.valueOf(value));
                case "tolerationSeconds" ->
                    builder.withTolerationSeconds(value instanceof Number number ? number.longValue() : null);
                default -> {}
            }
        });
        return builder.build();
    }
}
