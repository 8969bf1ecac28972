package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Validation of the claims that a pod names and that its containers use. */
final class PodClaimValidation {
    private final Set<String> names = new TreeSet<>();
    private final List<FieldError> errors;

    /**
     * Of one pod.
     *
     * @param errors what is found is added to it
     */
    PodClaimValidation(ObjectNode spec, List<FieldError> errors) {
        this.errors = errors;
        for (ObjectNode claim : JsonTree.objects(spec, "resourceClaims")) {
            if (!JsonTree.text(claim, "name").isEmpty()) {
                names.add(JsonTree.text(claim, "name"));
            }
        }
    }

    void claims(List<ObjectNode> claims, String path) {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < claims.size(); i++) {
            ObjectNode claim = claims.get(i);
            String at = path + "[" + i + "]";
            String name = JsonTree.text(claim, "name");
            if (name.isEmpty()) {
                errors.add(FieldError.required(at + ".name", ""));
            } else if (!seen.add(name)) {
                errors.add(FieldError.duplicate(at + ".name", TextNode.valueOf(name)));
            } else {
                DeviceNames.label(name, at + ".name", errors);
            }
            source(claim, at);
        }
    }

    private void source(ObjectNode claim, String path) {
        JsonNode own = claim.path("resourceClaimName");
        JsonNode template = claim.path("resourceClaimTemplateName");
        if (own.isTextual() && template.isTextual()) {
            errors.add(InternalForm.invalid(
                    path,
                    "PodResourceClaim",
                    claim,
                    "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified"));
        } else if (!own.isTextual() && !template.isTextual()) {
            errors.add(InternalForm.invalid(
                    path,
                    "PodResourceClaim",
                    claim,
                    "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`"));
        }
        if (own.isTextual()) {
            DeviceNames.subdomain(own.asText(), path + ".resourceClaimName", errors);
        }
        if (template.isTextual()) {
            DeviceNames.subdomain(template.asText(), path + ".resourceClaimTemplateName", errors);
        }
    }

    /** The claims that one container uses. */
    void uses(List<ObjectNode> uses, String path) {
        Set<String> seen = new TreeSet<>();
        for (int i = 0; i < uses.size(); i++) {
            String at = path + "[" + i + "]";
            String name = JsonTree.text(uses.get(i), "name");
            if (name.isEmpty()) {
                errors.add(FieldError.required(at, ""));
                continue;
            }
            if (seen.contains(name)) {
                errors.add(FieldError.duplicate(at, TextNode.valueOf(name)));
            } else {
                request(name, JsonTree.text(uses.get(i), "request"), at, seen);
            }
            if (!names.contains(name)) {
                String known = names.isEmpty() ? " which is empty" : ": " + String.join(", ", names);
                errors.add(FieldError.of(
                        "FieldValueNotFound",
                        "Not found: " + TextNode.valueOf(name) + ": must be one of the names in pod.spec.resourceClaims"
                                + known,
                        at));
            }
        }
    }

    private void request(String name, String request, String path, Set<String> seen) {
        String key = request.isEmpty() ? name : name + "/" + request;
        if (!request.isEmpty()) {
            DeviceNames.label(request, path + ".request", errors);
        }
        if (seen.contains(key)) {
            errors.add(FieldError.duplicate(path, TextNode.valueOf(key)));
        } else if (request.isEmpty()) {
            seen.stream()
                    .filter(other -> other.startsWith(name + "/"))
                    .forEach(other -> errors.add(FieldError.duplicate(path, TextNode.valueOf(name))));
        }
        seen.add(key);
    }
}
