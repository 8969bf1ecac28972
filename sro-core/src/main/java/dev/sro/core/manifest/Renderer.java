package dev.sro.core.manifest;

import dev.sro.api.ManifestTemplate;
import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.model.Codec;
import dev.sro.core.model.ImageMirrors;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.Marks;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.Trees;
import dev.sro.core.pool.ReadinessTaints;
import dev.sro.core.recipe.PluginHooks;
import dev.sro.core.recipe.Recipe;
import dev.sro.core.recipe.RecipeFailure;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
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

    /**
     * The desired objects, state by state in the order of the graph. What cannot be rendered is a problem of its state
     * and pool and holds up no other.
     *
     * @param recipe the states and the plugin's hooks and variables
     * @param namespace of the operands
     * @param pools sorted
     */
    public List<DesiredState> render(Recipe recipe, String namespace, List<Pool> pools) {
        Map<String, Object> resource = codec.toTree(recipe.context().specialResource());
        StateGraph graph = recipe.graph();
        Map<String, List<String>> barriers = barriers(recipe);
        ImageMirrors images = mirrors(recipe.context().specialResource()).over(mirrors);
        PluginHooks shared = sharedHooks.get();
        List<DesiredState> result = new ArrayList<>();
        for (State state : graph.states()) {
            StateRendering rendering = new StateRendering(
                    recipe,
                    namespace,
                    resource,
                    state,
                    pools,
                    barriers.getOrDefault(state.id(), List.of()),
                    images,
                    shared);
            Set<String> before = graph.before(state.id());
            result.add(
                    state.scope() == State.Scope.CLUSTER ? rendering.forCluster(before) : rendering.forPools(before));
        }
        return AffineReferences.resolved(Duplicates.without(result), pools);
    }

    /** The object with its own digest, which shows later whether it was applied like this. */
    public static KubeObject sealed(KubeObject object) {
        String digest = object.digest();
        return object.edit(
                copy -> Trees.ensureMap(copy, "metadata", "annotations").put(Marks.APPLIED, digest));
    }

    /** Labels of the nearest states before each state that are reached node by node. */
    private static Map<String, List<String>> barriers(Recipe recipe) {
        String name = recipe.context().specialResource().getMetadata().getName();
        Map<String, SortedSet<String>> found = new HashMap<>();
        Map<String, State> states = new HashMap<>();
        Map<String, List<String>> result = new HashMap<>();
        // Each state comes after those before it, so theirs are known.
        for (State state : recipe.graph().states()) {
            SortedSet<String> labels = new TreeSet<>();
            for (String id : recipe.graph().before(state.id())) {
                State before = states.get(id);
                if (before != null && before.perNode()) {
                    labels.add(Marks.stateLabel(name, before.number()));
                } else {
                    labels.addAll(found.getOrDefault(id, new TreeSet<>()));
                }
            }
            states.put(state.id(), state);
            found.put(state.id(), labels);
            result.put(state.id(), List.copyOf(labels));
        }
        return result;
    }

    /** What a state has for one pool. */
    private record Rendered(List<KubeObject> objects, List<DesiredHook> hooks) {}

    /** Renders one state. */
    private final class StateRendering {
        private final Recipe recipe;
        private final String namespace;
        private final Map<String, Object> resource;
        private final State state;
        private final List<Pool> pools;
        private final List<String> barriers;
        private final List<Map<String, Object>> tolerations;
        private final List<DesiredHook> hooks = new ArrayList<>();
        private final ImageMirrors images;
        private final PluginHooks shared;

        StateRendering(
                Recipe recipe,
                String namespace,
                Map<String, Object> resource,
                State state,
                List<Pool> pools,
                List<String> barriers,
                ImageMirrors images,
                PluginHooks shared) {
            this.images = images;
            this.shared = shared;
            this.pools = pools;
            this.tolerations = Stream.concat(
                            recipe.scheduling().tolerations().stream().map(codec::toTree),
                            ReadinessTaints.of(recipe.context().specialResource(), recipe.scheduling()).stream()
                                    .map(ReadinessTaints.Wanted::toleration))
                    .toList();
            this.recipe = recipe;
            this.namespace = namespace;
            this.resource = resource;
            this.state = state;
            this.barriers = barriers;
        }

        DesiredState forCluster(Set<String> before) {
            Map<String, Problem> problems = new HashMap<>();
            List<Desired> shared = new ArrayList<>();
            try {
                Rendered rendered = objects(null);
                rendered.objects.forEach(object -> shared.add(new Desired(object, state.id(), null)));
                hooks.addAll(rendered.hooks);
            } catch (RenderException e) {
                problems.put("", e.problem());
            } catch (RecipeFailure e) {
                problems.put("", e.problem());
            }
            Map<String, List<Desired>> byPool = new LinkedHashMap<>();
            pools.forEach(pool -> byPool.put(pool.name(), List.of()));
            return state(before, shared, byPool, problems);
        }

        private DesiredState state(
                Set<String> before,
                List<Desired> shared,
                Map<String, List<Desired>> byPool,
                Map<String, Problem> problems) {
            hooks.sort(DesiredHook.ORDER);
            return new DesiredState(state, before, shared, byPool, problems, hooks);
        }

        DesiredState forPools(Set<String> before) {
            Map<ObjectRef, Desired> shared = new LinkedHashMap<>();
            Map<String, List<Desired>> byPool = new LinkedHashMap<>();
            Map<String, Problem> problems = new HashMap<>();
            for (Pool pool : pools) {
                List<Desired> own = new ArrayList<>();
                try {
                    Rendered rendered = objects(pool);
                    for (KubeObject object : rendered.objects) {
                        if (object.annotation(Marks.POOL).isPresent()) {
                            own.add(new Desired(object, state.id(), pool.name()));
                        } else {
                            share(shared, object, pool);
                        }
                    }
                    // One that is not kernel-affine runs once, as it is for the first pool.
                    rendered.hooks.stream()
                            .filter(hook -> !hook.pool().isEmpty() || pool.equals(pools.get(0)))
                            .forEach(hooks::add);
                } catch (RenderException e) {
                    problems.put(pool.name(), e.problem());
                    own.clear();
                } catch (RecipeFailure e) {
                    problems.put(pool.name(), e.problem());
                    own.clear();
                }
                byPool.put(pool.name(), own);
            }
            return state(before, List.copyOf(shared.values()), byPool, problems);
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

        private Rendered objects(@Nullable Pool pool) {
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
            HookContext context =
                    new HookContext(recipe.context(), namespace, state, pool, barriers, tolerations, images);
            Rendered result = new Rendered(new ArrayList<>(), new ArrayList<>());
            Set<ObjectRef> seen = new HashSet<>();
            for (ManifestTemplate template : state.manifests()) {
                for (Map<String, Object> document : documents(template, variables, pool)) {
                    finish(document, context, template).ifPresent(object -> {
                        if (recipe.release().isPresent()
                                && object.annotation(Marks.HOOK).isPresent()) {
                            // Several may have one name, for different events.
                            result.hooks.add(DesiredHook.of(object, template.name()));
                        } else {
                            requireNew(seen, object);
                            result.objects.add(object);
                        }
                    });
                }
            }
            result.objects.sort(InstallOrder.COMPARATOR);
            return result;
        }

        private void requireNew(Set<ObjectRef> seen, KubeObject object) {
            if (!seen.add(object.ref())) {
                throw RenderException.vendor(
                        "DuplicateObject", state.id() + ": " + object.ref() + " is there twice; remove one of them");
            }
        }

        private List<Map<String, Object>> documents(
                ManifestTemplate template, Variables variables, @Nullable Pool pool) {
            String source = state.id() + "/" + template.name();
            Substitution substitution = new Substitution(source, variables);
            List<Map<String, Object>> trees = new ArrayList<>();
            if (template instanceof ManifestTemplate.Text text) {
                Recipe.Manifest manifest = recipe.manifest(state, text, pools, pool);
                List<Map<String, Object>> documents = Yaml.documents(source, manifest.text());
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

        private Optional<KubeObject> finish(Map<String, Object> tree, HookContext context, ManifestTemplate template) {
            requireIdentity(tree, template);
            Map<String, Object> decoded = tree;
            if (recipe.hasHooks()) {
                Optional<GenericKubernetesResource> hooked =
                        recipe.afterDecode(typed(tree, template), state, context.pool());
                if (hooked.isEmpty()) {
                    return Optional.empty();
                }
                decoded = Trees.mutableCopy(codec.toTree(hooked.get()));
                requireIdentity(decoded, template);
            }
            if (!shared.isEmpty()) {
                Optional<GenericKubernetesResource> hooked =
                        shared.afterDecode(typed(decoded, template), recipe.context(), state, context.pool());
                if (hooked.isEmpty()) {
                    return Optional.empty();
                }
                decoded = Trees.mutableCopy(codec.toTree(hooked.get()));
                requireIdentity(decoded, template);
            }
            if (Replaced.KINDS.contains(String.valueOf(decoded.get("kind")))) {
                String digest = Trees.digest(decoded);
                Trees.ensureMap(decoded, "metadata", "annotations").put(Marks.MANIFEST, digest);
            }
            if (recipe.release().isPresent() && isMarkedAsHook(decoded)) {
                String digest = Trees.digest(decoded);
                Trees.ensureMap(decoded, "metadata", "annotations").put(Marks.HOOK, digest);
            }
            for (ObjectHook hook : CoreHooks.all()) {
                hook.apply(decoded, context);
            }
            return Optional.of(sealed(KubeObject.of(decoded)));
        }

        private static boolean isMarkedAsHook(Map<String, Object> tree) {
            return Trees.map(tree, "metadata", "annotations").containsKey(Marks.HOOK);
        }

        /** Metadata has types, and what does not fit them is nobody's object. */
        private GenericKubernetesResource typed(Map<String, Object> tree, ManifestTemplate template) {
            try {
                return codec.fromTree(tree, GenericKubernetesResource.class);
            } catch (IllegalArgumentException e) {
                String why = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
                throw RenderException.vendor(
                        "InvalidManifest",
                        state.id() + "/" + template.name() + ": " + tree.get("kind") + " \""
                                + Trees.text(tree, "metadata", "name") + "\": metadata has a value of a wrong type: "
                                + why);
            }
        }

        private void requireIdentity(Map<String, Object> tree, ManifestTemplate template) {
            if (Trees.text(tree, "apiVersion").isEmpty()
                    || Trees.text(tree, "kind").isEmpty()
                    || Trees.text(tree, "metadata", "name").isEmpty()) {
                throw RenderException.vendor(
                        "InvalidManifest",
                        state.id() + "/" + template.name()
                                + ": every object needs apiVersion, kind and metadata.name; one with kind \""
                                + Trees.text(tree, "kind") + "\" and name \"" + Trees.text(tree, "metadata", "name")
                                + "\" has not");
            }
        }
    }
}
