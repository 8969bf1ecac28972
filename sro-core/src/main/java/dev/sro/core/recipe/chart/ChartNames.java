package dev.sro.core.recipe.chart;

import java.util.List;

/** Names under which a chart inside of another may run. Stateless. */
final class ChartNames {

    private ChartNames() {}

    /** Its aliases and, unless every declaration has an alias, its own name. */
    static List<String> of(Chart chart, Chart inside) {
        List<String> declared = chart.metadata().dependencies().stream()
                .filter(dependency -> dependency.name().equals(inside.name()))
                .map(ChartMetadata.Dependency::key)
                .toList();
        return declared.isEmpty() ? List.of(inside.name()) : declared;
    }
}
