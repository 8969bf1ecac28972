package dev.sro.core.recipe;

import java.util.Map;

/**
 * What of a chart makes a release of it. Immutable.
 *
 * @param name of the release
 * @param namespace of the release
 * @param metadata Chart.yaml, as Helm keeps it
 * @param digest of all files of the chart
 * @param values values.yaml
 * @param config values that the user set
 */
public record ChartRelease(
        String name,
        String namespace,
        Map<String, Object> metadata,
        String digest,
        Map<String, Object> values,
        Map<String, Object> config) {}
