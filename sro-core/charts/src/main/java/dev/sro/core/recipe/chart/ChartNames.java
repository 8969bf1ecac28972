package dev.sro.core.recipe.chart;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Names under which a chart inside of another may run. Stateless. */
final class ChartNames {

    private ChartNames() {}

    /** Names under which its values are: its aliases, or its own if it has none. */
    static List<String> ofValues(Chart chart, Chart inside) {
        List<String> declared = chart.metadata().dependencies().stream()
                .filter(dependency -> dependency.name().equals(inside.name()))
                .map(ChartMetadata.Dependency::key)
                .toList();
        return declared.isEmpty() ? List.of(inside.name()) : declared;
    }

    /**
     * Names in paths. Its own is always among them: when a chart runs twice, Helm gives the aliases of charts inside of it only
     * to the first.
     */
    static Set<String> ofPaths(Chart chart, Chart inside) {
        Set<String> names = new LinkedHashSet<>(ofValues(chart, inside));
        names.add(inside.name());
        return names;
    }
}
