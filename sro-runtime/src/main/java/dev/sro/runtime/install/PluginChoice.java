package dev.sro.runtime.install;

import dev.sro.core.plugin.LoadedPlugin;
import java.util.List;
import java.util.Set;

/**
 * Plugins, and which of them get their rights without being asked about again. Immutable.
 *
 * @param plugins all that there are
 * @param names of those whose rights are in the base, and in the values of the chart
 */
record PluginChoice(List<LoadedPlugin> plugins, Set<String> names) {

    PluginChoice {
        plugins = List.copyOf(plugins);
        names = Set.copyOf(names);
    }

    List<LoadedPlugin> chosen() {
        return plugins.stream().filter(plugin -> names.contains(plugin.name())).toList();
    }

    List<LoadedPlugin> others() {
        return plugins.stream().filter(plugin -> !names.contains(plugin.name())).toList();
    }
}
