package dev.sro.runtime.dev;

import dev.sro.core.client.source.ChartSources;
import dev.sro.core.outgoing.OutgoingGate;
import dev.sro.core.recipe.chart.Chart;
import dev.sro.core.recipe.chart.ManifestRenderer;
import dev.sro.core.recipe.source.ChartFetcher;
import dev.sro.core.recipe.source.HttpClients;
import dev.sro.runtime.plan.ChartOption;
import dev.sro.testkit.operator.SroSandbox;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Where the charts of the cluster come from: from everywhere that the operator takes them from, and from options. Stateless. */
final class DevCharts {

    private DevCharts() {}

    /**
     * Reads charts.
     *
     * @param paths folders and archives
     * @return by name
     * @throws dev.sro.runtime.UnusableInputException if one is no chart
     */
    static Map<String, Chart> load(List<Path> paths) {
        Map<String, Chart> charts = new HashMap<>();
        for (Path path : paths) {
            Chart chart = ChartOption.load(path);
            charts.put(chart.metadata().name(), chart);
        }
        return charts;
    }

    /**
     * Has the sandbox's next operator take charts.
     *
     * @param given take the place of those of their names
     * @param renderer starts its process with the first chart
     */
    static void open(SroSandbox sandbox, Map<String, Chart> given, ManifestRenderer renderer) {
        Map<String, ChartFetcher> all = new HashMap<>();
        ChartSources.create(sandbox.client(), new HttpClients(OutgoingGate.open()))
                .forEach((scheme, fetcher) -> all.put(scheme, reference -> {
                    Chart chart = given.get(reference.getName());
                    return chart == null ? fetcher.fetch(reference) : new ChartFetcher.Fetched(chart, List.of());
                }));
        sandbox.charts(all, renderer);
    }
}
