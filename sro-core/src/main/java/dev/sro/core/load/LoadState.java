package dev.sro.core.load;

import dev.sro.api.Pool;
import dev.sro.api.RecipeContext;
import dev.sro.api.driver.KernelModule;
import dev.sro.api.driver.LoadPlan;
import dev.sro.core.driver.DriverState;
import dev.sro.core.driver.PoolDriver;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ValueTrees;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The state in which the modules of a {@link LoadPlan} come onto the nodes, by whatever executor it chooses. Stateless. */
public final class LoadState implements DriverState {

    /** As long as a name may be that a pool's hash of 16 digits and a dash follow, and that becomes a label. */
    private static final int MAX_NAME = 63 - 17;

    private static final String SUFFIX = "-driver-load";

    private static final String CHECK_SUFFIX = "-driver-check";

    @Override
    public String name() {
        return "driver-load";
    }

    @Override
    public boolean perNode() {
        return true;
    }

    @Override
    public boolean comesFirst() {
        return true;
    }

    @Override
    public boolean isFor(PoolDriver driver) {
        return driver.load().filter(LoadState::hasWork).isPresent();
    }

    private static boolean hasWork(LoadPlan plan) {
        return switch (plan.executor()) {
            case OWN_STATES -> false;
            case HOST_PROVIDED ->
                !plan.modules().isEmpty() || !plan.kernelArguments().isEmpty();
            case DRIVER_DAEMON_SET, WORKER_POD, KMM_MODULE -> true;
        };
    }

    @Override
    public boolean needsImage(PoolDriver driver) {
        return isFor(driver);
    }

    @Override
    public List<KubeObject> objects(RecipeContext context, String namespace, Pool pool, PoolDriver driver) {
        LoadPlan plan = driver.load().orElseThrow();
        return switch (plan.executor()) {
            case DRIVER_DAEMON_SET -> daemonSets(context, namespace, plan, driver);
            case WORKER_POD -> templates(context, namespace, plan, driver);
            case KMM_MODULE -> List.of(KmmModules.render(context, namespace, pool, plan, driver));
            case HOST_PROVIDED -> List.of(check(context, plan, driver));
            case OWN_STATES -> List.of();
        };
    }

    private static String base(RecipeContext context, String suffix, int more) {
        return MetadataKeys.fit(context.name(), MAX_NAME - suffix.length() - more) + suffix;
    }

    private static List<KubeObject> daemonSets(
            RecipeContext context, String namespace, LoadPlan plan, PoolDriver driver) {
        String account = base(context, SUFFIX, 2);
        List<KubeObject> objects = new ArrayList<>(
                PodAccounts.create(account, namespace, context.cluster().isOpenShift()));
        int number = 0;
        for (Map.Entry<NodeCondition, List<KernelModule>> set :
                ModuleSets.divide(plan).entrySet()) {
            String name = number == 0 ? account : account + "-" + number;
            Map<String, Object> spec = DriverPods.loading(context.name(), account, plan, set.getValue(), driver, "run");
            Map<String, Object> container = ValueTrees.maps(spec, "containers").get(0);
            Map<String, Object> startup = DriverPods.probe("ready", 90);
            startup.put("periodSeconds", 5);
            container.put("startupProbe", startup);
            container.put("readinessProbe", DriverPods.probe("ready", 1));
            container.put(
                    "lifecycle", Map.of("preStop", Map.of("exec", Map.of("command", DriverPods.command("unload")))));
            affinity(spec, set.getKey());
            objects.add(daemonSet(name, spec, set.getKey(), "OnDelete"));
            number++;
        }
        return objects;
    }

    private static void affinity(Map<String, Object> spec, NodeCondition condition) {
        if (!condition.isAlways()) {
            spec.put(
                    "affinity",
                    Map.of(
                            "nodeAffinity",
                            Map.of(
                                    "requiredDuringSchedulingIgnoredDuringExecution",
                                    Map.of("nodeSelectorTerms", condition.affinityTerms()))));
        }
    }

    private static KubeObject check(RecipeContext context, LoadPlan plan, PoolDriver driver) {
        Map<String, Object> spec = DriverPods.looking(
                context.name(), plan, driver, context.cluster().isOpenShift());
        return daemonSet(base(context, CHECK_SUFFIX, 0), spec, NodeCondition.ALWAYS, "RollingUpdate");
    }

    /** What is in use cannot be unloaded, so nothing replaces pods that hold modules but an upgrade, node by node. */
    private static KubeObject daemonSet(
            String name, Map<String, Object> podSpec, NodeCondition condition, String strategy) {
        Map<String, Object> unschedulable = new LinkedHashMap<>();
        unschedulable.put("key", "node.kubernetes.io/unschedulable");
        unschedulable.put("operator", "Exists");
        unschedulable.put("effect", "NoSchedule");
        podSpec.put("tolerations", List.of(unschedulable));
        Map<String, Object> template = new LinkedHashMap<>();
        template.put("metadata", Map.of("labels", Map.of("app", name)));
        template.put("spec", podSpec);
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("updateStrategy", Map.of("type", strategy));
        spec.put("selector", Map.of("matchLabels", Map.of("app", name)));
        spec.put("template", template);
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("apiVersion", "apps/v1");
        tree.put("kind", "DaemonSet");
        tree.put("metadata", metadata(name, condition, Map.of()));
        tree.put("spec", spec);
        return KubeObject.of(tree);
    }

    private static Map<String, Object> metadata(String name, NodeCondition condition, Map<String, String> more) {
        Map<String, Object> annotations = new LinkedHashMap<>();
        annotations.put(MetadataKeys.KERNEL_AFFINE, "true");
        if (!condition.isAlways()) {
            annotations.put(MetadataKeys.LOAD_WHEN, condition.text());
        }
        annotations.putAll(more);
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("name", name);
        metadata.put("labels", Map.of("app", name));
        metadata.put("annotations", annotations);
        return metadata;
    }

    /**
     * One for each configuration: the worker pods of a configuration are made of it, those that unload too, long after the plan
     * wants another one.
     */
    private static List<KubeObject> templates(
            RecipeContext context, String namespace, LoadPlan plan, PoolDriver driver) {
        String account = base(context, SUFFIX, 0);
        List<KubeObject> objects = new ArrayList<>(
                PodAccounts.create(account, namespace, context.cluster().isOpenShift()));
        ModuleSets.divide(plan).forEach((condition, modules) -> {
            Map<String, Object> spec = DriverPods.loading(context.name(), account, plan, modules, driver, "load");
            spec.put("restartPolicy", "OnFailure");
            Map<String, Object> template = new LinkedHashMap<>();
            template.put("metadata", Map.of("labels", Map.of("app", account)));
            template.put("spec", spec);
            String config = ValueTrees.digest(template);
            Map<String, Object> tree = new LinkedHashMap<>();
            tree.put("apiVersion", "v1");
            tree.put("kind", WorkerPods.KIND);
            tree.put("metadata", metadata(account + "-" + config, condition, Map.of(MetadataKeys.LOAD_CONFIG, config)));
            tree.put("template", template);
            objects.add(KubeObject.of(tree));
        });
        return objects;
    }
}
