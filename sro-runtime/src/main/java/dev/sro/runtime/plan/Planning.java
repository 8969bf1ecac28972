package dev.sro.runtime.plan;

import dev.sro.api.resource.ChartReference;
import dev.sro.api.resource.SpecialResourceSpec;
import dev.sro.core.engine.trip.Preview;
import dev.sro.core.manifest.Desired;
import dev.sro.core.manifest.DesiredHook;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.model.Code;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.Operands;
import dev.sro.core.model.RecipeAccount;
import dev.sro.core.plan.Plan;
import dev.sro.core.plan.memo.Drift;
import dev.sro.core.plugin.LoadedPlugin;
import dev.sro.core.plugin.Plugins;
import dev.sro.core.recipe.Recipe;
import dev.sro.runtime.plan.PlanReport.Action;
import dev.sro.runtime.plan.PlanReport.Step;
import dev.sro.runtime.plan.access.Access;
import dev.sro.runtime.plan.access.AccessCheck;
import dev.sro.runtime.plan.access.AccessReport;
import dev.sro.runtime.plan.access.Intent;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The engine's plan, and after it what the recipe still has in store: objects of states that wait for others are not in
 * the plan yet. Confined to one thread.
 */
final class Planning {

    private final Plugins plugins;
    private final Access access;

    Planning(Plugins plugins, Access access) {
        this.plugins = plugins;
        this.access = access;
    }

    PlanReport report(PreviewedResource previewed) {
        Preview preview = previewed.preview();
        Plan plan = preview.plan();
        List<Step> steps = new ArrayList<>();
        plan.writes().forEach(write -> steps.add(write.on(new WriteSteps())));
        List<DesiredState> states = plan.problems().isEmpty() && !plan.pools().isEmpty() ? preview.states() : List.of();
        later(preview, states, steps);
        return new PlanReport(
                previewed.resource().getKind(),
                previewed.name(),
                recipe(previewed),
                Operands.namespace(previewed.resource()),
                previewed.nodes(),
                plan.pools(),
                plan.states(),
                steps,
                plan.problems(),
                plan.nodeProblems(),
                preview.skipped(),
                previewed.unshown(),
                previewed.idle(),
                preview.warnings(),
                access(preview, steps));
    }

    /** Whether who writes the recipe may have all of it written. */
    private AccessReport access(Preview preview, List<Step> steps) {
        List<Intent> intents = new ArrayList<>();
        steps.forEach(step -> step.account().ifPresent(account -> intents.add(intent(step, account))));
        if (intents.isEmpty()) {
            return AccessReport.NOTHING;
        }
        // Hooks are no steps of a plan; they run between.
        preview.states().stream()
                .flatMap(state -> state.hooks().stream())
                .filter(DesiredHook::isAutomatic)
                .map(DesiredHook::object)
                .forEach(hook -> RecipeAccount.of(hook).ifPresent(account -> intents.add(Intent.hook(hook, account))));
        return AccessCheck.check(
                access,
                intents,
                steps.stream()
                        .filter(step ->
                                step.action() == Action.CREATE && step.account().isEmpty())
                        .map(Step::object)
                        .toList());
    }

    private static Intent intent(Step step, RecipeAccount account) {
        KubeObject manifest = step.manifest();
        if (manifest == null) {
            return Intent.delete(step.object(), account);
        }
        return step.action() == Action.CREATE ? Intent.create(manifest, account) : Intent.change(manifest, account);
    }

    private String recipe(PreviewedResource previewed) {
        SpecialResourceSpec spec = previewed.resource().getSpec();
        if (spec != null && spec.getPlugin() != null) {
            String name = spec.getPlugin().getName();
            return "plugin " + plugins.find(name).map(LoadedPlugin::label).orElse(name);
        }
        ChartReference chart = spec == null ? null : spec.getChart();
        return previewed
                .preview()
                .recipe()
                .map(Recipe::label)
                .orElse(chart == null ? "no recipe" : "chart " + chart.getName() + " " + chart.getVersion());
    }

    /** What the plan holds back: new and changed objects of states that wait, and what goes when something else is gone. */
    private static void later(Preview preview, List<DesiredState> states, List<Step> steps) {
        Set<ObjectRef> now = new HashSet<>();
        steps.forEach(step -> now.add(step.object()));
        Map<ObjectRef, KubeObject> owned = new HashMap<>(preview.owned());
        String first = first(preview.plan());
        preview.namespace()
                .map(Desired::object)
                .filter(object -> !states.isEmpty()
                        && !first.isEmpty()
                        && !now.contains(object.ref())
                        && !owned.containsKey(object.ref()))
                .ifPresent(object -> steps.add(
                        new Step(Action.CREATE, object.ref(), "", "", first, "", object, RecipeAccount.of(object))));
        for (DesiredState state : states) {
            String after = state.before().isEmpty()
                    ? first
                    : String.join(" and ", new TreeSet<>(state.before()))
                            + (state.before().size() > 1 ? " are ready" : " is ready");
            List<Desired> all = new ArrayList<>(state.shared());
            new TreeSet<>(state.byPool().keySet())
                    .forEach(pool -> all.addAll(state.byPool().getOrDefault(pool, List.of())));
            for (Desired desired : all) {
                KubeObject there = owned.remove(desired.object().ref());
                if (!now.contains(desired.object().ref()) && !after.isEmpty()) {
                    held(desired, there, after).ifPresent(steps::add);
                }
            }
        }
        // The engine knows what it keeps: pods of its objects, records, what is in use and what cannot be rendered.
        preview.plan().leaving().stream()
                .filter(ref -> !now.contains(ref))
                .map(preview.owned()::get)
                .filter(live -> live != null && !live.terminating())
                .forEach(live -> steps.add(new Step(
                        Action.DELETE,
                        live.ref(),
                        live.ref().kind().equals("Namespace")
                                ? ""
                                : live.annotation(MetadataKeys.STATE).orElse(""),
                        live.annotation(MetadataKeys.POOL).orElse(""),
                        "what was built on it is gone",
                        "",
                        null,
                        RecipeAccount.of(live))));
    }

    /** A write that waits; empty where the object is as it shall be. */
    private static Optional<Step> held(Desired desired, @Nullable KubeObject there, String after) {
        Optional<String> why = there == null
                ? Optional.of("")
                : Drift.find(desired.object(), there).map(path -> path + " differs");
        return why.map(text -> new Step(
                there == null ? Action.CREATE : Action.CHANGE,
                desired.object().ref(),
                desired.state(),
                desired.pool() == null ? "" : desired.pool(),
                after,
                text,
                desired.object(),
                desired.account()));
    }

    /** What even the states wait for that wait for no other one; empty if nothing. */
    private static String first(Plan plan) {
        boolean needs = plan.states().stream()
                .anyMatch(state ->
                        Code.isOneOf(EnumSet.of(Code.DEPENDENCY_NOT_READY, Code.CHART_PENDING), state.outcome()));
        return needs ? "what it depends on is ready" : "";
    }
}
