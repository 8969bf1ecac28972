package dev.sro.core.manifest;

import dev.sro.api.ManifestTemplate;
import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.api.State;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.driver.DriverState;
import dev.sro.core.driver.Drivers;
import dev.sro.core.driver.ImageChoice;
import dev.sro.core.driver.PoolDriver;
import dev.sro.core.model.Codec;
import dev.sro.core.model.ImageMirrors;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.Marks;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.Trees;
import dev.sro.core.partition.Partitions;
import dev.sro.core.pool.ReadinessTaints;
import dev.sro.core.recipe.DriverImageToken;
import dev.sro.core.recipe.PluginHooks;
import dev.sro.core.recipe.Recipe;
import dev.sro.core.recipe.RecipeFailure;
import dev.sro.core.recipe.RuntimeValues;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Turns the states of a recipe into the objects that shall exist. Nodes do not matter here, only pools; so the result
 * may be kept as long as recipe and pools stay the same. Thread-safe.
 */
public final class Renderer {

    private final Codec codec;
    private final ImageMirrors mirrors;
    private final Supplier<PluginHooks> sharedHooks;

    /**
     * Without hooks of plugins for all recipes, and without mirrors but those of special resources.
     *
     * @param codec turns typed objects into trees
     */
    public Renderer(Codec codec) {
        this(codec, ImageMirrors.NONE, () -> PluginHooks.NONE);
    }

    /**
     * @param codec turns typed objects into trees
     * @param mirrors from where images are pulled instead, unless a special resource says otherwise
     * @param sharedHooks hooks of plugins for all recipes; asked at each rendering
     */
    public Renderer(Codec codec, ImageMirrors mirrors, Supplier<PluginHooks> sharedHooks) {
        this.codec = codec;
        this.mirrors = mirrors;
        this.sharedHooks = sharedHooks;
    }

    /**
     * What a special resource says of mirrors.
     *
     * @throws IllegalArgumentException if it cannot be understood
     */
    public static ImageMirrors mirrors(SpecialResource resource) {
        Map<String, String> annotations = resource.getMetadata().getAnnotations();
        return ImageMirrors.parse(annotations == null ? "" : annotations.getOrDefault(Marks.IMAGE_MIRRORS, ""));
    }

    /** From where images of a special resource are pulled instead. */
    public ImageMirrors mirrorsOf(SpecialResource resource) {
        return mirrors(resource).over(mirrors);
    }

    /** The desired objects of a recipe of whose drivers nothing is said. */
    public List<DesiredState> render(Recipe recipe, String namespace, List<Pool> pools) {
        return render(recipe, namespace, pools, Drivers.NONE);
    }

    /** The desired objects of a recipe that no other special resource needs first. */
    public List<DesiredState> render(Recipe recipe, String namespace, List<Pool> pools, Drivers drivers) {
        return render(recipe, namespace, pools, drivers, List.of());
    }

    /**
     * The desired objects, state by state in the order of the graph. What cannot be rendered is a problem of its state
     * and pool and holds up no other.
     *
     * @param recipe the states and the plugin's hooks and variables
     * @param namespace of the operands
     * @param pools sorted
     * @param drivers of these pools
     * @param others what all pods tolerate besides what the special resource and its recipe say, as in the spec of a pod
     */
    public List<DesiredState> render(
            Recipe recipe, String namespace, List<Pool> pools, Drivers drivers, List<Map<String, Object>> others) {
        Map<String, Object> resource = codec.toTree(recipe.context().specialResource());
        List<OrderedState> states = OrderedState.all(recipe, drivers);
        Map<String, List<String>> barriers =
                OrderedState.barriers(recipe.context().name(), states);
        ImageMirrors images = mirrorsOf(recipe.context().specialResource());
        PluginHooks shared = sharedHooks.get();
        ObjectBudget budget = new ObjectBudget();
        List<DesiredState> result = new ArrayList<>();
        for (OrderedState ordered : states) {
            State state = ordered.state();
            StateRendering rendering = new StateRendering(
                    recipe,
                    namespace,
                    resource,
                    ordered,
                    pools,
                    barriers.getOrDefault(state.id(), List.of()),
                    images,
                    shared,
                    drivers,
                    others,
                    budget);
            Set<String> before = ordered.before();
            result.add(
                    state.scope() == State.Scope.CLUSTER ? rendering.forCluster(before) : rendering.forPools(before));
        }
        return AffineReferences.resolved(Duplicates.without(result, recipe), pools);
    }

    /** The object with its own digest, which shows later whether it was applied like this. */
    public static KubeObject sealed(KubeObject object) {
        String digest = object.digest();
        return object.edit(
                copy -> Trees.ensureMap(copy, "metadata", "annotations").put(Marks.APPLIED, digest));
    }

