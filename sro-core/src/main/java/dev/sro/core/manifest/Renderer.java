package dev.sro.core.manifest;

import dev.sro.api.Pool;
import dev.sro.api.State;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.driver.Drivers;
import dev.sro.core.model.Codec;
import dev.sro.core.model.ImageMirrors;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.RecipeAccounts;
import dev.sro.core.partition.Partitions;
import dev.sro.core.pool.ReadinessTaints;
import dev.sro.core.recipe.PluginHooks;
import dev.sro.core.recipe.Recipe;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Turns the states of a recipe into the objects that shall exist. Nodes do not matter here, only pools; so the result
 * may be kept as long as recipe and pools stay the same. Thread-safe.
 */
public final class Renderer {

    private final Codec codec;
    private final ImageMirrors mirrors;
    private final Supplier<PluginHooks> sharedHooks;
    private final RecipeAccounts accounts;

    /**
     * Without hooks of plugins for all recipes, and without mirrors but those of special resources.
     *
     * @param codec turns typed objects into trees
     */
    public Renderer(Codec codec) {
        this(codec, RecipeAccounts.NONE);
    }

    /** The same, by whose rights the objects of recipes are written that no plugin brought. */
    public Renderer(Codec codec, RecipeAccounts accounts) {
        this(codec, ImageMirrors.NONE, () -> PluginHooks.NONE, accounts);
    }

    /** With SRO's own rights for all recipes. */
    public Renderer(Codec codec, ImageMirrors mirrors, Supplier<PluginHooks> sharedHooks) {
        this(codec, mirrors, sharedHooks, RecipeAccounts.NONE);
    }

    /**
     * @param codec turns typed objects into trees
     * @param mirrors from where images are pulled instead, unless a special resource says otherwise
     * @param sharedHooks hooks of plugins for all recipes; asked at each rendering
     * @param accounts by whose rights the objects of recipes are written that no plugin brought
     */
    public Renderer(Codec codec, ImageMirrors mirrors, Supplier<PluginHooks> sharedHooks, RecipeAccounts accounts) {
        this.accounts = accounts;
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
        return ImageMirrors.parse(annotations == null ? "" : annotations.getOrDefault(MetadataKeys.IMAGE_MIRRORS, ""));
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
        List<OrderedState> states = OrderedState.all(recipe, drivers);
        Map<String, List<String>> barriers =
                OrderedState.barriers(recipe.context().name(), states);
        RecipeRendering whole = new RecipeRendering(
                codec,
                recipe,
                namespace,
                codec.toTree(recipe.context().specialResource()),
                pools,
                drivers,
                tolerations(recipe, others),
                mirrorsOf(recipe.context().specialResource()),
                sharedHooks.get(),
                new ObjectBudget(),
                recipe.isOfOthers() ? accounts.of(recipe.context().specialResource()) : Optional.empty());
        List<DesiredState> result = new ArrayList<>();
        for (OrderedState ordered : states) {
            StateRendering rendering = new StateRendering(
                    whole, ordered, barriers.getOrDefault(ordered.state().id(), List.of()));
            result.add(ordered.state().scope() == State.Scope.CLUSTER ? rendering.forCluster() : rendering.forPools());
        }
        List<DesiredState> once = Duplicates.without(result, recipe);
        return AffineReferences.resolved(
                whole.account().isEmpty() ? once : NamespaceLimits.within(once, recipe, namespace), pools);
    }

    private List<Map<String, Object>> tolerations(Recipe recipe, List<Map<String, Object>> others) {
        SpecialResource owner = recipe.context().specialResource();
        return Stream.of(
                        recipe.scheduling().tolerations().stream().map(codec::toTree),
                        ReadinessTaints.resolve(owner, recipe.scheduling()).stream()
                                .map(ReadinessTaints.Wanted::toleration),
                        Partitions.operandTolerations(owner, recipe.scheduling()).stream(),
                        others.stream())
                .flatMap(each -> each)
                .toList();
    }
}
