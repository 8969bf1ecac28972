package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.schema.FieldError;
import dev.sro.testkit.schema.SelectorRequirements;
import java.util.ArrayList;
import java.util.List;

/** What is wrong with a question about access: which of its parts must be there, and which must not. One use. */
final class ReviewChecks {
    /** The order in which the server writes metadata. */
    private static final List<String> METADATA = List.of(
            "name",
            "generateName",
            "namespace",
            "uid",
            "resourceVersion",
            "generation",
            "labels",
            "annotations",
            "ownerReferences",
            "finalizers",
            "managedFields");

    private final ObjectNode body;
    private final List<FieldError> errors = new ArrayList<>();

    private ReviewChecks(ObjectNode body) {
        this.body = body;
    }

    /**
     * @param kind of the review
     * @param owned its managed fields, which a message shows
     */
    static List<FieldError> of(String kind, ObjectNode body, ArrayNode owned) {
        ReviewChecks checks = new ReviewChecks(body);
        switch (kind) {
            case "SelfSubjectAccessReview" -> checks.spec(true);
            case "SubjectAccessReview", "LocalSubjectAccessReview" -> checks.spec(false);
            default -> {
                return List.of();
            }
        }
        boolean local = kind.equals("LocalSubjectAccessReview");
        checks.metadata(owned, local);
        if (local) {
            checks.place();
        }
        return checks.errors;
    }

    private void spec(boolean self) {
        JsonNode spec = body.path("spec");
        JsonNode path = spec.path("nonResourceAttributes");
        JsonNode resource = spec.path("resourceAttributes");
        if (resource.isObject() && path.isObject()) {
            errors.add(FieldError.invalid(
                    "spec.nonResourceAttributes",
                    shown(path),
                    "cannot be specified in combination with resourceAttributes"));
        } else if (!resource.isObject() && !path.isObject()) {
            errors.add(MetadataRules.invalid(
                    "spec.resourceAttributes",
                    "null",
                    "exactly one of nonResourceAttributes or resourceAttributes must be specified"));
        }
        if (!self && Json.text(spec, "user").isEmpty() && spec.path("groups").isEmpty()) {
            errors.add(MetadataRules.invalid("spec.user", "\"\"", "at least one of user or group must be specified"));
        }
        for (String field : List.of("fieldSelector", "labelSelector")) {
            selector(resource.path(field), "spec.resourceAttributes." + field, field.equals("labelSelector"));
        }
    }

    private static ObjectNode shown(JsonNode path) {
        return Json.object().put("Path", Json.text(path, "path")).put("Verb", Json.text(path, "verb"));
    }

    private void selector(JsonNode selector, String path, boolean labels) {
        if (!selector.isObject()) {
            return;
        }
        String raw = Json.text(selector, "rawSelector");
        JsonNode requirements = selector.path("requirements");
        if (!raw.isEmpty() && !requirements.isEmpty()) {
            errors.add(MetadataRules.invalid(
                    path + ".rawSelector",
                    MetadataRules.quote(raw),
                    "may not specified at the same time as requirements"));
        } else if (raw.isEmpty() && requirements.isEmpty()) {
            errors.add(FieldError.required(
                    path + ".requirements", "when " + path + " is specified, requirements or rawSelector is required"));
        }
        for (int i = 0; i < requirements.size(); i++) {
            errors.addAll(
                    SelectorRequirements.validate(requirements.get(i), labels, path + ".requirements[" + i + "]"));
        }
    }

    private void metadata(ArrayNode owned, boolean local) {
        ObjectNode metadata = Json.metadata(body).deepCopy();
        ObjectNode rest = metadata.deepCopy();
        rest.remove(local ? List.of("managedFields", "namespace") : List.of("managedFields"));
        rest.properties().removeIf(field -> Json.isEmpty(field.getValue()));
        if (rest.isEmpty()) {
            return;
        }
        if (!owned.isEmpty()) {
            metadata.set("managedFields", owned);
        }
        ObjectNode shown = Json.object();
        for (String field : METADATA) {
            if (metadata.has(field)) {
                shown.set(field, metadata.get(field));
            }
        }
        errors.add(
                FieldError.invalid("metadata", shown, local ? "must be empty except for namespace" : "must be empty"));
    }

    private void place() {
        JsonNode spec = body.path("spec");
        String space = Json.text(spec, "resourceAttributes", "namespace");
        if (spec.path("resourceAttributes").isObject() && !space.equals(Json.namespace(body))) {
            errors.add(MetadataRules.invalid(
                    "spec.resourceAttributes.namespace", MetadataRules.quote(space), "must match metadata.namespace"));
        }
        if (spec.path("nonResourceAttributes").isObject()) {
            errors.add(FieldError.invalid(
                    "spec.nonResourceAttributes",
                    shown(spec.path("nonResourceAttributes")),
                    "disallowed on this kind of request"));
        }
    }
}