    /** Renders one state. */
    private final class StateRendering {
        private final Recipe recipe;
        private final String namespace;
        private final Map<String, Object> resource;
        private final State state;
        private final @Nullable DriverState own;
        private final @Nullable List<KubeObject> made;
        private final Drivers drivers;
        private final List<Pool> pools;
        private final List<String> barriers;
        private final List<Map<String, Object>> tolerations;
        private final List<DesiredHook> hooks = new ArrayList<>();
        private final ImageMirrors images;
        private final PluginHooks shared;
        private final ObjectBudget budget;

        StateRendering(
                Recipe recipe,
                String namespace,
                Map<String, Object> resource,
                OrderedState ordered,
                List<Pool> pools,
                List<String> barriers,
                ImageMirrors images,
                PluginHooks shared,
                Drivers drivers,
                List<Map<String, Object>> others,
                ObjectBudget budget) {
            this.budget = budget;
            this.own = ordered.own();
            this.made = ordered.made();
            this.drivers = drivers;
            this.images = images;
            this.shared = shared;
            this.pools = pools;
            SpecialResource owner = recipe.context().specialResource();
            this.tolerations = Stream.of(
                            recipe.scheduling().tolerations().stream().map(codec::toTree),
                            ReadinessTaints.of(owner, recipe.scheduling()).stream()
                                    .map(ReadinessTaints.Wanted::toleration),
                            Partitions.operandTolerations(owner, recipe.scheduling()).stream(),
                            others.stream())
                    .flatMap(each -> each)
                    .toList();
            this.recipe = recipe;
            this.namespace = namespace;
            this.resource = resource;
            this.state = ordered.state();
            this.barriers = barriers;
        }

        DesiredState forCluster(Set<String> before) {
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
            pools.forEach(pool -> byPool.put(pool.name(), List.of()));
            return state(before, shared, byPool, obstacles);
        }

        private DesiredState state(
                Set<String> before, List<Desired> shared, Map<String, List<Desired>> byPool, Obstacles obstacles) {
            hooks.sort(DesiredHook.ORDER);
            return new DesiredState(state, before, shared, byPool, obstacles.problems, obstacles.waits, hooks);
        }

