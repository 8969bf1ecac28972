package dev.sro.core.recipe.chart;

import dev.sro.core.yaml.LenientYaml;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Layers of values: maps are merged at every depth, scalars and lists are replaced, and null takes away what the layer
 * below has. Keys that nobody knows are kept. Stateless; arguments are not changed, results are unmodifiable at the top.
 */
public final class ChartValues {

    private static final String GLOBAL = "global";

    private ChartValues() {}

    /**
     * What the renderer is given: values from the cluster win over those that the user set. A null stays, because it is
     * meant for the chart's own values below.
     *
     * @param set {@code spec.set} of the special resource
     * @param runtime what is known of cluster and node
     */
    public static Map<String, Object> given(Map<String, ?> set, Map<String, ?> runtime) {
        Map<String, Object> result = new LinkedHashMap<>(set);
        over(result, runtime);
        return Collections.unmodifiableMap(result);
    }

    /**
     * What templates of the chart see as {@code .Values}: its values.yaml below the given ones, with the values of the charts
     * inside under their names. Conditions, tags and import-values are not considered.
     *
     * @param chart the chart
     * @param given values from outside, as made by {@link #given}
     */
    public static Map<String, Object> effective(Chart chart, Map<String, ?> given) {
        Map<String, Object> result = new LinkedHashMap<>(chart.values());
        over(result, given);
        dropNulls(result);
        for (Chart inside : chart.subcharts()) {
            for (String key : ChartNames.ofValues(chart, inside)) {
                Map<String, Object> own = new LinkedHashMap<>();
                if (result.get(key) instanceof Map<?, ?> map) {
                    own.putAll(cast(map));
                } else if (result.containsKey(key)) {
                    continue;
                }
                if (result.get(GLOBAL) instanceof Map<?, ?> global) {
                    Map<String, Object> merged = own.get(GLOBAL) instanceof Map<?, ?> map
                            ? new LinkedHashMap<>(cast(map))
                            : new LinkedHashMap<>();
                    over(merged, cast(global));
                    own.put(GLOBAL, merged);
                }
                result.put(key, effective(inside, own));
            }
        }
        return Collections.unmodifiableMap(result);
    }

    private static void over(Map<String, Object> below, Map<String, ?> above) {
        above.forEach((key, value) -> LenientYaml.putNullable(below, key, over(below.get(key), value)));
    }

    private static @Nullable Object over(@Nullable Object below, @Nullable Object above) {
        if (below instanceof Map<?, ?> old && above instanceof Map<?, ?> map) {
            Map<String, Object> merged = new LinkedHashMap<>(cast(old));
            over(merged, cast(map));
            return merged;
        }
        return above;
    }

    private static void dropNulls(Map<String, Object> map) {
        map.values().removeIf(value -> value == null);
        map.replaceAll((key, value) -> {
            if (value instanceof Map<?, ?> inner) {
                Map<String, Object> copy = new LinkedHashMap<>(cast(inner));
                dropNulls(copy);
                return copy;
            }
            return value;
        });
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> cast(Map<?, ?> map) {
        return (Map<String, Object>) map;
    }
}
