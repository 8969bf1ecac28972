package dev.sro.core.recipe.chart;

/**
 * Turns charts into text. The port behind which a template engine is loaded only when a chart is used. Implementations
 * are thread-safe, reach no cluster and no network, and give the same answer to the same question, unless the chart asks for
 * random numbers or the time.
 */
public interface ManifestRenderer {

    /**
     * Renders every template of a chart.
     *
     * @param request what and with which values
     * @return text or problem of each file: a file that fails does not hold up the others
     * @throws ChartException if no file can be rendered: the values break the chart's schema, the chart is not for this
     *     Kubernetes, a helper cannot be parsed, or there is no engine
     */
    RenderedChart render(RenderRequest request);
}
