package dev.sro.runtime.bundle.check;

import static dev.sro.runtime.bundle.check.BundleRule.API_WITHOUT_EXAMPLE;
import static dev.sro.runtime.bundle.check.BundleRule.DESCRIPTOR_MISSING;
import static dev.sro.runtime.bundle.check.BundleRule.EXAMPLES_INVALID;
import static dev.sro.runtime.bundle.check.BundleRule.EXAMPLES_MISSING;
import static dev.sro.runtime.bundle.check.BundleRule.EXAMPLE_NOT_OWNED;
import static dev.sro.runtime.bundle.check.BundleRule.EXAMPLE_REFUSED;
import static dev.sro.runtime.bundle.check.BundleRule.EXAMPLE_UNKNOWN_FIELD;
import static dev.sro.runtime.bundle.check.BundleRule.EXAMPLE_WITHOUT_SPEC;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.core.model.ValueTrees;
import dev.sro.testkit.schema.CustomSchema;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** {@code alm-examples}: each is what an API server would take, and a console can explain. Stateless. */
final class ExampleRules {

    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private ExampleRules() {}

    static void check(Bundle bundle, Bundle.Manifest manifest, Findings findings) {
        Map<String, Object> csv = manifest.object();
        String where = manifest.file() + " metadata.annotations.alm-examples";
        String text = ValueTrees.text(csv, "metadata", "annotations", "alm-examples");
        List<Map<String, Object>> owned = ApiRules.owned(csv);
        if (text.isBlank()) {
            findings.addUnless(owned.isEmpty(), EXAMPLES_MISSING, where, "is missing");
            return;
        }
        JsonNode examples;
        try {
            examples = JSON.readTree(text);
        } catch (JsonProcessingException e) {
            findings.add(EXAMPLES_INVALID, where, "is no JSON: " + e.getOriginalMessage());
            return;
        }
        if (!examples.isArray()) {
            findings.add(EXAMPLES_INVALID, where, "is no JSON array of objects");
            return;
        }
        Set<String> seen = new HashSet<>();
        for (JsonNode example : examples) {
            example(bundle, owned, where, example, seen, findings);
        }
        for (Map<String, Object> api : owned) {
            findings.addUnless(seen.contains(key(api)), API_WITHOUT_EXAMPLE, where, "has no example of " + key(api));
        }
    }

    private static String key(Map<String, Object> api) {
        String name = ValueTrees.text(api, "name");
        return name.substring(name.indexOf('.') + 1) + "/" + ValueTrees.text(api, "version") + " "
                + ValueTrees.text(api, "kind");
    }

    private static void example(
            Bundle bundle,
            List<Map<String, Object>> owned,
            String examples,
            JsonNode example,
            Set<String> seen,
            Findings findings) {
        String key =
                example.path("apiVersion").asText() + " " + example.path("kind").asText();
        String where = examples + "[" + example.path("kind").asText() + " "
                + example.path("metadata").path("name").asText() + "]";
        Optional<Map<String, Object>> api =
                owned.stream().filter(entry -> key(entry).equals(key)).findFirst();
        if (api.isEmpty() || !(example instanceof ObjectNode object)) {
            findings.add(EXAMPLE_NOT_OWNED, where, "the bundle owns no " + key);
            return;
        }
        seen.add(key);
        JsonNode spec = object.path("spec");
        findings.addUnless(spec.isObject(), EXAMPLE_WITHOUT_SPEC, where, "has no spec");
        descriptors(api.get(), "spec", spec, where, findings);
        descriptors(api.get(), "status", object.path("status"), where, findings);
        schema(bundle, api.get()).ifPresent(schema -> judge(schema, object.deepCopy(), where, findings));
    }

    private static void descriptors(
            Map<String, Object> api, String part, JsonNode fields, String where, Findings findings) {
        Set<String> explained = ValueTrees.maps(api, part + "Descriptors").stream()
                .map(descriptor -> ValueTrees.text(descriptor, "path").replaceFirst("[.\\[].*", ""))
                .collect(Collectors.toSet());
        fields.fieldNames()
                .forEachRemaining(field -> findings.addUnless(
                        explained.contains(field),
                        DESCRIPTOR_MISSING,
                        where,
                        part + "." + field + " has no descriptor in " + part + "Descriptors"));
    }

    private static Optional<CustomSchema> schema(Bundle bundle, Map<String, Object> api) {
        return bundle.ofKind("CustomResourceDefinition").stream()
                .filter(definition -> definition.name().equals(api.get("name")))
                .flatMap(definition -> ValueTrees.maps(definition.object(), "spec", "versions").stream())
                .filter(version -> ValueTrees.text(version, "name").equals(ValueTrees.text(api, "version")))
                .map(version -> ValueTrees.map(version, "schema", "openAPIV3Schema"))
                .filter(schema -> !schema.isEmpty())
                .findFirst()
                .map(schema -> CustomSchema.compile(JSON.valueToTree(schema)));
    }

    private static void judge(CustomSchema schema, ObjectNode example, String where, Findings findings) {
        for (String unknown : schema.prune(example)) {
            findings.add(EXAMPLE_UNKNOWN_FIELD, where, unknown + " is no field of it and is dropped");
        }
        schema.applyDefaults(example);
        schema.validate(example, null)
                .forEach(error -> findings.add(EXAMPLE_REFUSED, where, error.field() + ": " + error.message()));
    }
}
