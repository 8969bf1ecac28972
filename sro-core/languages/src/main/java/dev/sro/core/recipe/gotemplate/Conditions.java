package dev.sro.core.recipe.gotemplate;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the conditions around a place test. */
final class Conditions {
    /** So many are told of; nobody writes more. */
    private static final int MAX = 16;

    private final @Nullable Conditions outer;
    private final List<List<String>> required;
    private final Set<List<String>> tested = new HashSet<>();

    /**
     * @param required the place is only reached if these are there
     * @param tested the condition looks at these, whatever follows from it
     */
    Conditions(@Nullable Conditions outer, List<List<String>> required, List<List<String>> tested) {
        this.outer = outer;
        List<List<String>> all = new ArrayList<>(required);
        all.addAll(required(outer));
        this.required = List.copyOf(all.subList(0, Math.min(MAX, all.size())));
        for (List<String> path : tested.subList(0, Math.min(MAX, tested.size()))) {
            for (int length = 1; length <= path.size(); length++) {
                this.tested.add(path.subList(0, length));
            }
        }
    }

    /** Whether this path, or one inside of it, is tested. */
    static boolean test(@Nullable Conditions conditions, List<String> path) {
        for (Conditions each = conditions; each != null; each = each.outer) {
            if (each.tested.contains(path)) {
                return true;
            }
        }
        return false;
    }

    /** What is required, of this condition and of those around it. */
    static List<List<String>> required(@Nullable Conditions conditions) {
        return conditions == null ? List.of() : conditions.required;
    }
}
