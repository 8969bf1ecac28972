package dev.sro.testkit.charts;

import dev.sro.core.model.ValueTrees;
import dev.sro.core.recipe.chart.ChartPaths;
import dev.sro.core.recipe.chart.ChartValues;
import dev.sro.core.recipe.chart.ManifestRenderer;
import dev.sro.core.recipe.chart.RenderRequest;
import dev.sro.core.recipe.chart.RenderedChart;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Renders templates that have nothing but <code>{{ .Values.a.b }}</code> in them: what SRO does with a chart does not depend on
 * who renders it, and Helm is not there on every machine.
 */
public final class PathRenderer implements ManifestRenderer {
    private static final Pattern VALUE = Pattern.compile("\\{\\{-? \\.Values\\.([A-Za-z.]+) -?}}");

    private int renders;

    /** How often it was asked. */
    public int renders() {
        return renders;
    }

    @Override
    public RenderedChart render(RenderRequest request) {
        renders++;
        Map<String, Object> values = ChartValues.effective(request.chart(), request.values());
        SortedMap<String, String> texts = new TreeMap<>();
        ChartPaths.templates(request.chart())
                .forEach((path, file) -> texts.put(
                        path,
                        VALUE.matcher(file.text())
                                .replaceAll(found ->
                                        ValueTrees.text(values, found.group(1).split("\\.")))));
        SortedMap<String, String> crds = new TreeMap<>();
        ChartPaths.crds(request.chart()).forEach((path, file) -> crds.put(path, file.text()));
        return new RenderedChart(texts, new TreeMap<>(), crds, List.of());
    }
}
