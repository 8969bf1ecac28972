package dev.sro.core.recipe.chart;

import dev.sro.core.model.Digests;
import dev.sro.core.yaml.Json;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What to render. Immutable, as far as the values are.
 *
 * @param chart the chart
 * @param values from outside of the chart, as made by {@link ChartValues#given}; must not be changed afterwards
 * @param release what templates see as {@code .Release}
 * @param cluster what templates see as {@code .Capabilities}
 * @param strict whether a file that reads a value that nobody defined is a problem and not only a warning
 */
public record RenderRequest(Chart chart, Map<String, Object> values, Release release, Cluster cluster, boolean strict) {

    /** Freezes the top. */
    public RenderRequest {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /**
     * The release that is always installed for the first time: {@code IsInstall} is true and {@code Revision} 1.
     *
     * @param name of the special resource
     * @param namespace of the operands
     */
    public record Release(String name, String namespace) {}

    /**
     * What the cluster can do.
     *
     * @param kubeVersion such as {@code v1.30.1}
     * @param apiVersions what it serves: {@code apps/v1} and {@code apps/v1/Deployment}
     */
    public record Cluster(String kubeVersion, SortedSet<String> apiVersions) {

        /** Copies. */
        public Cluster {
            apiVersions = Collections.unmodifiableSortedSet(new TreeSet<>(apiVersions));
        }
    }

    /** Equal for equal questions, in hexadecimal digits of SHA-256. */
    public String digest() {
        StringBuilder text = new StringBuilder(1024);
        for (String part : new String[] {
            chart.digest(), release.name(), release.namespace(), cluster.kubeVersion(), String.valueOf(strict)
        }) {
            text.append(part.length()).append(':').append(part);
        }
        cluster.apiVersions().forEach(version -> text.append(version).append('\n'));
        text.append('\0');
        Json.write(values, text);
        return Digests.sha256(text.toString());
    }
}
