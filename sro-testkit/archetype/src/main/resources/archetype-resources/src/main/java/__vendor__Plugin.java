package ${package};

import com.google.auto.service.AutoService;
import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.ConfigValidator;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.api.Reach;
import dev.sro.api.ReadinessRule;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.api.driver.BuildPlan;
import dev.sro.api.driver.BuildPlanner;
import dev.sro.api.driver.ImageCandidate;
import dev.sro.api.driver.ImageCandidates;
import dev.sro.api.driver.ImageResolver;
import dev.sro.api.operation.AlertRule;
import dev.sro.api.operation.Monitoring;
import dev.sro.api.operation.Observability;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Brings nodes with a card of ${vendor} to where pods get ${resource}. Keeps nothing between calls. */
@AutoService(AcceleratorPlugin.class)
public final class ${vendor}Plugin
        implements AcceleratorPlugin, ConfigValidator, ImageResolver, BuildPlanner, Observability {

    /** Where images are; administrators set it to a registry of their own, where the driver is built to. */
    private static final String REGISTRY = "registry";

    private static final String DEFAULT_REGISTRY = "registry.example/${plugin}";

    /** The longest name that comes out of the special resource's is that of the Service. */
    private static final int MAX_NAME = 63 - "-exporter".length();

    @Override
    public PluginDescriptor descriptor() {
        return PluginDescriptor.builder()
                .name("${plugin}")
                .version("${version}")
                .vendor("${vendor}")
                .putDefaultConfig(REGISTRY, DEFAULT_REGISTRY)
                .addOperandResources(
                        "daemonsets.apps",
                        "services",
                        "servicemonitors.monitoring.coreos.com",
                        "prometheusrules.monitoring.coreos.com")
                .addRelatedImages(DEFAULT_REGISTRY + "/device-plugin:1.0.0", DEFAULT_REGISTRY + "/exporter:1.0.0")
                .build();
    }

    @Override
    public List<Problem> validate(RecipeContext context) {
        List<Problem> problems = new ArrayList<>();
        if (!registry(context).matches("[a-z0-9]([a-zA-Z0-9._/:-]*[a-zA-Z0-9])?")) {
            problems.add(Problem.user(
                    "${vendor}InvalidSetting",
                    "spec.plugin.config.registry: \"" + registry(context) + "\" must be a registry with a folder, such as"
                            + " registry.example/${plugin}"));
        }
        if (context.name().length() > MAX_NAME) {
            problems.add(Problem.user(
                    "${vendor}InvalidSetting",
                    "metadata.name: has " + context.name().length() + " characters, and may have " + MAX_NAME));
        }
        return problems;
    }

    private static String registry(RecipeContext context) {
        return String.valueOf(context.config().getOrDefault(REGISTRY, DEFAULT_REGISTRY));
    }

    @Override
    public StateGraph states(RecipeContext context) {
        return StateGraph.chain(
                state("1000-driver", "driver.yaml").reach(Reach.nodeByNode()).build(),
                state("2000-validation", "validation.yaml").reach(Reach.nodeByNode()).build(),
                state("3000-device-plugin", "device-plugin.yaml")
                        .putVariables(REGISTRY, registry(context))
                        .addReadiness(ReadinessRule.allocatable("${resource}", 1))
                        .build(),
                state("4000-exporter", "exporter.yaml")
                        .putVariables(REGISTRY, registry(context))
                        .build());
    }

    private static State.Builder state(String id, String file) {
        return State.builder().id(id).addManifests(ManifestTemplate.resource(${vendor}Plugin.class, file));
    }

    /** The image that is there is taken; where none is, SRO builds the second. */
    @Override
    public ImageCandidates images(RecipeContext context, Pool pool) {
        String tag = pool.kernelLabel();
        return ImageCandidates.of(
                ImageCandidate.of(ImageCandidate.Kind.PREBUILT, registry(context) + "/driver:" + tag),
                ImageCandidate.of(ImageCandidate.Kind.BUILD, registry(context) + "/driver-built:" + tag));
    }

    /** Build arguments with the kernel come from SRO. */
    @Override
    public Optional<BuildPlan> buildPlan(RecipeContext context, Pool pool, ImageCandidate image) {
        return Optional.of(BuildPlan.builder()
                .dockerfile(text("Dockerfile"))
                .pushTo(image.reference())
                .build());
    }

    private static String text(String file) {
        try (InputStream in = ${vendor}Plugin.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("missing in the jar: " + file);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Monitoring monitoring(RecipeContext context) {
        return Monitoring.builder()
                .service(context.name() + "-exporter")
                .addAlerts(AlertRule.builder()
                        .name("${vendor}DeviceHot")
                        .expression("max by (node, device) (device_celsius) > 90")
                        .holdsFor(Duration.ofMinutes(5))
                        .severity(AlertRule.Severity.WARNING)
                        .summary("Device {{ $labels.device }} of node {{ $labels.node }} is at {{ $value }} °C.")
                        .runbook("https://docs.example/${plugin}/hot")
                        .build())
                .metricNames(Map.of("device_temperature_celsius", "device_celsius"))
                .build();
    }
}
