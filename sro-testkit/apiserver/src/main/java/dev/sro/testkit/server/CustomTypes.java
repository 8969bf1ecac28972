package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.schema.CustomSchema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The types that CustomResourceDefinitions bring: puts them into the registry and takes them out. */
final class CustomTypes {
    private final ResourceRegistry registry;
    private final RuleBook rules;
    private final Store store;
    private final Map<Gvr, JsonNode> storageSchemas = new HashMap<>();
    private final Map<String, List<ResourceType>> byDefinition = new HashMap<>();
    /** The spec of each definition, as it is served. */
    private final Map<String, JsonNode> served = new HashMap<>();

    private final Map<Gvr, JsonNode> versions = new ConcurrentHashMap<>();
    private final Map<Gvr, String> deprecations = new ConcurrentHashMap<>();

    CustomTypes(ResourceRegistry registry, RuleBook rules, Store store) {
        this.store = store;
        this.registry = registry;
        this.rules = rules;
    }

    /** Serves what a definition describes, in place of what it described before; nothing happens if that is the same. */
    synchronized void serve(ObjectNode definition) {
        String name = Json.name(definition);
        JsonNode spec = definition.path("spec");
        if (spec.equals(served.get(name))) {
            return;
        }
        Gvr storage = new Gvr(Json.text(spec, "group"), storageVersion(spec), Json.text(spec.path("names"), "plural"));
        CustomSchema stored = compile(find(spec, storage.version()));
        Map<ResourceType, CustomRules> types = new LinkedHashMap<>();
        for (JsonNode version : spec.path("versions")) {
            if (version.path("served").asBoolean()) {
                ResourceType type = type(spec, version, storage);
                CustomSchema compiled = type.gvr().equals(storage) ? stored : compile(version);
                types.put(
                        type,
                        new CustomRules(
                                compiled,
                                stored,
                                type.hasStatus(),
                                new ScalePaths(version.path("subresources").path("scale"))));
            }
        }
        withdraw(name);
        types.forEach((type, rule) -> {
            JsonNode version = find(spec, type.gvr().version());
            versions.put(type.gvr(), version);
            deprecation(spec, version).ifPresent(said -> deprecations.put(type.gvr(), said));
            rules.set(type.gvr(), rule);
            registry.add(type);
        });
        byDefinition.put(name, List.copyOf(types.keySet()));
        served.put(name, spec);
        JsonNode schema = find(spec, storage.version()).path("schema");
        JsonNode before = storageSchemas.put(storage, schema);
        if (before != null && !before.equals(schema)) {
            reread(storage, stored);
        }
    }

    private static CustomSchema compile(JsonNode version) {
        JsonNode schema = version.path("schema").path("openAPIV3Schema");
        return CustomSchema.compile(schema.isMissingNode() ? null : schema);
    }

    /**
     * Objects are pruned and defaulted whenever they are read from the store, by the schema of that time. Here that happens once
     * when the schema changes: their versions stay, and nobody is told.
     */
    private void reread(Gvr storage, CustomSchema schema) {
        store.locked(() -> {
            store.table(storage).objects.replaceAll((key, stored) -> {
                ObjectNode object = stored.object().deepCopy();
                schema.prune(object);
                schema.applyDefaults(object);
                return object.equals(stored.object()) ? stored : new Stored(object, stored.fields(), stored.version());
            });
            return true;
        });
    }

    /** An object as clients of its type see it. */
    Stored served(ResourceType type, Stored stored) {
        return type.custom() ? rules.of(type).served(stored) : EventForms.served(type, stored);
    }

    /** Stops to serve what a definition described. */
    synchronized void withdraw(String definition) {
        served.remove(definition);
        List<ResourceType> types = byDefinition.remove(definition);
        if (types != null) {
            for (ResourceType type : types) {
                registry.remove(type.gvr());
                rules.remove(type.gvr());
                versions.remove(type.gvr());
                deprecations.remove(type.gvr());
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

    /** What is to be said of every request for a version that its definition calls deprecated; empty for all others. */
    Optional<String> deprecation(Gvr type) {
        String said = deprecations.get(type);
        return Optional.ofNullable(said);
    }

    private static Optional<String> deprecation(JsonNode spec, JsonNode version) {
        if (!version.path("deprecated").asBoolean()) {
            return Optional.empty();
        }
        if (version.hasNonNull("deprecationWarning")) {
            return Optional.of(Json.text(version, "deprecationWarning"));
        }
        String name = Json.text(version, "name");
        String newest = "";
        for (JsonNode other : spec.path("versions")) {
            String candidate = Json.text(other, "name");
            boolean better = other.path("served").asBoolean()
                    && !other.path("deprecated").asBoolean()
                    && VersionOrder.compare(candidate, newest.isEmpty() ? name : newest) > 0;
            newest = better ? candidate : newest;
        }
        String group = Json.text(spec, "group") + "/";
        String kind = " " + Json.text(spec.path("names"), "kind");
        return Optional.of(
                group + name + kind + " is deprecated" + (newest.isEmpty() ? "" : "; use " + group + newest + kind));
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
