package dev.sro.core.manifest;

import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.api.State;
import dev.sro.core.driver.DriverState;
import dev.sro.core.driver.PoolDriver;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.recipe.Recipe;
import dev.sro.core.recipe.RecipeFailure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Renders one state, for the cluster or pool by pool. Lives for one rendering. */
final class StateRendering {

    private final RecipeRendering whole;
    private final OrderedState ordered;
    private final State state;
    private final Recipe recipe;
    private final List<String> barriers;
    private final StateTemplates templates;
    private final List<DesiredHook> hooks = new ArrayList<>();

    /**
     * @param barriers node labels that the states before this one put on nodes that they are ready on
     */
    StateRendering(RecipeRendering whole, OrderedState ordered, List<String> barriers) {
        this.whole = whole;
        this.ordered = ordered;
        this.state = ordered.state();
        this.recipe = whole.recipe();
        this.barriers = barriers;
        this.templates = new StateTemplates(whole, state);
    }

    DesiredState forCluster() {
        Obstacles obstacles = new Obstacles();
        List<Desired> shared = new ArrayList<>();
        try {
            StateObjects rendered = objects(null);
            rendered.objects().forEach(object -> shared.add(new Desired(object, state.id(), null)));
            hooks.addAll(rendered.hooks());
        } catch (RenderException e) {
            obstacles.put("", e.outcome());
        } catch (RecipeFailure e) {
            obstacles.put("", Outcome.failed(e.problem()));
        }
        Map<String, List<Desired>> byPool = new LinkedHashMap<>();
        whole.pools().forEach(pool -> byPool.put(pool.name(), List.of()));
        return state(shared, byPool, obstacles);
    }

    private DesiredState state(List<Desired> shared, Map<String, List<Desired>> byPool, Obstacles obstacles) {
        hooks.sort(DesiredHook.ORDER);
        return new DesiredState(
                ordered.state(), ordered.before(), shared, byPool, obstacles.problems, obstacles.waits, hooks);
    }

    DesiredState forPools() {
        Map<ObjectRef, Desired> shared = new LinkedHashMap<>();
        Map<String, List<Desired>> byPool = new LinkedHashMap<>();
        Obstacles obstacles = new Obstacles();
        try {
            common().forEach(object -> shared.put(object.ref(), new Desired(object, state.id(), null)));
        } catch (RenderException e) {
            obstacles.put("", e.outcome());
        }
        for (Pool pool : whole.pools()) {
            List<Desired> own = new ArrayList<>();
            try {
                StateObjects rendered = objects(pool);
                for (KubeObject object : rendered.objects()) {
                    if (object.annotation(MetadataKeys.POOL).isPresent()) {
                        own.add(new Desired(object, state.id(), pool.name()));
                    } else {
                        share(shared, object, pool);
                    }
                }
                // One that is not kernel-affine runs once, as it is for the first pool.
                rendered.hooks().stream()
                        .filter(hook -> !hook.pool().isEmpty()
                                || pool.equals(whole.pools().get(0)))
                        .forEach(hooks::add);
            } catch (RenderException e) {
                obstacles.put(pool.name(), e.outcome());
                own.clear();
            } catch (RecipeFailure e) {
                obstacles.put(pool.name(), Outcome.failed(e.problem()));
                own.clear();
            }
            byPool.put(pool.name(), own);
        }
        return state(List.copyOf(shared.values()), byPool, obstacles);
    }

    /** Objects of a state of SRO's own that no pool decides about. */
    private List<KubeObject> common() {
        DriverState own = ordered.own();
        if (own == null || ordered.made() != null) {
            return List.of();
        }
        StateObjects result = ready(
                own.common(recipe.context(), whole.namespace()),
                whole.context(state, barriers, null).ofSro());
        result.sort();
        return result.objects();
    }

    private void share(Map<ObjectRef, Desired> shared, KubeObject object, Pool pool) {
        Desired known = shared.putIfAbsent(object.ref(), new Desired(object, state.id(), null));
        if (known != null && !recipe.sharesFirst() && !known.object().equals(object)) {
            throw RenderException.vendor(
                    "NotKernelAffine",
                    state.id() + ": " + object.ref() + " comes out differently for pool " + pool.name()
                            + "; add the annotation " + MetadataKeys.KERNEL_AFFINE
                            + ": \"true\" to get one per pool, or use no pool variables in it");
        }
    }

    private StateObjects objects(@Nullable Pool pool) {
        HookContext context = whole.context(state, barriers, pool);
        List<KubeObject> made = ordered.made();
        if (made != null) {
            return ready(made, context.ofSro());
        }
        DriverState own = ordered.own();
        return own != null && pool != null ? made(own, pool, context.ofSro()) : templates.objects(context);
    }

    private static StateObjects ready(List<KubeObject> objects, HookContext context) {
        StateObjects result = new StateObjects();
        objects.forEach(
                object -> result.add(StateTemplates.hooked(ValueTrees.mutableCopy(object.tree()), context, false)));
        return result;
    }

    /** What SRO makes itself. */
    private StateObjects made(DriverState maker, Pool pool, HookContext context) {
        StateObjects result = new StateObjects();
        PoolDriver driver = whole.drivers().of(pool.name());
        if (!driver.known()) {
            throw DriverImages.pending(driver, state.id());
        }
        if (!maker.isFor(driver)) {
            return result;
        }
        Optional<Outcome> obstacle = maker.obstacle(pool, driver);
        if (obstacle.isPresent()) {
            throw RenderException.of(obstacle.get());
        }
        boolean imaged = maker.needsImage(driver);
        if (imaged && driver.choice().image().isEmpty()) {
            throw DriverImages.pending(driver, state.id());
        }
        for (KubeObject object :
                maker.objects(recipe.context(), whole.namespace(), pool.withNodes(List.of()), driver)) {
            Map<String, Object> tree = ValueTrees.mutableCopy(object.tree());
            // What all pools share is the same whichever image each of them has.
            if (imaged && object.annotation(MetadataKeys.KERNEL_AFFINE).isPresent()) {
                DriverImages.mark(tree, driver);
            }
            result.add(StateTemplates.hooked(tree, context, false));
        }
        result.sort();
        return result;
    }
}
