package dev.sro.core.recipe.generated;

import dev.sro.core.recipe.generated.Word.Var;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Which labels of nodes a recipe looks for: with the hardware's name, as templates have them, or without, as at the beginning of 2020. */
final class LookedForLabels {

    private static final Set<Var> TEMPLATES =
            EnumSet.of(Var.STATE_DRIVER, Var.STATE_RUNTIME, Var.STATE_PLUGIN, Var.STATE_MONITORING);

    private LookedForLabels() {}

    /** The label for a group. */
    static String label(Blueprint blueprint, String group) {
        List<Item> items = blueprint.files().stream()
                .flatMap(file -> file.items().stream())
                .toList();
        boolean templates = items.stream().anyMatch(item -> contains(item, TEMPLATES::contains));
        boolean bare = items.stream()
                .anyMatch(item -> contains(
                        item,
                        part -> part instanceof Word.Plain plain && plain.text().contains(Item.PREFIX + group)));
        return Item.PREFIX + group + (bare && !templates ? "" : "-" + blueprint.hardware());
    }

    private static boolean contains(Item item, Predicate<Word.Part> wanted) {
        return contains((Object) item.labels(), wanted)
                || contains((Object) item.annotations(), wanted)
                || contains((Object) item.body(), wanted);
    }

    private static boolean contains(Object tree, Predicate<Word.Part> wanted) {
        if (tree instanceof Word word) {
            return word.parts().stream().anyMatch(wanted);
        }
        if (tree instanceof Map<?, ?> map) {
            return map.values().stream().anyMatch(value -> contains(value, wanted));
        }
        return tree instanceof List<?> list && list.stream().anyMatch(value -> contains(value, wanted));
    }
}
