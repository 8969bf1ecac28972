package dev.sro.core.recipe.chart;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads Chart.yaml and holds it to Helm's rules ({@code pkg/chart/metadata.go} of Helm 3.21). Stateless. */
final class MetadataReader {

    /** What Helm's semver library takes: a leading v and missing minor and patch are fine. */
    private static final Pattern VERSION = Pattern.compile(
            "v?\\d+(\\.\\d+){0,2}(-[0-9A-Za-z-]+(\\.[0-9A-Za-z-]+)*)?(\\+[0-9A-Za-z-]+(\\.[0-9A-Za-z-]+)*)?");

    private static final Pattern ALIAS = Pattern.compile("[a-zA-Z0-9_-]+");

    private final String source;

    private MetadataReader(String source) {
        this.source = source;
    }

    /**
     * @param source what the message calls the chart
     * @param chart the tree in Chart.yaml
     * @param requirements the tree in requirements.yaml, the place of dependencies before Helm 3; empty when there is none
     */
    static ChartMetadata read(String source, Map<String, Object> chart, Map<String, Object> requirements) {
        return new MetadataReader(source + ": Chart.yaml: ").read(chart, requirements);
    }

    private ChartMetadata read(Map<String, Object> chart, Map<String, Object> requirements) {
        String name = text(chart, "name");
        String version = text(chart, "version");
        String type = text(chart, "type");
        String apiVersion = text(chart, "apiVersion").isEmpty() ? "v1" : text(chart, "apiVersion");
        check(!name.isEmpty(), "name is required");
        check(
                !name.equals(".") && !name.equals("..") && !name.contains("/"),
                "name \"" + name + "\" must be one path element");
        check(!version.isEmpty(), "version is required");
        check(VERSION.matcher(version).matches(), "version \"" + version + "\" is no semantic version");
        check(
                type.isEmpty() || type.equals("application") || type.equals("library"),
                "type \"" + type + "\" must be application or library");
        check(apiVersion.equals("v1") || apiVersion.equals("v2"), "apiVersion \"" + apiVersion + "\" must be v1 or v2");
        Map<String, Object> declares = requirements.containsKey("dependencies") ? requirements : chart;
        return new ChartMetadata(
                apiVersion,
                name,
                version,
                type,
                text(chart, "appVersion"),
                text(chart, "kubeVersion"),
                dependencies(declares.get("dependencies")),
                annotations(chart.get("annotations")));
    }

    private List<ChartMetadata.Dependency> dependencies(@Nullable Object list) {
        if (list == null) {
            return List.of();
        }
        check(list instanceof List, "dependencies must be a list");
        List<ChartMetadata.Dependency> result = new ArrayList<>();
        Set<String> keys = new HashSet<>();
        for (Object item : (List<?>) list) {
            check(item instanceof Map, "dependencies must not have empty entries");
            ChartMetadata.Dependency one = dependency((Map<?, ?>) item);
            check(
                    one.alias().isEmpty() || ALIAS.matcher(one.alias()).matches(),
                    "dependency \"" + one.name() + "\" has an alias with characters that are not allowed");
            check(keys.add(one.key()), "more than one dependency has the name or alias \"" + one.key() + "\"");
            result.add(one);
        }
        return result;
    }

    private static ChartMetadata.Dependency dependency(Map<?, ?> item) {
        List<String> tags = new ArrayList<>();
        if (item.get("tags") instanceof List<?> given) {
            given.forEach(tag -> tags.add(String.valueOf(tag)));
        }
        return new ChartMetadata.Dependency(
                text(item, "name"),
                text(item, "version"),
                text(item, "repository"),
                text(item, "alias"),
                text(item, "condition"),
                tags,
                item.get("import-values") instanceof List<?> imported && !imported.isEmpty());
    }

    private static Map<String, String> annotations(@Nullable Object tree) {
        Map<String, String> result = new LinkedHashMap<>();
        if (tree instanceof Map<?, ?> map) {
            map.forEach((key, value) -> result.put(String.valueOf(key), value == null ? "" : String.valueOf(value)));
        }
        return result;
    }

    private static String text(Map<?, ?> tree, String key) {
        Object value = tree.get(key);
        return value == null ? "" : value.toString();
    }

    private void check(boolean holds, String rule) {
        if (!holds) {
            throw ChartException.invalid(source + rule);
        }
    }
}
