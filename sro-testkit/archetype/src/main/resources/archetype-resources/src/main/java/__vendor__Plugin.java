package ${package};

import com.google.auto.service.AutoService;
import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.Pool;
import dev.sro.api.Reach;
import dev.sro.api.ReadinessRule;
import dev.sro.api.RecipeContext;
import dev.sro.api.Setting;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.api.driver.BuildPlan;
import dev.sro.api.driver.BuildPlanner;
import dev.sro.api.driver.ImageCandidate;
import dev.sro.api.driver.ImageCandidates;
import dev.sro.api.driver.ImageResolver;
import dev.sro.api.driver.TaggedImages;
import dev.sro.api.operation.AlertRule;
import dev.sro.api.operation.Monitoring;
import dev.sro.api.operation.Observability;
import java.util.Optional;

/** Brings nodes with a card of ${vendor} to where pods get ${resource}. Keeps nothing between calls. */
@AutoService(AcceleratorPlugin.class)
public final class ${vendor}Plugin implements AcceleratorPlugin, ImageResolver, BuildPlanner, Observability {

    /** In the tags of the driver's images. */
    private static final String DRIVER = "1.0.0";

    /** Where images are; administrators set it to a registry of their own, where the driver is built to. */
    private static final Setting<String> REGISTRY = Setting.text("registry", "registry.example/${plugin}")
            .matching("[a-z0-9]([a-zA-Z0-9._/:-]*[a-zA-Z0-9])?", "a registry with a folder: registry.example/${plugin}");

    @Override
    public PluginDescriptor descriptor() {
        return PluginDescriptor.builder()
                .name("${plugin}")
                .version("${version}")
                .vendor("${vendor}")
                .addSettings(REGISTRY)
                .addOperandResources("daemonsets.apps", "services")
                .addOperandResources("servicemonitors.monitoring.coreos.com", "prometheusrules.monitoring.coreos.com")
                .addRelatedImages(
                        REGISTRY.otherwise() + "/device-plugin:1.0.0", REGISTRY.otherwise() + "/exporter:1.0.0")
                .build();
    }

    @Override
    public StateGraph states(RecipeContext context) {
        return StateGraph.chain(
                state("1000-driver", "driver.yaml", context).reach(Reach.nodeByNode()).build(),
                state("2000-validation", "validation.yaml", context).reach(Reach.nodeByNode()).build(),
                state("3000-device-plugin", "device-plugin.yaml", context)
                        .addReadiness(ReadinessRule.allocatable("${resource}", 1))
                        .build(),
                state("4000-exporter", "exporter.yaml", context).build());
    }

    private static State.Builder state(String id, String file, RecipeContext context) {
        return State.builder()
                .id(id)
                .addManifests(ManifestTemplate.resource(${vendor}Plugin.class, file))
                .putVariables("registry", REGISTRY.in(context));
    }

    /** One image for each kernel, which is taken where it is there, and built where it is not. */
    @Override
    public ImageCandidates images(RecipeContext context, Pool pool) {
        return ImageCandidates.tagged(TaggedImages.of(
                REGISTRY.in(context) + "/driver", "VersionKernel", DRIVER, ImageCandidate.Kind.BUILD));
    }

    /** Build arguments with the kernel come from SRO. */
    @Override
    public Optional<BuildPlan> buildPlan(RecipeContext context, Pool pool, ImageCandidate image) {
        return Optional.of(BuildPlan.builder()
                .dockerfile(${vendor}Plugin.class, "Dockerfile")
                .putArguments("DRIVER_VERSION", DRIVER)
                .pushTo(image.reference())
                .build());
    }

    @Override
    public Monitoring monitoring(RecipeContext context) {
        return Monitoring.builder()
                .service(context.name() + "-exporter")
                .addAlerts(AlertRule.builder()
                        .name("${vendor}DeviceHot")
                        .expression("max by (node, device) (device_celsius) > 90")
                        .summary("Device {{ $labels.device }} of node {{ $labels.node }} is at {{ $value }} °C.")
                        .runbook("https://docs.example/${plugin}/hot")
                        .build())
                .putMetricNames("device_temperature_celsius", "device_celsius")
                .build();
    }
}