        DesiredState forPools(Set<String> before) {
            Map<ObjectRef, Desired> shared = new LinkedHashMap<>();
            Map<String, List<Desired>> byPool = new LinkedHashMap<>();
            Obstacles obstacles = new Obstacles();
            try {
                common().forEach(object -> shared.put(object.ref(), new Desired(object, state.id(), null)));
            } catch (RenderException e) {
                obstacles.put("", e.outcome());
            }
            for (Pool pool : pools) {
                List<Desired> own = new ArrayList<>();
                try {
                    StateObjects rendered = objects(pool);
                    for (KubeObject object : rendered.objects()) {
                        if (object.annotation(Marks.POOL).isPresent()) {
                            own.add(new Desired(object, state.id(), pool.name()));
                        } else {
                            share(shared, object, pool);
                        }
                    }
                    // One that is not kernel-affine runs once, as it is for the first pool.
                    rendered.hooks().stream()
                            .filter(hook -> !hook.pool().isEmpty() || pool.equals(pools.get(0)))
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
            return state(before, List.copyOf(shared.values()), byPool, obstacles);
        }

        private List<KubeObject> common() {
            if (own == null || made != null) {
                return List.of();
            }
            StateObjects result = ready(own.common(recipe.context(), namespace), context(null));
            result.sort();
            return result.objects();
        }

        private HookContext context(@Nullable Pool pool) {
            return new HookContext(recipe.context(), namespace, state, pool, barriers, tolerations, images);
        }

        private StateObjects ready(List<KubeObject> objects, HookContext context) {
            StateObjects result = new StateObjects();
            objects.forEach(object -> result.add(hooked(Trees.mutableCopy(object.tree()), context, false)));
            return result;
        }

        private void share(Map<ObjectRef, Desired> shared, KubeObject object, Pool pool) {
            Desired known = shared.putIfAbsent(object.ref(), new Desired(object, state.id(), null));
            if (known != null && !recipe.sharesFirst() && !known.object().equals(object)) {
                throw RenderException.vendor(
                        "NotKernelAffine",
                        state.id() + ": " + object.ref() + " comes out differently for pool " + pool.name()
                                + "; add the annotation " + Marks.KERNEL_AFFINE
                                + ": \"true\" to get one per pool, or use no pool variables in it");
            }
        }

        private StateObjects objects(@Nullable Pool pool) {
            HookContext context = context(pool);
            if (made != null) {
                return ready(made, context);
            }
            return own != null && pool != null ? made(own, pool, context) : templates(pool, context);
        }

        /** What SRO makes itself. */
        private StateObjects made(DriverState maker, Pool pool, HookContext context) {
            StateObjects result = new StateObjects();
            PoolDriver driver = drivers.of(pool.name());
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
            for (KubeObject object : maker.objects(recipe.context(), namespace, pool.withNodes(List.of()), driver)) {
                Map<String, Object> tree = Trees.mutableCopy(object.tree());
                // What all pools share is the same whichever image each of them has.
                if (imaged && object.annotation(Marks.KERNEL_AFFINE).isPresent()) {
                    DriverImages.mark(tree, driver);
                }
                result.add(hooked(tree, context, false));
            }
            result.sort();
            return result;
        }

        private StateObjects templates(@Nullable Pool pool, HookContext context) {
            Variables variables = BuiltinVariables.of(
                    String.valueOf(
                            recipe.context().specialResource().getMetadata().getName()),
                    namespace,
                    resource,
                    pool);
            if (pool != null) {
                variables = variables.and("plugin " + recipe.label(), recipe.variables(pool));
            }
            variables = variables.and("state " + state.id(), state.variables());
            if (pool != null && !(drivers.of(pool.name()).choice() instanceof ImageChoice.None)) {
                variables = variables.orElse("driverImage", DriverImageToken.of(pool));
            }
            String toolkit = pool == null
                    ? ""
                    : RuntimeValues.driverToolkit(recipe.context().cluster(), pool);
            if (!toolkit.isEmpty()) {
                variables = variables.orElse(BuiltinVariables.DRIVER_TOOLKIT, toolkit);
            }
            StateObjects result = new StateObjects();
            for (ManifestTemplate template : state.manifests()) {
                List<Map<String, Object>> documents = documents(template, variables, pool);
                budget.take(documents.size(), state.id() + "/" + template.name());
                for (Map<String, Object> document : documents) {
                    finish(document, context, template).ifPresent(object -> {
                        if (recipe.release().isPresent()
                                && object.annotation(Marks.HOOK).isPresent()) {
                            result.add(DesiredHook.of(object, template.name()));
                        } else {
                            result.add(object, state.id(), recipe);
                        }
                    });
                }
            }
            result.sort();
            LogPatterns.check(state, result.objects());
            return result;
        }

        private List<Map<String, Object>> documents(
                ManifestTemplate template, Variables variables, @Nullable Pool pool) {
            String source = state.id() + "/" + template.name();
            Substitution substitution = new Substitution(source, variables);
            List<Map<String, Object>> trees = new ArrayList<>();
            if (template instanceof ManifestTemplate.Text text) {
                Recipe.Manifest manifest = recipe.manifest(state, text, pools, pool);
                List<Map<String, Object>> documents = Lists.flattened(
                        source, TemplateLines.documents(source, text.text(), manifest.text(), recipe::warn));
                if (!manifest.placeholders()) {
                    return documents;
                }
                documents.forEach(document -> trees.add(substitution.in(document)));
            } else {
                ((ManifestTemplate.Objects) template)
                        .objects()
                        .forEach(object -> trees.add(substitution.in(codec.toTree(object))));
            }
            return trees;
        }

        private Optional<KubeObject> finish(Map<String, Object> found, HookContext context, ManifestTemplate template) {
            String where = state.id() + "/" + template.name();
            Identity.require(found, where);
            Map<String, Object> tree = DriverImages.in(found, drivers, context.pool(), where);
            Map<String, Object> decoded = tree;
            if (recipe.hasHooks()) {
                Optional<GenericKubernetesResource> hooked =
                        recipe.afterDecode(Identity.typed(codec, tree, where), state, context.pool());
                if (hooked.isEmpty()) {
                    return Optional.empty();
                }
                decoded = Trees.mutableCopy(codec.toTree(hooked.get()));
                Identity.require(decoded, where);
            }
            if (!shared.isEmpty()) {
                Optional<GenericKubernetesResource> hooked = shared.afterDecode(
                        Identity.typed(codec, decoded, where), recipe.context(), state, context.pool());
                if (hooked.isEmpty()) {
                    return Optional.empty();
                }
                decoded = Trees.mutableCopy(codec.toTree(hooked.get()));
                Identity.require(decoded, where);
            }
            return Optional.of(hooked(decoded, context, recipe.release().isPresent() && isMarkedAsHook(decoded)));
        }

        private KubeObject hooked(Map<String, Object> decoded, HookContext context, boolean helmHook) {
            if (Replaced.KINDS.contains(String.valueOf(decoded.get("kind")))) {
                // What SRO makes itself may know better what is a reason to make it anew.
                String digest = Trees.digest(decoded);
                Trees.ensureMap(decoded, "metadata", "annotations").putIfAbsent(Marks.MANIFEST, digest);
            }
            if (helmHook) {
                String digest = Trees.digest(decoded);
                Trees.ensureMap(decoded, "metadata", "annotations").put(Marks.HOOK, digest);
            }
            for (ObjectHook hook : CoreHooks.all()) {
                hook.apply(decoded, context);
            }
            return sealed(KubeObject.of(decoded));
        }

        private static boolean isMarkedAsHook(Map<String, Object> tree) {
            return Trees.map(tree, "metadata", "annotations").containsKey(Marks.HOOK);
        }
    }
}
