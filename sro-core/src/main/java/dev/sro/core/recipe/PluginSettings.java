package dev.sro.core.recipe;

import dev.sro.api.PluginDescriptor;
import dev.sro.api.Problem;
import dev.sro.api.RecipeContext;
import dev.sro.api.Setting;
import dev.sro.core.slicing.input.Suggestions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** Settings held against what the plugin says of them, before it is asked anything. Stateless. */
final class PluginSettings {

    private PluginSettings() {}

    /** What is wrong, in the order of the plugin's settings; nothing where it names none. */
    static List<Problem> check(PluginDescriptor plugin, RecipeContext context) {
        List<Problem> problems = new ArrayList<>();
        if (plugin.settings().isEmpty()) {
            return problems;
        }
        plugin.settings()
                .forEach(setting -> setting.problem(context, "InvalidSetting").ifPresent(problems::add));
        SortedSet<String> known = new TreeSet<>(plugin.defaultConfig().keySet());
        plugin.settings().stream().map(Setting::name).forEach(known::add);
        context.config().keySet().stream()
                .filter(name -> !known.contains(name))
                .sorted()
                .map(name -> Problem.user(
                        "InvalidSetting",
                        "spec.plugin.config." + name + ": plugin " + plugin.name() + " has no such setting"
                                + meant(name, known)))
                .forEach(problems::add);
        return problems;
    }

    private static String meant(String name, Set<String> known) {
        List<String> close = Suggestions.close(name, known);
        return close.isEmpty()
                ? "; it has " + String.join(", ", known)
                : "; did you mean " + String.join(", ", close) + "?";
    }
}
