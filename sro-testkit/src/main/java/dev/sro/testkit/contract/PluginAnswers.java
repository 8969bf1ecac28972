package dev.sro.testkit.contract;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.ConfigConverter;
import dev.sro.api.ConfigValidator;
import dev.sro.api.DeviceMatcher;
import dev.sro.api.InvalidRecipeException;
import dev.sro.api.LifecycleHook;
import dev.sro.api.NodeClassifier;
import dev.sro.api.NodeFacts;
import dev.sro.api.Pool;
import dev.sro.api.PoolKeyProvider;
import dev.sro.api.Problem;
import dev.sro.api.RecipeContext;
import dev.sro.api.device.ResourceExposure;
import dev.sro.api.device.RuntimeConfiguration;
import dev.sro.api.device.RuntimeHook;
import dev.sro.api.driver.BuildPlanner;
import dev.sro.api.driver.ImageCandidate;
import dev.sro.api.driver.ImageCandidates;
import dev.sro.api.driver.ImageResolver;
import dev.sro.api.driver.LoadPlanner;
import dev.sro.api.driver.PreflightCheck;
import dev.sro.api.driver.PreflightTarget;
import dev.sro.api.operation.Observability;
import dev.sro.api.operation.PodUse;
import dev.sro.api.operation.SchedulingPolicy;
import dev.sro.api.operation.UpgradePolicy;
import dev.sro.core.driver.TagCatalogue;
import dev.sro.core.driver.TaggedCandidates;
import dev.sro.core.runtimehook.RuntimeVariant;
import dev.sro.core.upgrade.policy.StrategyChecks;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Asks a plugin everything that it can be asked without a cluster, whether or not the engine acts on the answer. Building an
 * answer checks it: the values refuse what makes no sense. Confined to one thread.
 */
final class PluginAnswers {

    private final AcceleratorPlugin plugin;
    private final RecipeContext context;
    private final SortedMap<String, Object> answers = new TreeMap<>();

    private PluginAnswers(AcceleratorPlugin plugin, RecipeContext context) {
        this.plugin = plugin;
        this.context = context;
    }

    /**
     * All answers by question; equal for equal input if the plugin keeps its contract.
     *
     * @throws AssertionError if it throws or answers null
     */
    static SortedMap<String, Object> collect(
            AcceleratorPlugin plugin, RecipeContext context, List<Pool> pools, List<NodeFacts> nodes) {
        PluginAnswers asked = new PluginAnswers(plugin, context);
        asked.aboutTheRecipe();
        pools.forEach(asked::about);
        nodes.forEach(asked::about);
        return asked.answers;
    }

    private void ask(String question, Supplier<?> answer) {
        Object said;
        try {
            said = answer.get();
        } catch (RuntimeException e) {
            throw new AssertionError(plugin.getClass().getName() + "." + question + " threw " + e, e);
        }
        if (said == null) {
            throw new AssertionError(plugin.getClass().getName() + "." + question + " answered null");
        }
        answers.put(question, said);
    }

    private void aboutTheRecipe() {
        ask("descriptor()", plugin::descriptor);
        ask("states()", () -> plugin.states(context));
        if (plugin instanceof ConfigValidator validator) {
            ask("validate()", () -> validator.validate(context));
        }
        if (plugin instanceof ConfigConverter converter) {
            ask("convertConfig()", () -> converter.convertConfig(context.config()));
        }
        if (plugin instanceof LifecycleHook hook) {
            aboutAnObject(hook);
        }
        if (plugin instanceof SchedulingPolicy policy) {
            ask("scheduling()", () -> policy.scheduling(context));
        }
        if (plugin instanceof ResourceExposure exposure) {
            ask("exposure()", () -> exposure.exposure(context));
        }
        if (plugin instanceof Observability observability) {
            ask("monitoring()", () -> observability.monitoring(context));
        }
        if (plugin instanceof UpgradePolicy policy) {
            ask("upgradeStrategy()", () -> policy.upgradeStrategy(context));
            ask(
                    "upgradeStrategy() for its states()",
                    () -> StrategyChecks.checked(policy.upgradeStrategy(context), plugin.states(context)));
            ask("usesDevice()", () -> policy.usesDevice(new PodUse("a", "b", Map.of(), Map.of("cpu", "1"), Set.of())));
            ask(
                    "usesDevice() of a special resource",
                    () -> policy.usesDevice(new PodUse("a", "b", Map.of(), Map.of("cpu", "1"), Set.of()), context));
            ask("classify()", () -> policy.classify(Problem.platform("NodeLost", "node a is gone")));
        }
    }

