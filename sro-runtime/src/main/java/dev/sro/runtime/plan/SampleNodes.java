package dev.sro.runtime.plan;

import dev.sro.api.resource.NodeTerm;
import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceSpec;
import dev.sro.core.model.Specs;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.recipe.source.StateKeys;
import dev.sro.runtime.UnusableInputException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Nodes that nobody has, one for each kernel that was named: for who has a recipe and no cluster yet. Stateless. */
final class SampleNodes {

    private static final String KERNEL = "--kernel ";

    /** Of RHEL and its like: {@code 5.14.0-427.11.1.el9_4.x86_64}. */
    private static final Pattern EL = Pattern.compile("\\.el(\\d+)_(\\d+)");

    private static final Map<String, String> ARCHITECTURES =
            Map.of("x86_64", "amd64", "aarch64", "arm64", "ppc64le", "ppc64le", "s390x", "s390x");

    private SampleNodes() {}

    static List<Document> create(PreviewOptions options, List<SpecialResource> resources) {
        List<Document> nodes = new ArrayList<>();
        for (String kernel : options.kernels()) {
            Map<String, Object> labels = new LinkedHashMap<>();
            labels.put("node-role.kubernetes.io/worker", "");
            resources.stream()
                    .filter(resource -> resource.getSpec() != null)
                    .forEach(resource -> labels.putAll(selected(resource, options.documents())));
            labels.putAll(options.nodeLabels());
            String architecture = architecture(kernel);
            labels.putIfAbsent("kubernetes.io/arch", architecture);
            Map<String, Object> tree = Map.of(
                    "apiVersion",
                    "v1",
                    "kind",
                    "Node",
                    "metadata",
                    Map.of("name", "node-" + (nodes.size() + 1), "labels", labels),
                    "status",
                    Map.of(
                            "nodeInfo",
                            Map.of(
                                    "kernelVersion",
                                    kernel,
                                    "osImage",
                                    options.osImage().isEmpty() ? osImage(kernel) : options.osImage(),
                                    "architecture",
                                    architecture)));
            nodes.add(new Document(KERNEL + kernel, tree));
        }
        return nodes;
    }

    /** What nodes need to be selected, also by the recipes of the first generations. */
    private static Map<String, String> selected(SpecialResource resource, List<Document> documents) {
        SpecialResourceSpec spec = Specs.of(resource);
        Map<String, String> labels = new LinkedHashMap<>(spec.getNodeSelector());
        NodeTerm node = spec.getNode();
        if (node != null && !node.getSelector().isEmpty()) {
            labels.put(node.getSelector(), "true");
        }
        documents.stream()
                .filter(FileRecipes::isMap)
                .map(map -> ValueTrees.text(map.tree(), "metadata", "annotations", StateKeys.NODE_FEATURE))
                .filter(feature -> !feature.isEmpty())
                .forEach(feature -> labels.put(feature, "true"));
        return labels;
    }

    private static String architecture(String kernel) {
        return ARCHITECTURES.entrySet().stream()
                .filter(entry -> kernel.contains(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("amd64");
    }

    private static String osImage(String kernel) {
        Matcher matcher = EL.matcher(kernel);
        if (!matcher.find()) {
            throw new UnusableInputException(
                    KERNEL + kernel,
                    "does not say of which operating system it is; add --os-image, for example \"Ubuntu 22.04.3 LTS\"");
        }
        return "Red Hat Enterprise Linux " + matcher.group(1) + "." + matcher.group(2);
    }
}
