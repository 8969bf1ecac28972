package dev.sro.runtime.plan;

import dev.sro.api.ManifestTemplate;
import dev.sro.api.Pool;
import dev.sro.api.State;
import dev.sro.core.engine.trip.Preview;
import dev.sro.core.manifest.Desired;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.manifest.RenderException;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.recipe.Recipe;
import dev.sro.core.recipe.RecipeFailure;
import dev.sro.core.yaml.Yaml;
import dev.sro.core.yaml.YamlException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The templates of a recipe, as text for each pool, and which of them an object comes from. Confined to one thread. */
public final class Templates {

    /**
     * What a template gives, before SRO does anything with it.
     *
     * @param state id of its state
     * @param pool name of the pool it was rendered for; empty when it serves all
     * @param name of the template
     * @param text YAML
     */
    public record Raw(String state, String pool, String name, String text) {}

    private record Key(String state, String pool, String kind, String name) {}

    private final List<Raw> raw = new ArrayList<>();
    private final Map<Key, String> origins = new HashMap<>();

    /** Those of the recipe of this preview; none if it has no recipe or no pool. */
    public static Templates of(Preview preview) {
        Templates templates = new Templates();
        // As the engine renders: the same text for the same pools is there already.
        List<Pool> pools = preview.plan().pools().stream()
                .map(pool -> pool.withNodes(List.of()))
                .toList();
        preview.recipe().ifPresent(recipe -> preview.states().forEach(state -> templates.add(recipe, state, pools)));
        return templates;
    }

    private void add(Recipe recipe, DesiredState desired, List<Pool> pools) {
        String state = desired.state().id();
        List<@Nullable Pool> subjects = new ArrayList<>();
        if (desired.state().scope() == State.Scope.CLUSTER) {
            subjects.add(null);
        } else {
            subjects.addAll(pools);
        }
        for (ManifestTemplate template : desired.state().manifests()) {
            for (@Nullable Pool pool : subjects) {
                String name = pool == null ? "" : pool.name();
                try {
                    List<Map<String, Object>> documents = new ArrayList<>();
                    if (template instanceof ManifestTemplate.Text text) {
                        String yaml = recipe.manifest(desired.state(), text, pools, pool)
                                .text();
                        raw.add(new Raw(state, name, template.name(), yaml));
                        documents.addAll(Yaml.documents(template.name(), yaml));
                    }
                    documents.forEach(tree -> origin(state, pool, tree, template.name()));
                } catch (RecipeFailure | RenderException | YamlException e) {
                    // It is among the problems of the state.
                    raw.add(new Raw(state, name, template.name(), ""));
                }
            }
        }
    }

    private void origin(String state, @Nullable Pool pool, Map<String, Object> tree, String template) {
        String kind = ValueTrees.text(tree, "kind");
        String name = ValueTrees.text(tree, "metadata", "name");
        origins.putIfAbsent(new Key(state, "", kind, name), template);
        if (pool != null) {
            origins.putIfAbsent(new Key(state, pool.name(), kind, name + "-" + pool.affinityHash()), template);
        }
    }

    /** All, in the order of states and files. */
    public List<Raw> raw() {
        return List.copyOf(raw);
    }

    /** The template that an object comes from; empty when that cannot be told. */
    public String origin(Desired desired) {
        String kind = desired.object().ref().kind();
        String name = desired.object().ref().name();
        String pool = desired.pool() == null ? "" : desired.pool();
        String found = origins.get(new Key(desired.state(), pool, kind, name));
        return found == null ? "" : found;
    }
}