    /** Of an object that says nothing of itself, and of which neither state nor pool is there any more. */
    private void aboutAnObject(LifecycleHook hook) {
        GenericKubernetesResource object = new GenericKubernetesResource();
        object.setApiVersion("v1");
        object.setKind("ConfigMap");
        object.setMetadata(new ObjectMetaBuilder().withName("a").build());
        LifecycleHook.Place where = new LifecycleHook.Place(context, "9999-gone", "gone");
        ask("afterApply()", () -> hook.afterApply(object, where, Instant.EPOCH));
        ask("beforeDelete()", () -> hook.beforeDelete(object, where, Instant.EPOCH));
    }

    /** To refuse a pool is an answer: a problem of that pool. */
    private void askOfPool(String question, Supplier<?> answer) {
        ask(question, () -> {
            try {
                return answer.get();
            } catch (InvalidRecipeException refused) {
                return String.valueOf(refused.getMessage());
            }
        });
    }

    private void about(Pool pool) {
        String where = " in pool " + pool.name();
        askOfPool("variables()" + where, () -> plugin.variables(context, pool));
        if (plugin instanceof LoadPlanner planner) {
            askOfPool("loadPlan()" + where, () -> planner.loadPlan(context, pool));
        }
        if (plugin instanceof ImageResolver resolver) {
            askOfPool("images()" + where, () -> {
                ImageCandidates images = named(resolver.images(context, pool), pool);
                images.candidates().forEach(image -> build(pool, image));
                return images;
            });
        }
        if (plugin instanceof PreflightCheck check) {
            ask(
                    "preflight()" + where,
                    () -> check.preflight(
                            context,
                            PreflightTarget.builder()
                                    .kernel(pool.kernel())
                                    .os(pool.os())
                                    .architecture(pool.architecture())
                                    .build()));
        }
    }

    private ImageCandidates named(ImageCandidates images, Pool pool) {
        return TaggedCandidates.named(
                images,
                TagCatalogue.builtIn(),
                plugin.getClass().getName(),
                pool,
                context.cluster().openShiftVersion());
    }

    private void build(Pool pool, ImageCandidate image) {
        if (plugin instanceof BuildPlanner planner) {
            String where = " of " + image.reference() + " in pool " + pool.name();
            askOfPool("buildPlan()" + where, () -> planner.buildPlan(context, pool, image));
            askOfPool("signPlan()" + where, () -> planner.signPlan(context, pool, image));
        }
    }

    private void about(NodeFacts node) {
        String where = " on node " + node.name();
        if (plugin instanceof DeviceMatcher matcher) {
            ask("match()" + where, () -> matcher.match(node, context));
        }
        if (plugin instanceof PoolKeyProvider keys) {
            ask("poolKey()" + where, () -> keys.poolKey(node, context));
        }
        if (plugin instanceof NodeClassifier classifier) {
            ask("nodeLabels()" + where, () -> Labels.checked(classifier.nodeLabels(node, context)));
            ask("labelsWithoutDevice()" + where, () -> Labels.checked(classifier.labelsWithoutDevice(node, context)));
        }
        if (plugin instanceof ResourceExposure exposure) {
            ask("handover()" + where, () -> exposure.handover(node, context));
        }
        if (plugin instanceof RuntimeHook hook) {
            ask("runtime()" + where, () -> declared(hook.runtime(node, context)));
        }
    }

    /** SRO makes objects of it, for which it has the rights that the plugin declares. */
    private RuntimeConfiguration declared(RuntimeConfiguration runtime) {
        Set<String> needed = new TreeSet<>();
        if (!runtime.runtimeClasses().isEmpty()) {
            needed.add("runtimeclasses.node.k8s.io");
        }
        if (!RuntimeVariant.of(runtime).files().isEmpty()) {
            needed.addAll(List.of("configmaps", "daemonsets.apps", "serviceaccounts"));
        }
        needed.removeAll(plugin.descriptor().operandResources());
        if (!needed.isEmpty()) {
            throw new AssertionError("PluginDescriptor.operandResources lacks " + needed
                    + ", of which SRO makes objects for what runtime() says; add them");
        }
        return runtime;
    }
}
