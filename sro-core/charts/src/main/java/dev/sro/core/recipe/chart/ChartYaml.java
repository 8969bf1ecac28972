package dev.sro.core.recipe.chart;

import dev.sro.core.yaml.LenientYaml;
import dev.sro.core.yaml.YamlException;
import java.util.Map;

/** Reads Chart.yaml, values.yaml and indexes: what is wrong with one is the chart's. Stateless. */
final class ChartYaml {

    private ChartYaml() {}

    /**
     * The map in the text; empty when there is none.
     *
     * @param source chart and file, for the message
     * @throws ChartException if it is not YAML or not a map
     */
    static Map<String, Object> map(String source, String text) {
        try {
            return LenientYaml.map(source, text);
        } catch (YamlException e) {
            throw ChartException.invalid(String.valueOf(e.getMessage()));
        }
    }
}
