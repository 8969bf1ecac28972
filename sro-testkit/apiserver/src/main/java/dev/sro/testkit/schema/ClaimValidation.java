package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Validation of what asks for devices: ResourceClaims, ResourceClaimTemplates, DeviceClasses. The limits are those of the types of
 * {@code resource.k8s.io/v1}.
 */
final class ClaimValidation {
    private static final int MAX_REQUESTS = 32;
    private static final int MAX_ALTERNATIVES = 8;
    private static final int MAX_CONSTRAINTS = 32;
    private static final int MAX_CONFIG = 32;
    private static final int MAX_SELECTORS = 32;
    private static final int MAX_PARAMETERS = 10 * 1024;
    static final List<String> EFFECTS = List.of("\"NoExecute\"", "\"NoSchedule\"", "\"None\"");
    private static final List<String> OPERATORS = List.of("\"Equal\"", "\"Exists\"");
    private static final List<String> MODES = List.of("\"All\"", "\"ExactCount\"");
    private static final String REFERENCE =
            "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";

    private final List<FieldError> errors = new ArrayList<>();
    private final Map<String, Set<String>> requestNames;

    ClaimValidation(@Nullable JsonNode devices) {
        this.requestNames = names(devices);
    }

    List<FieldError> errors() {
        return errors;
    }

    static List<FieldError> claim(ObjectNode claim, @Nullable ObjectNode old) {
        if (old == null) {
            return spec(claim.path("spec"), "spec");
        }
        List<FieldError> errors = new ArrayList<>();
        if (!claim.path("spec").equals(old.path("spec"))) {
            errors.add(InternalForm.invalid("spec", "ResourceClaimSpec", claim.path("spec"), "field is immutable"));
        }
        if (!claim.path("status").equals(old.path("status"))) {
            errors.addAll(AllocationValidation.status(claim, old));
        }
        return errors;
    }

    static List<FieldError> template(ObjectNode template, @Nullable ObjectNode old) {
        JsonNode spec = template.path("spec");
        List<FieldError> errors = new ArrayList<>();
        templateMetadata(spec.path("metadata"), errors);
        errors.addAll(spec(spec.path("spec"), "spec.spec"));
        if (old != null && !spec.equals(old.path("spec"))) {
            errors.add(InternalForm.invalid("spec", "ResourceClaimTemplateSpec", spec, "field is immutable"));
        }
        return errors;
    }

    private static void templateMetadata(JsonNode metadata, List<FieldError> errors) {
        metadata.path("labels").properties().forEach(e -> {
            DeviceNames.labelKey(e.getKey(), "spec.metadata.labels", errors);
            DeviceNames.labelValue(e.getValue().asText(), "spec.metadata.labels", errors);
        });
        for (Map.Entry<String, JsonNode> field : metadata.properties()) {
            boolean allowed = field.getKey().equals("labels") || field.getKey().equals("annotations");
            JsonNode value = field.getValue();
            boolean none = value.isNull()
                    || value.asText("x").isEmpty()
                    || value.asText().equals("0");
            // Lists and times that are there count, whatever is in them; of numbers and texts nought and nothing are
            // none.
            if (!allowed && (value.isContainerNode() || !none)) {
                errors.add(FieldError.forbidden(
                        "spec.metadata." + (field.getKey().equals("uid") ? "uID" : field.getKey()), "cannot be set"));
            }
        }
    }

    static List<FieldError> deviceClass(ObjectNode deviceClass) {
        ClaimValidation v = new ClaimValidation(null);
        JsonNode spec = deviceClass.path("spec");
        v.selectors(spec.path("selectors"), "spec.selectors");
        if (v.few(spec.path("config"), MAX_CONFIG, "spec.config")) {
            int i = 0;
            for (JsonNode config : spec.path("config")) {
                v.opaque(config, "spec.config[" + i++ + "]");
            }
        }
        JsonNode extended = spec.path("extendedResourceName");
        if (extended.isTextual() && !DeviceNames.isExtendedResource(extended.asText())) {
            v.errors.add(FieldError.invalid(
                    "spec.extendedResourceName", extended, "must be a valid extended resource name"));
        }
        return v.errors;
    }

    private static List<FieldError> spec(JsonNode spec, String path) {
        JsonNode devices = spec.path("devices");
        ClaimValidation v = new ClaimValidation(devices);
        v.devices(devices, path + ".devices");
        return v.errors;
    }

