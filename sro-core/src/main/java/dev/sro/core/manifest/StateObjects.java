package dev.sro.core.manifest;

import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.recipe.Recipe;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What one state has for one pool. Lives for one rendering. */
final class StateObjects {

    private final List<KubeObject> objects = new ArrayList<>();
    private final List<DesiredHook> hooks = new ArrayList<>();
    private final Map<ObjectRef, Integer> places = new HashMap<>();

    List<KubeObject> objects() {
        return objects;
    }

    List<DesiredHook> hooks() {
        return hooks;
    }

    void add(KubeObject object) {
        objects.add(object);
    }

    /** Several hooks may have one name, for different events. */
    void add(DesiredHook hook) {
        hooks.add(hook);
    }

    /** In the place of one of the same name, where the recipe's original applied one after the other. */
    void add(KubeObject object, String state, Recipe recipe) {
        Integer place = places.putIfAbsent(object.ref(), objects.size());
        if (place == null) {
            objects.add(object);
            return;
        }
        if (!recipe.sharesFirst()) {
            throw RenderException.vendor(
                    "DuplicateObject", state + ": " + object.ref() + " is there twice; remove one of them");
        }
        if (!objects.get(place).equals(object)) {
            recipe.warn(state + ": " + object.ref()
                    + " is there twice, and not the same; the later one counts; remove the other");
            objects.set(place, object);
        }
    }

    void sort() {
        objects.sort(InstallOrder.COMPARATOR);
    }
}
