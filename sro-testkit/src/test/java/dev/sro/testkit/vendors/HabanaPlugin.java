package dev.sro.testkit.vendors;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.DeviceMatcher;
import dev.sro.api.NodeFacts;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.api.ReadinessRule;
import dev.sro.api.RecipeContext;
import dev.sro.api.StateGraph;
import dev.sro.api.device.RuntimeConfiguration;
import dev.sro.api.device.RuntimeDropIn;
import dev.sro.api.device.RuntimeHook;
import dev.sro.api.driver.ImageCandidate;
import dev.sro.api.driver.ImageCandidates;
import dev.sro.api.driver.ImageResolver;
import dev.sro.api.driver.PreflightCheck;
import dev.sro.api.driver.PreflightTarget;
import dev.sro.api.driver.PreflightVerdict;
import dev.sro.api.operation.AlertRule;
import dev.sro.api.operation.Monitoring;
import dev.sro.api.operation.Observability;
import java.util.List;
import java.util.Map;

/**
 * Images by a map from the system's name; a Job that flashes firmware before the driver comes; huge pages; configuration of the
 * container runtime; monitoring of the board; ports of a switch.
 */
public final class HabanaPlugin
        implements AcceleratorPlugin, DeviceMatcher, ImageResolver, RuntimeHook, PreflightCheck, Observability {

    private static final Map<String, String> IMAGES = Map.of(
            "ubuntu_22.04", "registry.example/habana/ubuntu22.04:1.22",
            "rhel_9.4", "registry.example/habana/rhel9.4:1.22",
            "rhcos_9.4", "registry.example/habana/rhel9.4:1.22",
            "tencentos_3.1", "registry.example/habana/tencentos3.1:1.22");

    @Override
    public PluginDescriptor descriptor() {
        return PluginDescriptor.builder()
                .name("habana")
                .version("1.22.0")
                .vendor("Habana")
                .addOperandResources(
                        "serviceaccounts",
                        "services",
                        "configmaps",
                        "daemonsets.apps",
                        "jobs.batch",
                        "servicemonitors.monitoring.coreos.com",
                        "prometheusrules.monitoring.coreos.com",
                        "grafanadashboards.grafana.integreatly.org",
                        "runtimeclasses.node.k8s.io")
                .addAllRelatedImages(
                        IMAGES.values().stream().distinct().sorted().toList())
                .addRelatedImages(
                        "registry.example/habana/firmware:1.22",
                        "registry.example/habana/runtime:1.22",
                        "registry.example/habana/bmc:1.22")
                .build();
    }

    @Override
    public StateGraph states(RecipeContext context) {
        return StateGraph.chain(
                Vendors.job("0500-firmware", "firmware", "registry.example/habana/firmware:1.22", "--update")
                        .build(),
                Vendors.driver("1000-driver")
                        .addReadiness(ReadinessRule.allocatable("hugepages-2Mi", 1))
                        .build(),
                Vendors.operand("2000-runtime", "runtime", "registry.example/habana/runtime:1.22", Map.of())
                        .build(),
                Vendors.operand("3000-bmc-exporter", "bmc-exporter", "registry.example/habana/bmc:1.22", Map.of())
                        .addReadiness(ReadinessRule.nodeShare(50))
                        .addManifests(Vendors.manifest("exporter-service.yaml"))
                        .build());
    }

    @Override
    public Map<String, Object> variables(RecipeContext context, Pool pool) {
        return Map.of("driverImage", IMAGES.getOrDefault(key(pool), "registry.example/habana/none:1.22"));
    }

    private static String key(Pool pool) {
        return pool.os().id() + "_" + pool.os().version();
    }

    @Override
    public Presence match(NodeFacts node, RecipeContext context) {
        return node.pciDevices().stream().anyMatch(device -> device.isOf("1da3")) ? Presence.PRESENT : Presence.ABSENT;
    }

    @Override
    public ImageCandidates images(RecipeContext context, Pool pool) {
        String image = IMAGES.get(key(pool));
        return image == null
                ? ImageCandidates.none(Problem.vendor("HabanaUnknownSystem", "there is no driver for " + key(pool)))
                : ImageCandidates.of(ImageCandidate.builder()
                        .kind(ImageCandidate.Kind.PREBUILT)
                        .reference(image)
                        .needsProbe(false)
                        .build());
    }

    @Override
    public RuntimeConfiguration runtime(NodeFacts node, RecipeContext context) {
        return RuntimeConfiguration.builder()
                .putRuntimeClasses("habana", "habana")
                .addDropIns(new RuntimeDropIn(
                        RuntimeDropIn.Engine.CRIO, "99-habana.conf", "[crio.runtime.runtimes.habana]\n"))
                .build();
    }

    @Override
    public List<PreflightVerdict> preflight(RecipeContext context, PreflightTarget target) {
        String image = IMAGES.get(target.os().id() + "_" + target.os().version());
        return image == null
                ? List.of()
                : List.of(PreflightVerdict.builder()
                        .image(image)
                        .result(PreflightVerdict.Result.GOOD)
                        .addEvidence("the image brings a driver for every kernel of " + target.os())
                        .build());
    }

    @Override
    public Monitoring monitoring(RecipeContext context) {
        return Monitoring.builder()
                .service("bmc-exporter")
                .putDashboards("boards", "{\"title\": \"Boards\", \"panels\": []}")
                .addAlerts(AlertRule.builder()
                        .name("HabanaHot")
                        .expression("habanalabs_temperature_onchip > 95")
                        .summary("a device is too hot")
                        .build())
                .putMetricNames("device_temperature_celsius", "habanalabs_temperature_onchip")
                .build();
    }
}
