package dev.sro.core.manifest;

import dev.sro.api.ManifestTemplate;
import dev.sro.api.Pool;
import dev.sro.api.State;
import dev.sro.core.driver.ImageChoice;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.recipe.DriverImageToken;
import dev.sro.core.recipe.Recipe;
import dev.sro.core.recipe.RuntimeValues;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The manifests of one state of a recipe, as objects. Lives for one rendering. */
final class StateTemplates {

    private final RecipeRendering whole;
    private final Recipe recipe;
    private final State state;

    StateTemplates(RecipeRendering whole, State state) {
        this.whole = whole;
        this.recipe = whole.recipe();
        this.state = state;
    }

    /** For the pool of the context, with what hooks of plugins make of them. */
    StateObjects objects(HookContext context) {
        Pool pool = context.pool();
        Variables variables = BuiltinVariables.create(
                String.valueOf(recipe.context().specialResource().getMetadata().getName()),
                whole.namespace(),
                whole.resource(),
                pool);
        if (pool != null) {
            variables = variables.and("plugin " + recipe.label(), recipe.variables(pool));
        }
        variables = variables.and("state " + state.id(), state.variables());
        if (pool != null && !(whole.drivers().of(pool.name()).choice() instanceof ImageChoice.None)) {
            variables = variables.orElse("driverImage", DriverImageToken.compute(pool));
        }
        String toolkit =
                pool == null ? "" : RuntimeValues.driverToolkit(recipe.context().cluster(), pool);
        if (!toolkit.isEmpty()) {
            variables = variables.orElse(BuiltinVariables.DRIVER_TOOLKIT, toolkit);
        }
        StateObjects result = new StateObjects();
        for (ManifestTemplate template : state.manifests()) {
            List<Map<String, Object>> documents = documents(template, variables, pool);
            whole.budget().take(documents.size(), state.id() + "/" + template.name());
            for (Map<String, Object> document : documents) {
                finish(document, context, template).ifPresent(object -> {
                    if (recipe.release().isPresent()
                            && object.annotation(MetadataKeys.HOOK).isPresent()) {
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

    private List<Map<String, Object>> documents(ManifestTemplate template, Variables variables, @Nullable Pool pool) {
        String source = state.id() + "/" + template.name();
        Substitution substitution = new Substitution(source, variables);
        List<Map<String, Object>> trees = new ArrayList<>();
        if (template instanceof ManifestTemplate.Text text) {
            Recipe.Manifest manifest = recipe.manifest(state, text, whole.pools(), pool);
            List<Map<String, Object>> documents = Lists.flattened(
                    source, TemplateLines.documents(source, text.text(), manifest.text(), recipe::warn));
            if (!manifest.placeholders()) {
                return documents;
            }
            documents.forEach(document -> trees.add(substitution.in(document)));
        } else {
            ((ManifestTemplate.Objects) template)
                    .objects()
                    .forEach(object -> trees.add(substitution.in(whole.codec().toTree(object))));
        }
        return trees;
    }

    private Optional<KubeObject> finish(Map<String, Object> found, HookContext context, ManifestTemplate template) {
        String where = state.id() + "/" + template.name();
        Identity.require(found, where);
        Map<String, Object> tree = DriverImages.in(found, whole.drivers(), context.pool(), where);
        Map<String, Object> decoded = tree;
        if (recipe.hasHooks()) {
            Optional<GenericKubernetesResource> hooked =
                    recipe.afterDecode(Identity.typed(whole.codec(), tree, where), state, context.pool());
            if (hooked.isEmpty()) {
                return Optional.empty();
            }
            decoded = ValueTrees.mutableCopy(whole.codec().toTree(hooked.get()));
            Identity.require(decoded, where);
        }
        if (!whole.shared().isEmpty()) {
            Optional<GenericKubernetesResource> hooked = whole.shared()
                    .afterDecode(
                            Identity.typed(whole.codec(), decoded, where), recipe.context(), state, context.pool());
            if (hooked.isEmpty()) {
                return Optional.empty();
            }
            decoded = ValueTrees.mutableCopy(whole.codec().toTree(hooked.get()));
            Identity.require(decoded, where);
        }
        return Optional.of(hooked(decoded, context, recipe.release().isPresent() && isMarkedAsHook(decoded)));
    }

    /** With what SRO adds to every object, and its digest. */
    static KubeObject hooked(Map<String, Object> decoded, HookContext context, boolean helmHook) {
        if (ReplacedKinds.KINDS.contains(String.valueOf(decoded.get("kind")))) {
            // What SRO makes itself may know better what is a reason to make it anew.
            String digest = GeneratedFields.digest(decoded);
            ValueTrees.ensureMap(decoded, "metadata", "annotations").putIfAbsent(MetadataKeys.MANIFEST, digest);
        }
        if (helmHook) {
            String digest = GeneratedFields.digest(decoded);
            ValueTrees.ensureMap(decoded, "metadata", "annotations").put(MetadataKeys.HOOK, digest);
        }
        for (ObjectHook hook : CoreHooks.all()) {
            hook.apply(decoded, context);
        }
        return AppliedDigest.stamp(KubeObject.of(decoded));
    }

    private static boolean isMarkedAsHook(Map<String, Object> tree) {
        return ValueTrees.map(tree, "metadata", "annotations").containsKey(MetadataKeys.HOOK);
    }
}
