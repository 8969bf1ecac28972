package dev.sro.testkit.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.Pool;
import dev.sro.api.Reach;
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
import dev.sro.api.resource.StateStatus;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.sim.Behavior;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What plugins and special resources say of modules is loaded, in a state of SRO's own that comes before theirs. */
final class LoadPlanScenarioTest {

    private static final Duration LONG = Duration.ofMinutes(10);
    private static final String RESOURCE = """
        apiVersion: sro.openshift.io/v1beta1
        kind: SpecialResource
        metadata: {name: gpu}
        spec:
          namespace: gpu-ns
          plugin: {name: gpu}
        %s\
        """;

    private static final String AFTER = """
        apiVersion: apps/v1
        kind: DaemonSet
        metadata: {name: device-plugin}
        spec:
          selector: {matchLabels: {app: device-plugin}}
          template:
            metadata: {labels: {app: device-plugin}}
            spec: {containers: [{name: plugin, image: "registry.example/plugin:1"}]}
        """;

    /** Leaves the driver to the special resource. */
    private static class DevicePlugin implements AcceleratorPlugin {
        @Override
        public PluginDescriptor descriptor() {
            return PluginDescriptor.of("gpu", "1.0.0", "Example");
        }

        @Override
        public StateGraph states(RecipeContext context) {
            return StateGraph.chain(State.builder()
                    .id("1000-device-plugin")
                    .reach(Reach.nodeByNode())
                    .addManifests(ManifestTemplate.text("plugin.yaml", AFTER))
                    .build());
        }
    }

    /** Brings the driver as well. */
    private static final class GpuPlugin extends DevicePlugin implements ImageResolver, LoadPlanner {
        private final LoadExecutor executor;

        GpuPlugin(LoadExecutor executor) {
            this.executor = executor;
        }

        @Override
        public ImageCandidates images(RecipeContext context, Pool pool) {
            return ImageCandidates.of(ImageCandidate.of(
                    ImageCandidate.Kind.PREBUILT,
                    "registry.example/gpu:" + pool.kernel().normalized()));
        }

        @Override
        public LoadPlan loadPlan(RecipeContext context, Pool pool) {
            return LoadPlan.builder()
                    .executor(executor)
                    .addModules(KernelModule.of("gpu_core"), KernelModule.of("gpu", "power=low"))
                    .build();
        }
    }

    private static SroSandbox sandbox(AcceleratorPlugin plugin, String spec) {
        SroSandbox sandbox = SroSandbox.create(plugin);
        sandbox.simulation()
                .behaviors()
                .add(Behavior.succeedAfter(Duration.ofSeconds(2)).workload("gpu-load-*"));
        NodeProfile profile = NodeProfile.of(OsRelease.RHEL_9);
        sandbox.nodes().create("a", profile.withKernel("5.14.0-1.el9.x86_64"));
        sandbox.nodes().create("b", profile.withKernel("5.14.0-2.el9.x86_64"));
        sandbox.run(Duration.ofMinutes(2));
        sandbox.apply(RESOURCE.formatted(spec));
        return sandbox;
    }

    private static void isLoadedOnBothKernels(SroSandbox sandbox) {
        assertThat(sandbox.runUntil(LONG, () -> sandbox.isReady("gpu")))
                .as(sandbox.state("gpu"))
                .isTrue();
        assertThat(Objects.requireNonNull(sandbox.get("gpu").orElseThrow().getStatus())
                        .getStates())
                .extracting(StateStatus::getName)
                .satisfiesExactly(
                        load -> assertThat(load).endsWith("-driver-load"),
                        own -> assertThat(own).isEqualTo("1000-device-plugin"));
        sandbox.cluster().recording().start();
        sandbox.run(Duration.ofHours(1));
        assertThat(sandbox.cluster()
                        .recording()
                        .entries(e -> e.userAgent().equals("sro") && !e.verb().equals("watch")))
                .as("requests at rest")
                .isEmpty();
    }

    private static List<String> images(SroSandbox sandbox) {
        return sandbox.client().pods().inNamespace("gpu-ns").list().getItems().stream()
                .map(Pod::getSpec)
                .flatMap(spec -> spec.getContainers().stream())
                .map(container -> container.getImage())
                .distinct()
                .sorted()
                .toList();
    }

    @Test
    void aDaemonSetOfEachKernelLoadsWhatAPluginPlans() {
        try (SroSandbox sandbox = sandbox(new GpuPlugin(LoadExecutor.DRIVER_DAEMON_SET), "")) {
            isLoadedOnBothKernels(sandbox);

            assertThat(images(sandbox))
                    .containsExactly(
                            "registry.example/gpu:5.14.0-1.el9.x86_64",
                            "registry.example/gpu:5.14.0-2.el9.x86_64",
                            "registry.example/plugin:1");
        }
    }

    @Test
    void aWorkerPodOnEachNodeLoadsWhatAPluginPlans() {
        try (SroSandbox sandbox = sandbox(new GpuPlugin(LoadExecutor.WORKER_POD), "")) {
            isLoadedOnBothKernels(sandbox);

            assertThat(images(sandbox)).as("workers are gone").containsExactly("registry.example/plugin:1");
            assertThat(sandbox.client().nodes().list().getItems())
                    .allSatisfy(
                            node -> assertThat(node.getMetadata().getLabels()).containsKey("sro.dev/loaded-gpu"));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = LoadExecutor.class,
            names = {"DRIVER_DAEMON_SET", "WORKER_POD"})
    void leavesNothingBehind(LoadExecutor executor) {
        try (SroSandbox sandbox = sandbox(new GpuPlugin(executor), "")) {
            assertThat(sandbox.runUntil(LONG, () -> sandbox.isReady("gpu")))
                    .as(sandbox.state("gpu"))
                    .isTrue();

            sandbox.client().resource(sandbox.get("gpu").orElseThrow()).delete();
            assertThat(sandbox.runUntil(LONG, () -> sandbox.get("gpu").isEmpty()))
                    .as(sandbox.state("gpu"))
                    .isTrue();

            sandbox.run(Duration.ofMinutes(2));
            assertThat(sandbox.client().pods().inAnyNamespace().list().getItems())
                    .isEmpty();
            assertThat(sandbox.client().nodes().list().getItems())
                    .allSatisfy(
                            node -> assertThat(node.getMetadata().getLabels().keySet())
                                    .noneMatch(label -> label.startsWith("sro.dev/")));
        }
    }

    @Test
    void whatASpecialResourceSaysInTheWordsOfKmmIsLoaded() {
        String driver = """
              driver:
                containerImage: registry.example/gpu:${KERNEL_FULL_VERSION}
                loader: WorkerPod
                modprobe: {moduleName: gpu, parameters: ["power=low"]}
            """;
        try (SroSandbox sandbox = sandbox(new DevicePlugin(), driver)) {
            isLoadedOnBothKernels(sandbox);
        }
    }
}
