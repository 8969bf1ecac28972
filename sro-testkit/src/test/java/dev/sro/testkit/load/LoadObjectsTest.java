package dev.sro.testkit.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sro.api.ClusterFacts;
import dev.sro.api.KernelVersion;
import dev.sro.api.OsRelease;
import dev.sro.api.Pool;
import dev.sro.api.RecipeContext;
import dev.sro.api.driver.HostFile;
import dev.sro.api.driver.ImageCandidate;
import dev.sro.api.driver.KernelModule;
import dev.sro.api.driver.LoadExecutor;
import dev.sro.api.driver.LoadPlan;
import dev.sro.api.driver.SoftDependency;
import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceSpec;
import dev.sro.core.client.Fabric8Codec;
import dev.sro.core.driver.ImageChoice;
import dev.sro.core.driver.PoolDriver;
import dev.sro.core.load.LoadState;
import dev.sro.core.load.Work;
import dev.sro.core.load.WorkerPods;
import dev.sro.core.manifest.RenderException;
import dev.sro.core.manifest.YamlWriter;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.Marks;
import dev.sro.core.model.Trees;
import dev.sro.core.pool.Pools;
import dev.sro.testkit.EmbeddedCluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The objects of each executor on each platform, as files; and an API server takes them. */
class LoadObjectsTest {

    private static final boolean UPDATE = Boolean.getBoolean("sro.load.update");

    private static final Path FILES = Path.of("src/test/resources/dev/sro/testkit/load");

    private static final Pool POOL =
            Pools.of(new KernelVersion("5.14.0-427.el9.x86_64"), new OsRelease("rhel", "9.4"), "amd64");

    private static final LoadPlan SIMPLE = LoadPlan.of(KernelModule.of("base"), KernelModule.of("gpu", "level=3"));

    /** All that Intel's and Onload's drivers need. */
    private static final LoadPlan RICH = LoadPlan.builder()
            .addModules(
                    KernelModule.of("intel_vsec"),
                    KernelModule.of("i915", "enable_guc=3"),
                    KernelModule.builder()
                            .name("onload")
                            .onlyOnNodesWith(Map.of("vendor.example/onload", "true"))
                            .build())
            .addInTreeToRemove("intel_vsec", "i915")
            .addInTreeToLoad("mei")
            .addBlacklist("nouveau")
            .addSoftDependencies(new SoftDependency("i915", List.of("intel_vsec"), List.of()))
            .firmwareSource("/firmware")
            .addHostFiles(
                    new HostFile("/opt/tools", "/usr/local/bin/onload", true),
                    new HostFile("/opt/conf", "/etc/onload.conf", true))
            .addKernelArguments("intel_iommu=on")
            .build();

    private static LoadPlan with(LoadPlan plan, LoadExecutor executor) {
        return LoadPlan.builder().from(plan).executor(executor).build();
    }

    private static RecipeContext context(String name, boolean openShift) {
        SpecialResource resource = new SpecialResource();
        resource.setMetadata(
                new ObjectMetaBuilder().withName(name).withUid("u-1").build());
        SpecialResourceSpec spec = new SpecialResourceSpec();
        spec.setNodeSelector(Map.of("example.com/gpu", "true"));
        resource.setSpec(spec);
        ClusterFacts.Builder facts = ClusterFacts.builder();
        if (openShift) {
            facts.openShiftVersion("4.16.3");
        }
        return new RecipeContext(resource, facts.build());
    }

    private static PoolDriver driver(LoadPlan plan) {
        String image = "registry.example/gpu-driver:1.2";
        return new PoolDriver(
                new ImageChoice.Chosen(ImageCandidate.of(ImageCandidate.Kind.PREBUILT, image), image),
                image,
                List.of("pull"),
                Optional.empty(),
                Optional.of(plan),
                true);
    }

    private static List<KubeObject> objects(LoadPlan plan, boolean openShift) {
        return new LoadState().objects(context("gpu", openShift), "gpu-ns", POOL, driver(plan));
    }

