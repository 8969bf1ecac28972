package dev.sro.core.engine.relation;

import dev.sro.api.resource.ChartDependency;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.manifest.AppliedDigest;
import dev.sro.core.manifest.RenderException;
import dev.sro.core.model.Codec;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.recipe.chart.Chart;
import dev.sro.core.recipe.chart.ChartFile;
import dev.sro.core.yaml.Yaml;
import dev.sro.core.yaml.YamlException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** The manifest of a special resource that is made for a chart among the dependencies of another one. Immutable. */
final class DependencyManifest {

    private final Codec codec;
    private final Set<String> inherited;

    /** @param inherited keys of labels that it has from the one that it is made for, unless its chart says something else */
    DependencyManifest(Codec codec, Set<String> inherited) {
        this.codec = codec;
        this.inherited = Set.copyOf(inherited);
    }

    /**
     * The special resource as the file that is named like the chart has it, with what the parent says of chart and values.
     *
     * @param name of the chart, and so of the special resource
     * @throws RenderException if that file is no special resource
     */
    KubeObject of(SpecialResource parent, String name, ChartDependency needed, Chart chart) {
        return AppliedDigest.stamp(KubeObject.of(template(chart, name)).edit(tree -> {
            tree.remove("status");
            tree.put("apiVersion", SpecialResource.GROUP + "/" + SpecialResource.VERSION);
            tree.put("kind", SpecialResource.KIND);
            Map<String, Object> metadata = ValueTrees.ensureMap(tree, "metadata");
            metadata.keySet().retainAll(List.of("labels", "annotations"));
            metadata.put("name", name);
            Map<String, Object> labels = ValueTrees.ensureMap(tree, "metadata", "labels");
            labels.put(MetadataKeys.DEPENDENCY, "true");
            inherit(parent, labels);
            Map<String, Object> spec = ValueTrees.ensureMap(tree, "spec");
            spec.putIfAbsent("namespace", name);
            spec.put("chart", ValueTrees.mutableCopy(codec.toTree(Objects.requireNonNull(needed.getChart()))));
            if (!needed.getSet().isEmpty()) {
                spec.put("set", ValueTrees.mutableCopy(needed.getSet()));
            }
        }));
    }

    /** So that whoever serves the one serves the other. */
    private void inherit(SpecialResource parent, Map<String, Object> labels) {
        Map<String, String> theirs = parent.getMetadata().getLabels();
        if (theirs != null) {
            theirs.forEach((key, value) -> {
                if (inherited.contains(key)) {
                    labels.putIfAbsent(key, value);
                }
            });
        }
    }

    private static Map<String, Object> template(Chart chart, String name) {
        Optional<ChartFile> file = chart.file(name + ".yaml");
        if (file.isEmpty()) {
            return Map.of();
        }
        String source = "chart " + chart.label() + ": " + name + ".yaml";
        return documents(source, file.get().text()).stream()
                .filter(document -> SpecialResource.KIND.equals(document.get("kind")))
                .findFirst()
                .orElseThrow(() -> RenderException.vendor(
                        "InvalidDependency",
                        source + " is no SpecialResource; it has to be one, or have another name, for the chart to be a"
                                + " dependency"));
    }

    private static List<Map<String, Object>> documents(String source, String text) {
        try {
            return Yaml.documents(source, text);
        } catch (YamlException e) {
            throw RenderException.vendor("InvalidManifest", String.valueOf(e.getMessage()));
        }
    }
}
