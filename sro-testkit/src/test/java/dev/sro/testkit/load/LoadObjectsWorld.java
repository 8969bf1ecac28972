package dev.sro.testkit.load;

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
import dev.sro.core.driver.ImageChoice;
import dev.sro.core.driver.PoolDriver;
import dev.sro.core.load.LoadState;
import dev.sro.core.load.WorkerPods;
import dev.sro.core.load.WorkerTask;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.pool.Pools;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Load plans, rendered into objects. */
abstract class LoadObjectsWorld {
    static final boolean UPDATE = Boolean.getBoolean("sro.load.update");

    static final Path FILES = Path.of("src/test/resources/dev/sro/testkit/load");

    static final Pool POOL =
            Pools.create(new KernelVersion("5.14.0-427.el9.x86_64"), new OsRelease("rhel", "9.4"), "amd64");

    static final LoadPlan SIMPLE = LoadPlan.of(KernelModule.of("base"), KernelModule.of("gpu", "level=3"));

    /** All that Intel's and Onload's drivers need. */
    static final LoadPlan RICH = LoadPlan.builder()
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

    static LoadPlan with(LoadPlan plan, LoadExecutor executor) {
        return LoadPlan.builder().from(plan).executor(executor).build();
    }

    static RecipeContext context(String name, boolean openShift) {
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

    static PoolDriver driver(LoadPlan plan) {
        String image = "registry.example/gpu-driver:1.2";
        return new PoolDriver(
                new ImageChoice.Chosen(ImageCandidate.of(ImageCandidate.Kind.PREBUILT, image), image),
                image,
                List.of("pull"),
                Optional.empty(),
                Optional.of(plan),
                true);
    }

    static List<KubeObject> objects(LoadPlan plan, boolean openShift) {
        return new LoadState().objects(context("gpu", openShift), "gpu-ns", POOL, driver(plan));
    }

    static LoadPlan plan(String name) {
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
    static KubeObject shown(KubeObject object) {
        return object.edit(tree -> {
            for (String[] path :
                    List.of(new String[] {"spec", "template", "spec"}, new String[] {"template", "spec"})) {
                for (Map<String, Object> container : ValueTrees.maps(ValueTrees.map(tree, path), "containers")) {
                    ValueTrees.maps(container, "env").get(0).put("value", "SCRIPT");
                }
            }
            Map<String, Object> metadata = ValueTrees.ensureMap(tree, "metadata");
            metadata.replaceAll((key, value) -> key.equals("name") ? withoutDigest(String.valueOf(value)) : value);
            for (String map : List.of("annotations", "labels")) {
                if (metadata.containsKey(map)) {
                    ValueTrees.ensureMap(metadata, map)
                            .replaceAll((key, value) -> withoutDigest(String.valueOf(value)));
                }
            }
        });
    }

    /** That of a configuration has the script in it. */
    static String withoutDigest(String text) {
        return text.replaceFirst("(driver-load-)?\\b[0-9a-f]{16}$", "$1CONFIG");
    }

    static KubeObject worker(KubeObject template, WorkerTask.Task task) {
        return WorkerPods.render(
                template,
                WorkerPods.ref("gpu", "gpu-ns", task + template.ref().name()),
                "node-1",
                "boot-1",
                new WorkerTask(
                        task, template.annotation(MetadataKeys.LOAD_CONFIG).orElseThrow(), "0123456789abcdef"));
    }

    static GenericKubernetesResource create(KubernetesClient client, KubeObject object) {
        return client.resource(client.getKubernetesSerialization()
                        .convertValue(object.tree(), GenericKubernetesResource.class))
                .inNamespace("gpu-ns")
                .create();
    }
}
