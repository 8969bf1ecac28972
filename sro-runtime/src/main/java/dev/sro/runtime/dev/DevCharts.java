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
     * Has the sandbox's operator take charts.
     *
     * @param given folders and archives, which are read now
     * @param renderer starts its process with the first chart
     * @throws dev.sro.runtime.UnusableInputException if one is no chart
     */
    static void open(SroSandbox sandbox, List<Path> given, ManifestRenderer renderer) {
        Map<String, Chart> own = new HashMap<>();
        for (Path path : given) {
            Chart chart = ChartOption.load(path);
            own.put(chart.metadata().name(), chart);
        }
        Map<String, ChartFetcher> all = new HashMap<>();
        ChartSources.create(sandbox.client(), new HttpClients(OutgoingGate.open()))
                .forEach((scheme, fetcher) -> all.put(scheme, reference -> {
                    Chart chart = own.get(reference.getName());
                    return chart == null ? fetcher.fetch(reference) : new ChartFetcher.Fetched(chart, List.of());
                }));
        sandbox.kill();
        sandbox.charts(all, renderer);
        sandbox.start();
    }
}
