package dev.sro.runtime.bundle;

import static dev.sro.core.model.TreeLiterals.list;
import static dev.sro.core.model.TreeLiterals.map;

import dev.sro.core.model.ValueTrees;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a console shows of a kind, read out of its CustomResourceDefinition. Immutable. */
final class OwnedApi {

    private static final String UI = "urn:alm:descriptor:com.tectonic.ui:";

    private static final String CONDITIONS = "urn:alm:descriptor:io.kubernetes.conditions";

    /** What there is to see of a kind that has no objects of its own. */
    private static final List<Map<String, Object>> OWN_KIND = List.of(resource("SpecialResource", "v1beta1"));

    /** Kinds that recipes usually have. */
    private static final List<Map<String, Object>> OPERANDS = List.of(
            resource("DaemonSet", "apps/v1"),
            resource("Deployment", "apps/v1"),
            resource("Job", "batch/v1"),
            resource("Pod", "v1"),
            resource("ConfigMap", "v1"),
            resource("Namespace", "v1"),
            resource("ServiceAccount", "v1"));

    private final Map<String, Object> definition;

    OwnedApi(Map<String, Object> definition) {
        this.definition = definition;
    }

    private static Map<String, Object> resource(String kind, String version) {
        return map("kind", kind, "name", "", "version", version);
    }

    /** One entry for each version that is served. */
    List<Map<String, Object>> entries() {
        List<Map<String, Object>> entries = new ArrayList<>();
        for (Map<String, Object> version : ValueTrees.maps(definition, "spec", "versions")) {
            if (Boolean.TRUE.equals(version.get("served"))) {
                entries.add(entry(version));
            }
        }
        return entries;
    }

    private Map<String, Object> entry(Map<String, Object> version) {
        Map<String, Object> schema = ValueTrees.map(version, "schema", "openAPIV3Schema");
        String kind = ValueTrees.text(definition, "spec", "names", "kind");
        return map(
                "name",
                ValueTrees.text(definition, "metadata", "name"),
                "version",
                ValueTrees.text(version, "name"),
                "kind",
                kind,
                "displayName",
                words(kind),
                "description",
                ValueTrees.text(schema, "description"),
                "resources",
                kind.equals("PreflightValidation") ? OWN_KIND : OPERANDS,
                "specDescriptors",
                descriptors(schema, "spec"),
                "statusDescriptors",
                descriptors(schema, "status"));
    }

    private static List<Map<String, Object>> descriptors(Map<String, Object> schema, String part) {
        List<Map<String, Object>> descriptors = new ArrayList<>();
        Map<String, Object> properties = ValueTrees.map(schema, "properties", part, "properties");
        properties.keySet().stream().sorted().forEach(path -> {
            Map<String, Object> property = ValueTrees.map(properties, path);
            Map<String, Object> descriptor = map("path", path, "displayName", words(path));
            descriptor.put("description", ValueTrees.text(property, "description"));
            descriptor.put("x-descriptors", widgets(path, ValueTrees.text(property, "type"), part.equals("spec")));
            descriptors.add(descriptor);
        });
        return descriptors;
    }

    /** How a console shows it; nothing for what it has no widget for. */
    private static List<Object> widgets(String path, String type, boolean isSpec) {
        if (!isSpec) {
            return path.equals("conditions") ? list(CONDITIONS) : list();
        }
        return switch (type) {
            case "boolean" -> list(UI + "booleanSwitch");
            case "integer" -> list(UI + "number");
            case "string" -> list(UI + "text");
            default -> list();
        };
    }

    /** {@code nodeSelector} and {@code NodeSelector}: Node Selector. */
    private static String words(String name) {
        String spaced = name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", " ");
        return spaced.substring(0, 1).toUpperCase(Locale.ROOT) + spaced.substring(1);
    }
}
