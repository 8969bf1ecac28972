package dev.sro.core.recipe.gotemplate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The names of variables that a template's author may use at a place. */
final class Scope {
    private final List<String> names = new ArrayList<>(List.of("$"));
    private final Map<String, Integer> count = new HashMap<>(Map.of("$", 1));

    void declare(String name) {
        names.add(name);
        count.merge(name, 1, Integer::sum);
    }

    boolean knows(String name) {
        return count.containsKey(name);
    }

    int mark() {
        return names.size();
    }

    void reset(int mark) {
        while (names.size() > mark) {
            String name = names.remove(names.size() - 1);
            count.computeIfPresent(name, (n, times) -> times == 1 ? null : times - 1);
        }
    }
}
