package dev.sro.core.engine.relation;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The recipes of other special resources that one has to know, by their names. Not thread-safe. */
public final class RivalRecipes {

    private final Map<String, RecipeMemo> recipes = new HashMap<>();

    /** What is kept of the recipe of this special resource. */
    RecipeMemo of(String name) {
        return recipes.computeIfAbsent(name, unused -> new RecipeMemo(() -> {}));
    }

    /** Forgets all but these. */
    void retain(Set<String> names) {
        recipes.keySet().retainAll(names);
    }
}