    private static LoadPlan plan(String name) {
        return switch (name) {
            case "daemonset" -> SIMPLE;
            case "daemonset-rich" -> RICH;
            case "worker" -> with(SIMPLE, LoadExecutor.WORKER_POD);
            case "worker-rich" -> with(RICH, LoadExecutor.WORKER_POD);
            case "host" ->
                LoadPlan.hostProvided(
                        KernelModule.builder().name("nvidia").version("550.1").build());
            case "kmm" ->
                with(
                        LoadPlan.builder()
                                .from(SIMPLE)
                                .addInTreeToRemove("old_gpu")
                                .firmwareSource("/firmware")
                                .build(),
                        LoadExecutor.KMM_MODULE);
            default -> throw new IllegalArgumentException(name);
        };
    }

    /** Scripts have tests of their own; here they are one word. */
    private static KubeObject shown(KubeObject object) {
        return object.edit(tree -> {
            for (String[] path :
                    List.of(new String[] {"spec", "template", "spec"}, new String[] {"template", "spec"})) {
                for (Map<String, Object> container : Trees.maps(Trees.map(tree, path), "containers")) {
                    Trees.maps(container, "env").get(0).put("value", "SCRIPT");
                }
            }
            Map<String, Object> metadata = Trees.ensureMap(tree, "metadata");
            metadata.replaceAll((key, value) -> key.equals("name") ? withoutDigest(String.valueOf(value)) : value);
            for (String map : List.of("annotations", "labels")) {
                if (metadata.containsKey(map)) {
                    Trees.ensureMap(metadata, map).replaceAll((key, value) -> withoutDigest(String.valueOf(value)));
                }
            }
        });
    }

    /** That of a configuration has the script in it. */
    private static String withoutDigest(String text) {
        return text.replaceFirst("(driver-load-)?\\b[0-9a-f]{16}$", "$1CONFIG");
    }

    @ParameterizedTest
    @CsvSource({
        "daemonset,false",
        "daemonset,true",
        "daemonset-rich,false",
        "worker,false",
        "worker,true",
        "worker-rich,false",
        "host,false",
        "host,true"
    })
    void objectsAreAsTheFilesSay(String name, boolean openShift) throws IOException {
        String text = objects(plan(name), openShift).stream()
                .map(object -> YamlWriter.write(shown(object).tree()))
                .collect(Collectors.joining("---\n"));
        Path file = FILES.resolve(name + (openShift ? "-openshift" : "") + ".yaml");
        if (UPDATE) {
            Files.createDirectories(FILES);
            Files.writeString(file, text);
        }
        assertThat(text).isEqualTo(Files.readString(file));
    }

    @ParameterizedTest
    @ValueSource(strings = {"daemonset", "daemonset-rich", "worker", "worker-rich", "host"})
    void anApiServerTakesThem(String name) {
        for (boolean openShift : List.of(false, true)) {
            try (EmbeddedCluster cluster =
                    EmbeddedCluster.builder().openShift(openShift).build()) {
                KubernetesClient client = cluster.client();
                client.resource(new NamespaceBuilder()
                                .withNewMetadata()
                                .withName("gpu-ns")
                                .endMetadata()
                                .build())
                        .create();
                for (KubeObject object : objects(plan(name), openShift)) {
                    create(client, object);
                    if (WorkerPods.isTemplate(object)) {
                        create(client, worker(object, Work.Task.UNLOAD));
                    }
                }
            }
        }
    }

    private static KubeObject worker(KubeObject template, Work.Task task) {
        return WorkerPods.of(
                template,
                WorkerPods.ref("gpu", "gpu-ns", task + template.ref().name()),
                "node-1",
                "boot-1",
                new Work(task, template.annotation(Marks.LOAD_CONFIG).orElseThrow(), "0123456789abcdef"));
    }

