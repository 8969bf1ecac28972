package dev.sro.runtime.plan;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.slicing.input.Suggestions;
import dev.sro.core.yaml.Yaml;
import dev.sro.runtime.CrdCommand;
import dev.sro.runtime.UnusableInputException;
import dev.sro.testkit.schema.CustomSchema;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Judges a special resource as an API server with our CustomResourceDefinition does. Immutable. */
final class ResourceSchema {

    private final ObjectMapper mapper = new ObjectMapper();
    private final CustomSchema schema;

    private ResourceSchema(Map<String, Object> openApi) {
        this.schema = CustomSchema.compile(mapper.valueToTree(openApi));
    }

    /** Reads the definition that comes with the API. */
    static ResourceSchema load() {
        return load(CrdCommand.RESOURCE);
    }

    /** Reads one of the definitions that come with the API. */
    static ResourceSchema load(String definition) {
        try (InputStream in = SpecialResource.class.getResourceAsStream(definition)) {
            if (in == null) {
                throw new IllegalStateException("missing on the class path: " + definition);
            }
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return ValueTrees.maps(Yaml.documents(definition, text).get(0), "spec", "versions").stream()
                    .filter(version -> SpecialResource.VERSION.equals(version.get("name")))
                    .findFirst()
                    .map(version -> new ResourceSchema(ValueTrees.map(version, "schema", "openAPIV3Schema")))
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A special resource with the fields alone that there are. Immutable.
     *
     * @param tree what is left
     * @param unknown the fields that are not known, which an API server drops
     * @param errors for what an API server would refuse it, each with its field
     */
    record Pruned(Map<String, Object> tree, List<String> unknown, List<String> errors) {}

    /** What an API server would make of it. */
    Pruned prune(Map<String, Object> tree) {
        ObjectNode object = mapper.valueToTree(tree);
        List<String> unknown = schema.prune(object);
        // That rules were left out as there are errors is said of no field, and tells nobody anything.
        List<String> errors = schema.validate(object, null).stream()
                .filter(error -> !error.field().equals("<nil>"))
                .map(error -> error.field() + ": " + error.message())
                .toList();
        return new Pruned(
                mapper.convertValue(object, new TypeReference<LinkedHashMap<String, Object>>() {}), unknown, errors);
    }

    /**
     * Checks a special resource.
     *
     * @return a sentence for each field that is not known, which an API server drops, with the one that may have been meant
     * @throws UnusableInputException if an API server would refuse it
     */
    List<String> check(Document document) {
        Pruned pruned = prune(document.tree());
        if (!pruned.errors().isEmpty()) {
            throw new UnusableInputException(
                    document.where(),
                    pruned.errors().stream()
                            .map(error -> EarlierVersions.withFix(error, document.tree()))
                            .map(error -> withName(error, document.tree()))
                            .collect(Collectors.joining("; ")));
        }
        return pruned.unknown().stream()
                .map(field -> document.unknown(field) + meant(field))
                .toList();
    }

    /** The name of a plugin where an object with it belongs. */
    private static String withName(String error, Map<String, Object> tree) {
        Object plugin = ValueTrees.map(tree, "spec").get("plugin");
        return plugin instanceof String name && error.startsWith("spec.plugin: ")
                ? error + "; write plugin: {name: " + name + "}"
                : error;
    }

    /** {@code "; did you mean nodeSelector?"} of {@code spec.nodeSelecter}; empty where no field is near. */
    String meant(String field) {
        return Suggestions.meant(field.substring(field.lastIndexOf('.') + 1), schema.fieldsBeside(field));
    }
}
