package dev.sro.runtime.plan;

import dev.sro.api.RecipeContext;
import dev.sro.api.resource.PluginReference;
import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceSpec;
import dev.sro.core.client.ClusterCaches;
import dev.sro.core.engine.Engine;
import dev.sro.core.manifest.Desired;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.manifest.Renderer;
import dev.sro.core.model.Codec;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.Marks;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.plan.Drift;
import dev.sro.core.plan.Plan;
import dev.sro.core.plan.Write;
import dev.sro.core.plugin.LoadedPlugin;
import dev.sro.core.plugin.Plugins;
import dev.sro.core.recipe.PluginGuard;
import dev.sro.core.recipe.Recipe;
import dev.sro.core.recipe.RecipeResolver;
import dev.sro.runtime.plan.PlanReport.Action;
import dev.sro.runtime.plan.PlanReport.Step;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The engine's plan, and after it what the recipe still has in store: objects of states that wait for others are not in
 * the plan yet, so they are rendered for the plan's pools. Confined to one thread.
 */
final class Planning {

    private final ClusterCaches caches;
    private final Codec codec;
    private final Plugins plugins;
    private final int nodes;
    private final Engine engine;

    Planning(FileCluster cluster, Codec codec, Plugins plugins, Clock clock) {
        this.caches = cluster.caches();
        this.codec = codec;
        this.plugins = plugins;
        this.nodes = cluster.nodeCount();
        this.engine = Engine.builder()
                .reader(caches)
                .writer(new NoWriter())
                .observer(caches)
                .plugins(plugins)
                .codec(codec)
                .clock(clock)
                .build();
    }

    PlanReport report(String name) {
        Plan plan = engine.plan(name).orElseThrow();
        SpecialResource resource = caches.specialResource(name).orElseThrow();
        String namespace = namespace(resource);
        List<Step> steps = new ArrayList<>();
        plan.writes().forEach(write -> steps.add(step(write)));
        List<DesiredState> states =
                plan.problems().isEmpty() && !plan.pools().isEmpty() ? rendered(resource, namespace, plan) : List.of();
        later(name, states, steps);
        return new PlanReport(
                name,
                recipe(resource),
                namespace,
                nodes,
                plan.pools(),
                plan.states(),
                steps,
                plan.problems(),
                plan.nodeProblems());
    }

    private List<DesiredState> rendered(SpecialResource resource, String namespace, Plan plan) {
        Recipe recipe = new RecipeResolver(plugins, PluginGuard.direct())
                .resolve(new RecipeContext(resource, caches.cluster()))
                .recipe();
        return recipe == null ? List.of() : new Renderer(codec).render(recipe, namespace, plan.pools());
    }

    private static String namespace(SpecialResource resource) {
        SpecialResourceSpec spec = resource.getSpec();
        return spec == null || spec.getNamespace().isEmpty()
                ? resource.getMetadata().getName()
                : spec.getNamespace();
    }

    private String recipe(SpecialResource resource) {
        return Optional.ofNullable(resource.getSpec())
                .map(SpecialResourceSpec::getPlugin)
                .map(PluginReference::getName)
                .map(name -> plugins.find(name).map(LoadedPlugin::label).orElse(name))
                .map(label -> "plugin " + label)
                .orElse("no recipe");
    }

    private static Step step(Write write) {
        if (write instanceof Write.Apply apply) {
            Action action = apply.create() ? Action.CREATE : Action.CHANGE;
            String why = apply.create() ? "" : apply.why();
            // The namespace counts as a state of its own, which no recipe has.
            String state = apply.ref().kind().equals("Namespace") ? "" : apply.state();
            return new Step(action, apply.ref(), state, apply.pool(), "", why, apply.object());
        }
        if (write instanceof Write.Delete delete) {
            return new Step(Action.DELETE, delete.ref(), delete.state(), delete.pool(), "", delete.why(), null);
        }
        if (write instanceof Write.LabelNode label) {
            String labels = label.labels().isEmpty() ? "none" : label.labels().toString();
            return new Step(Action.CHANGE, label.ref(), "", "", "", "labels of ours: " + labels, null);
        }
        String why = write instanceof Write.SetFinalizer finalizer
                ? (finalizer.present() ? "finalizer" : "finalizer goes")
                : "status";
        return new Step(Action.CHANGE, write.ref(), "", "", "", why, null);
    }

    /** What the plan holds back: new and changed objects of states that wait, and what goes when something else is gone. */
    private void later(String name, List<DesiredState> states, List<Step> steps) {
        Set<ObjectRef> now = new HashSet<>();
        steps.forEach(step -> now.add(step.object()));
        Map<ObjectRef, KubeObject> owned = new HashMap<>(caches.owned(name));
        for (DesiredState state : states) {
            String after = String.join(" and ", new TreeSet<>(state.before()))
                    + (state.before().size() > 1 ? " are ready" : " is ready");
            List<Desired> all = new ArrayList<>(state.shared());
            new TreeSet<>(state.byPool().keySet())
                    .forEach(pool -> all.addAll(state.byPool().getOrDefault(pool, List.of())));
            for (Desired desired : all) {
                ObjectRef ref = desired.object().ref();
                KubeObject live = owned.remove(ref);
                String pool = desired.pool() == null ? "" : desired.pool();
                if (now.contains(ref) || state.before().isEmpty()) {
                    continue;
                }
                if (live == null) {
                    steps.add(new Step(Action.CREATE, ref, desired.state(), pool, after, "", desired.object()));
                } else {
                    Drift.find(desired.object(), live)
                            .ifPresent(path -> steps.add(new Step(
                                    Action.CHANGE,
                                    ref,
                                    desired.state(),
                                    pool,
                                    after,
                                    path + " differs",
                                    desired.object())));
                }
            }
        }
        owned.values().stream()
                .filter(live -> !now.contains(live.ref()) && !live.terminating() && isLeaving(live, states))
                .sorted((a, b) -> a.ref().compareTo(b.ref()))
                .forEach(live -> steps.add(new Step(
                        Action.DELETE,
                        live.ref(),
                        live.ref().kind().equals("Namespace")
                                ? ""
                                : live.annotation(Marks.STATE).orElse(""),
                        live.annotation(Marks.POOL).orElse(""),
                        "what was built on it is gone",
                        "",
                        null)));
    }

    /** The namespace stays as long as there is a recipe. */
    private static boolean isLeaving(KubeObject live, List<DesiredState> states) {
        return states.isEmpty() || !live.ref().kind().equals("Namespace");
    }
}