    private static GenericKubernetesResource create(KubernetesClient client, KubeObject object) {
        return client.resource(client.getKubernetesSerialization()
                        .convertValue(object.tree(), GenericKubernetesResource.class))
                .inNamespace("gpu-ns")
                .create();
    }

    @Test
    void workerPodsKnowTheirNodeAndItsBoot() {
        KubeObject template = objects(plan("worker"), false).get(1);

        KubeObject load = worker(template, Work.Task.LOAD);
        KubeObject unload = worker(template, Work.Task.UNLOAD);

        assertThat(load.map("spec"))
                .containsEntry("nodeName", "node-1")
                .containsEntry("restartPolicy", "OnFailure")
                .doesNotContainKeys("nodeSelector", "tolerations");
        Map<String, Object> container = unload.maps("spec", "containers").get(0);
        assertThat(String.valueOf(container.get("command"))).endsWith(", unload]");
        assertThat(Trees.maps(container, "env").get(1)).containsEntry("value", "boot-1");
        assertThat(unload.map("spec").get("tolerations")).isEqualTo(List.of(Map.of("operator", "Exists")));
        assertThat(Work.parse(unload.annotation(Marks.WORK).orElseThrow())).isPresent();
    }

    @Test
    void theScriptOfAPodIsAShellScript() throws IOException, InterruptedException {
        for (KubeObject object : objects(plan("daemonset-rich"), false)) {
            for (Map<String, Object> container : object.maps("spec", "template", "spec", "containers")) {
                String script = String.valueOf(
                                Trees.maps(container, "env").get(0).get("value"))
                        .replace("$$", "$");
                Process shell = new ProcessBuilder("/bin/sh", "-n", "-c", script)
                        .inheritIO()
                        .start();
                assertThat(shell.waitFor(20, TimeUnit.SECONDS)).isTrue();
                assertThat(shell.exitValue()).isZero();
            }
        }
    }

    @Test
    void anotherParameterIsAnotherConfiguration() {
        KubeObject one = objects(plan("worker"), false).get(1);
        LoadPlan changed =
                with(LoadPlan.of(KernelModule.of("base"), KernelModule.of("gpu", "level=4")), LoadExecutor.WORKER_POD);
        KubeObject other = objects(changed, false).get(1);

        assertThat(other.ref()).isNotEqualTo(one.ref());
        assertThat(objects(plan("worker"), false).get(1)).isEqualTo(one);
    }

    @Test
    void namesFitHoweverLongThatOfTheSpecialResourceIs() {
        for (LoadExecutor executor :
                List.of(LoadExecutor.DRIVER_DAEMON_SET, LoadExecutor.WORKER_POD, LoadExecutor.KMM_MODULE)) {
            List<KubeObject> objects = new LoadState()
                    .objects(context("a".repeat(200), false), "gpu-ns", POOL, driver(with(SIMPLE, executor)));

            assertThat(objects)
                    .allSatisfy(object -> assertThat(object.ref().name())
                            .hasSizeLessThanOrEqualTo(
                                    executor == LoadExecutor.KMM_MODULE
                                            ? 34
                                            : executor == LoadExecutor.WORKER_POD ? 63 : 46));
        }
    }

    @Test
    void aModuleOfKmmMeansTheSame() throws IOException {
        KubeObject module = objects(plan("kmm"), false).get(0);
        String text = YamlWriter.write(module.tree());
        Path file = FILES.resolve("kmm.yaml");
        if (UPDATE) {
            Files.writeString(file, text);
        }

        assertThat(text).isEqualTo(Files.readString(file));
        assertThat((module.ref().name() + module.ref().namespace()).length()).isLessThanOrEqualTo(41);
    }

