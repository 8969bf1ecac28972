package dev.sro.core.recipe;

import dev.sro.core.recipe.chart.ChartMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Chart.yaml as Helm keeps it in the record of a release. Stateless. */
final class ChartRecord {

    private ChartRecord() {}

    static Map<String, Object> metadata(ChartMetadata chart) {
        Map<String, Object> tree = new TreeMap<>();
        tree.put("apiVersion", chart.apiVersion());
        tree.put("name", chart.name());
        tree.put("version", chart.version());
        put(tree, "type", chart.type());
        put(tree, "appVersion", chart.appVersion());
        put(tree, "kubeVersion", chart.kubeVersion());
        if (!chart.annotations().isEmpty()) {
            tree.put("annotations", new TreeMap<>(chart.annotations()));
        }
        List<Object> dependencies = new ArrayList<>();
        for (ChartMetadata.Dependency dependency : chart.dependencies()) {
            Map<String, Object> one = new TreeMap<>();
            one.put("name", dependency.name());
            put(one, "version", dependency.version());
            one.put("repository", dependency.repository());
            put(one, "alias", dependency.alias());
            put(one, "condition", dependency.condition());
            if (!dependency.tags().isEmpty()) {
                one.put("tags", dependency.tags());
            }
            dependencies.add(one);
        }
        if (!dependencies.isEmpty()) {
            tree.put("dependencies", dependencies);
        }
        return tree;
    }

    private static void put(Map<String, Object> tree, String key, String text) {
        if (!text.isEmpty()) {
            tree.put(key, text);
        }
    }
}