    /** Names of requests; with those of alternatives where there are any. */
    private static Map<String, Set<String>> names(@Nullable JsonNode devices) {
        Map<String, Set<String>> names = new LinkedHashMap<>();
        for (ObjectNode request : JsonTree.objects(devices, "requests")) {
            Set<String> below = new HashSet<>();
            JsonTree.objects(request, "firstAvailable").forEach(s -> below.add(JsonTree.text(s, "name")));
            names.put(JsonTree.text(request, "name"), below);
        }
        return names;
    }

    /** Whether a list has at most so many items; if it has more, nothing else is said of it. */
    boolean few(JsonNode list, int max, String path) {
        if (list.size() > max) {
            errors.add(FieldError.tooMany(path, list.size(), max));
            return false;
        }
        return true;
    }

    /** Says which of these are there already. */
    void unique(List<String> keys, String path) {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < keys.size(); i++) {
            if (!seen.add(keys.get(i))) {
                errors.add(FieldError.duplicate(path + "[" + i + "]", TextNode.valueOf(keys.get(i))));
            }
        }
    }

    private void devices(JsonNode devices, String path) {
        if (few(devices.path("requests"), MAX_REQUESTS, path + ".requests")) {
            List<String> keys = new ArrayList<>();
            for (ObjectNode request : JsonTree.objects(devices, "requests")) {
                request(request, path + ".requests[" + keys.size() + "]");
                keys.add(JsonTree.text(request, "name"));
            }
            unique(keys, path + ".requests");
        }
        if (few(devices.path("constraints"), MAX_CONSTRAINTS, path + ".constraints")) {
            int i = 0;
            for (ObjectNode constraint : JsonTree.objects(devices, "constraints")) {
                constraint(constraint, path + ".constraints[" + i++ + "]");
            }
        }
        if (few(devices.path("config"), MAX_CONFIG, path + ".config")) {
            int i = 0;
            for (ObjectNode config : JsonTree.objects(devices, "config")) {
                String at = path + ".config[" + i++ + "]";
                references(config.path("requests"), at + ".requests");
                opaque(config, at);
            }
        }
    }

    private void request(ObjectNode request, String path) {
        DeviceNames.label(JsonTree.text(request, "name"), path + ".name", errors);
        List<ObjectNode> alternatives = JsonTree.objects(request, "firstAvailable");
        ObjectNode exactly = JsonTree.object(request, "exactly");
        if (alternatives.isEmpty() && exactly == null) {
            errors.add(FieldError.required(path, "exactly one of `exactly` or `firstAvailable` is required"));
        } else if (!alternatives.isEmpty() && exactly != null) {
            errors.add(FieldError.invalid(
                    path,
                    request.nullNode(),
                    "exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set"));
        } else if (exactly != null) {
            wanted(exactly, path + ".exactly");
        } else if (few(request.path("firstAvailable"), MAX_ALTERNATIVES, path + ".firstAvailable")) {
            List<String> keys = new ArrayList<>();
            for (ObjectNode alternative : alternatives) {
                String at = path + ".firstAvailable[" + keys.size() + "]";
                DeviceNames.label(JsonTree.text(alternative, "name"), at + ".name", errors);
                wanted(alternative, at);
                keys.add(JsonTree.text(alternative, "name"));
            }
            unique(keys, path + ".firstAvailable");
        }
    }

    private void wanted(ObjectNode wanted, String path) {
        String name = JsonTree.text(wanted, "deviceClassName");
        if (name.isEmpty()) {
            errors.add(FieldError.required(path + ".deviceClassName", ""));
        } else {
            DeviceNames.subdomain(name, path + ".deviceClassName", errors);
        }
        selectors(wanted.path("selectors"), path + ".selectors");
        JsonNode mode = wanted.path("allocationMode");
        long count = wanted.path("count").asLong();
        JsonNode shown = wanted.numberNode(count);
        if (mode.asText().equals("All")) {
            if (count != 0) {
                errors.add(FieldError.invalid(
                        path + ".count", shown, "must not be specified when allocationMode is 'All'"));
            }
        } else if (!mode.asText().equals("ExactCount")) {
            errors.add(FieldError.notSupported(path + ".allocationMode", TextNode.valueOf(mode.asText()), MODES));
        } else if (count <= 0) {
            errors.add(FieldError.invalid(path + ".count", shown, "must be greater than zero"));
        }
        int i = 0;
        for (ObjectNode toleration : JsonTree.objects(wanted, "tolerations")) {
            toleration(toleration, path + ".tolerations[" + i++ + "]");
        }
    }

    private void selectors(JsonNode selectors, String path) {
        if (!few(selectors, MAX_SELECTORS, path)) {
            return;
        }
        int i = 0;
        for (JsonNode selector : selectors) {
            String at = path + "[" + i++ + "].cel";
            if (!selector.path("cel").isObject()) {
                errors.add(FieldError.required(at, ""));
            } else {
                String text = selector.path("cel").path("expression").asText();
                FieldError fault = DeviceSelector.fault(text, at + ".expression");
                if (fault != null) {
                    errors.add(fault);
                }
            }
        }
    }

    private void toleration(ObjectNode toleration, String path) {
        String key = JsonTree.text(toleration, "key");
        if (!key.isEmpty()) {
            DeviceNames.labelKey(key, path + ".key", errors);
        }
        String value = JsonTree.text(toleration, "value");
        switch (JsonTree.text(toleration, "operator")) {
            case "Exists" -> {
                if (!value.isEmpty()) {
                    errors.add(FieldError.invalid(
                            path + ".value", TextNode.valueOf(value), "must be empty for operator `Exists`"));
                }
            }
            case "Equal" -> DeviceNames.labelValue(value, path + ".value", errors);
            case "" -> errors.add(FieldError.required(path + ".operator", ""));
            default -> errors.add(FieldError.notSupported(path + ".operator", toleration.get("operator"), OPERATORS));
        }
        String effect = JsonTree.text(toleration, "effect");
        if (!effect.isEmpty() && !EFFECTS.contains("\"" + effect + "\"")) {
            errors.add(FieldError.notSupported(path + ".effect", toleration.get("effect"), EFFECTS));
        }
    }

    private void constraint(ObjectNode constraint, String path) {
        references(constraint.path("requests"), path + ".requests");
        JsonNode same = constraint.path("matchAttribute");
        JsonNode distinct = constraint.path("distinctAttribute");
        if (same.isTextual()) {
            DeviceNames.fullyQualified(same.asText(), path + ".matchAttribute", errors);
        } else if (distinct.isTextual()) {
            DeviceNames.fullyQualified(distinct.asText(), path + ".distinctAttribute", errors);
        } else {
            errors.add(FieldError.required(
                    path,
                    "exactly one of \"matchAttribute\" or \"distinctAttribute\" is required, but multiple fields are"
                            + " set"));
        }
    }

    /** Names of requests. */
    void references(JsonNode references, String path) {
        if (!few(references, MAX_REQUESTS, path)) {
            return;
        }
        List<String> keys = new ArrayList<>();
        for (JsonNode reference : references) {
            reference(reference.asText(), path + "[" + keys.size() + "]");
            keys.add(reference.asText());
        }
        unique(keys, path);
    }

    /** The name of a request, or of one and of its alternative. */
    void reference(String name, String path) {
        String[] parts = name.split("/", -1);
        if (parts.length > 2) {
            errors.add(FieldError.invalid(path, TextNode.valueOf(name), REFERENCE));
            return;
        }
        for (String part : parts) {
            DeviceNames.label(part, path, errors);
        }
        Set<String> below = requestNames.get(parts[0]);
        if (below == null || (parts.length == 2 && !below.contains(parts[1]))) {
            errors.add(FieldError.invalid(path, TextNode.valueOf(name), REFERENCE));
        }
    }

    /** Settings that only a driver understands. */
    void opaque(JsonNode config, String path) {
        if (!config.path("opaque").isObject()) {
            errors.add(FieldError.required(path + ".opaque", ""));
            return;
        }
        JsonNode opaque = config.path("opaque");
        DeviceNames.driver(opaque.path("driver").asText(), path + ".opaque.driver", errors);
        json(opaque.get("parameters"), path + ".opaque.parameters", MAX_PARAMETERS, errors);
    }

    /** Any object of JSON. */
    static void json(@Nullable JsonNode value, String path, int max, List<FieldError> errors) {
        if (value == null || value.isNull()) {
            errors.add(FieldError.required(path, ""));
        } else if (DeviceNames.bytes(value.toString()) > max) {
            errors.add(FieldError.tooLong(path, max));
        } else if (!value.isObject()) {
            errors.add(FieldError.invalid(path, TextNode.valueOf("<value omitted>"), "must be a valid JSON object"));
        }
    }
}