    @Test
    void theDefinitionOfKmmTakesTheModule() throws IOException {
        Path definition =
                Path.of(String.valueOf(System.getenv("SRO_CORPUS")), "crds", "kmm.sigs.x-k8s.io_modules.yaml");
        assumeTrue(Files.exists(definition), "no corpus here: set SRO_CORPUS to the folder that has crds/");
        try (EmbeddedCluster cluster = EmbeddedCluster.builder().build()) {
            KubernetesClient client = cluster.client();
            client.resource(client.getKubernetesSerialization()
                            .unmarshal(Files.readString(definition), CustomResourceDefinition.class))
                    .create();
            client.resource(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName("gpu-ns")
                            .endMetadata()
                            .build())
                    .create();
            cluster.settle();
            KubeObject module = objects(plan("kmm"), false).get(0);

            GenericKubernetesResource stored = create(client, module);

            Map<String, Object> spec =
                    Trees.map(new Fabric8Codec(client.getKubernetesSerialization()).toTree(stored), "spec");
            assertThat(spec).as("nothing is pruned").isEqualTo(module.map("spec"));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "hostFiles",
                "blacklist",
                "kernelArguments",
                "inTreeToLoad",
                "firmwareTarget",
                "unloadOrder",
                "softDependencies",
                "parameters",
                "onlyOnNodesWith",
                "inTree",
                "raw"
            })
    void whatAModuleCannotSayIsRefusedByItsField(String field) {
        LoadPlan.Builder plan = LoadPlan.builder().executor(LoadExecutor.KMM_MODULE);
        KernelModule last = KernelModule.of("b");
        switch (field) {
            case "hostFiles" -> plan.addHostFiles(new HostFile("/a", "/b/c", true));
            case "blacklist" -> plan.addBlacklist("x");
            case "kernelArguments" -> plan.addKernelArguments("x");
            case "inTreeToLoad" -> plan.addInTreeToLoad("x");
            case "firmwareTarget" -> plan.firmwareSource("/fw").firmwareTarget("/fw");
            case "unloadOrder" -> plan.unloadOrder(List.of("a", "b"));
            case "softDependencies" -> plan.addSoftDependencies(new SoftDependency("a", List.of("b"), List.of()));
            default -> {
                // In a module, below.
            }
        }
        KernelModule.Builder first = KernelModule.builder().name("a");
        switch (field) {
            case "parameters" -> first.addParameters("x=1");
            case "onlyOnNodesWith" -> first.putOnlyOnNodesWith("x", "y");
            case "inTree" -> first.inTree(true);
            case "raw" -> first.addRawLoadArguments("a").addRawUnloadArguments("a");
            default -> {
                // In the plan, above.
            }
        }
        plan.addModules(first.build(), last);

        String named = List.of("parameters", "onlyOnNodesWith", "inTree", "raw").contains(field) ? "modules" : field;
        assertThatThrownBy(() -> objects(plan.build(), false))
                .isInstanceOfSatisfying(
                        RenderException.class,
                        e -> assertThat(e.problem().code()).isEqualTo("LoadPlanNotPossible"))
                .hasMessageStartingWith("LoadPlan." + named + ": a Module of KMM cannot say");
    }

    @Test
    void aModuleNeedsRoomForItsName() {
        LoadPlan plan = plan("kmm");

        assertThatThrownBy(() -> new LoadState()
                        .objects(context("gpu", false), "a-very-long-namespace-indeed", POOL, driver(plan)))
                .hasMessageContaining("set a shorter spec.namespace");
    }

    @Test
    void filesDirectlyUnderTheRootAreRefused() {
        LoadPlan plan = LoadPlan.builder()
                .addModules(KernelModule.of("a"))
                .addHostFiles(new HostFile("/a", "/b", true))
                .build();

        assertThatThrownBy(() -> objects(plan, false)).hasMessageContaining("directly under the root");
    }

    @Test
    void whereThereIsNothingToDoThereIsNoState() {
        LoadState state = new LoadState();

        assertThat(state.isFor(PoolDriver.NONE)).isFalse();
        assertThat(state.isFor(driver(LoadPlan.hostProvided()))).isFalse();
        assertThat(state.isFor(driver(with(SIMPLE, LoadExecutor.OWN_STATES)))).isFalse();
        assertThat(state.isFor(driver(SIMPLE))).isTrue();
    }
}
