package dev.sro.core.recipe.chart;

import java.util.List;
import java.util.Map;

/**
 * What Chart.yaml says. Immutable.
 *
 * @param apiVersion v1 or v2; v1 when there is none, as in Helm
 * @param name the chart's name
 * @param version its version
 * @param type {@code application}, {@code library} or empty, which is an application
 * @param appVersion version of what it installs; may be empty
 * @param kubeVersion constraint on the version of Kubernetes; may be empty
 * @param dependencies charts that it needs, from Chart.yaml, or from requirements.yaml when there is one
 * @param annotations free text
 */
public record ChartMetadata(
        String apiVersion,
        String name,
        String version,
        String type,
        String appVersion,
        String kubeVersion,
        List<Dependency> dependencies,
        Map<String, String> annotations) {

    /** Copies. */
    public ChartMetadata {
        dependencies = List.copyOf(dependencies);
        annotations = Map.copyOf(annotations);
    }

    /** Whether it only lends its named templates to others. */
    public boolean isLibrary() {
        return type.equals("library");
    }

    /**
     * A chart that this one needs.
     *
     * @param name its name
     * @param version constraint on its version
     * @param repository where a package manager finds it; may be empty
     * @param alias the name it has in here; empty when it keeps its own
     * @param condition values, comma separated, of which the first that is there switches it on or off
     * @param tags any of them in {@code values.tags} switches it on or off
     * @param importsValues whether it lifts values of that chart into its own
     */
    public record Dependency(
            String name,
            String version,
            String repository,
            String alias,
            String condition,
            List<String> tags,
            boolean importsValues) {

        /** Copies. */
        public Dependency {
            tags = List.copyOf(tags);
        }

        /** The name under which its values are. */
        public String key() {
            return alias.isEmpty() ? name : alias;
        }
    }
}
