package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.schema.CustomSchema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The types that CustomResourceDefinitions bring: puts them into the registry and takes them out. */
final class CustomTypes {
    private final ResourceRegistry registry;
    private final RuleBook rules;
    private final Map<String, List<ResourceType>> byDefinition = new HashMap<>();
    private final Map<Gvr, JsonNode> versions = new ConcurrentHashMap<>();

    CustomTypes(ResourceRegistry registry, RuleBook rules) {
        this.registry = registry;
        this.rules = rules;
    }

    /** Serves what a definition describes, in place of what it described before. */
    synchronized void serve(ObjectNode definition) {
        withdraw(Json.name(definition));
        JsonNode spec = definition.path("spec");
        String group = Json.text(spec, "group");
        JsonNode names = spec.path("names");
        String plural = Json.text(names, "plural");
        Gvr storage = new Gvr(group, storageVersion(spec), plural);
        List<ResourceType> types = new ArrayList<>();
        for (JsonNode version : spec.path("versions")) {
            if (version.path("served").asBoolean()) {
                types.add(type(spec, version, storage));
            }
        }
        for (ResourceType type : types) {
            JsonNode version = find(spec, type.gvr().version());
            versions.put(type.gvr(), version);
            JsonNode schema = version.path("schema").path("openAPIV3Schema");
            CustomSchema compiled = CustomSchema.compile(schema.isMissingNode() ? null : schema);
            rules.set(type.gvr(), new CustomRules(compiled, type.hasStatus()));
            registry.add(type);
        }
        byDefinition.put(Json.name(definition), types);
    }

    /** Stops to serve what a definition described. */
    synchronized void withdraw(String definition) {
        List<ResourceType> types = byDefinition.remove(definition);
        if (types != null) {
            for (ResourceType type : types) {
                registry.remove(type.gvr());
                rules.remove(type.gvr());
                versions.remove(type.gvr());
            }
        }
    }

    private static String storageVersion(JsonNode spec) {
        for (JsonNode version : spec.path("versions")) {
            if (version.path("storage").asBoolean()) {
                return Json.text(version, "name");
            }
        }
        return Json.text(spec.path("versions").path(0), "name");
    }

    private static JsonNode find(JsonNode spec, String name) {
        for (JsonNode version : spec.path("versions")) {
            if (Json.text(version, "name").equals(name)) {
                return version;
            }
        }
        throw new IllegalStateException("no version " + name);
    }

    private static ResourceType type(JsonNode spec, JsonNode version, Gvr storage) {
        JsonNode names = spec.path("names");
        Set<String> subresources = new HashSet<>();
        if (version.path("subresources").hasNonNull("status")) {
            subresources.add("status");
        }
        if (version.path("subresources").hasNonNull("scale")) {
            subresources.add("scale");
        }
        String kind = Json.text(names, "kind");
        String singular = Json.text(names, "singular");
        return new ResourceType(
                new Gvr(storage.group(), Json.text(version, "name"), storage.plural()),
                storage,
                kind,
                singular.isEmpty() ? kind.toLowerCase(Locale.ROOT) : singular,
                Json.text(spec, "scope").equals("Namespaced"),
                texts(names.path("shortNames")),
                texts(names.path("categories")),
                subresources,
                ResourceType.ALL_VERBS,
                true);
    }

    private static List<String> texts(JsonNode array) {
        List<String> all = new ArrayList<>();
        array.forEach(e -> all.add(e.asText()));
        return all;
    }

    /** {@code spec.versions[]} of the definition behind a type. */
    JsonNode version(Gvr type) {
        JsonNode version = versions.get(type);
        return version == null ? Json.object() : version;
    }

    List<String> selectableFields(ResourceType type) {
        List<String> fields = new ArrayList<>();
        for (JsonNode field : version(type.gvr()).path("selectableFields")) {
            String path = Json.text(field, "jsonPath");
            fields.add(path.startsWith(".") ? path.substring(1) : path);
        }
        return fields;
    }
}
