package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.schema.AdmissionExpressions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** ValidatingAdmissionPolicies and their bindings. Called with the store's lock held. */
final class PolicyAdmission {
    private static final String GROUP = "admissionregistration.k8s.io";
    static final Gvr POLICIES = new Gvr(GROUP, "v1", "validatingadmissionpolicies");
    static final Gvr BINDINGS = new Gvr(GROUP, "v1", "validatingadmissionpolicybindings");
    private static final String NO_PARAMS =
            "failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction";

    /** A refusal: why, and the reason that the validation gives. */
    private record Failure(String message, String reason) {}

    private final Store store;
    private final ResourceRegistry registry;
    private final AdmissionMatcher matcher;

    PolicyAdmission(Store store, ResourceRegistry registry, AdmissionMatcher matcher) {
        this.store = store;
        this.registry = registry;
        this.matcher = matcher;
    }

    /** Whether there is any policy that is bound. */
    boolean any() {
        return !store.table(BINDINGS).objects.isEmpty()
                && !store.table(POLICIES).objects.isEmpty();
    }

    /** Refuses what a policy refuses, or warns of it, as the binding says. */
    void validate(AdmissionAttributes attributes) {
        ApiException refusal = null;
        for (Stored policy : store.table(POLICIES).in(null)) {
            JsonNode spec = policy.object().path("spec");
            ResourceType as = matcher.match(spec.path("matchConstraints"), "resourceRules", attributes);
            if (as == null) {
                continue;
            }
            String name = Json.name(policy.object());
            for (Stored binding : store.table(BINDINGS).in(null)) {
                if (Json.text(binding.object(), "spec", "policyName").equals(name)) {
                    ApiException denied = bound(spec, name, binding.object(), attributes, as);
                    refusal = refusal == null ? denied : refusal;
                }
            }
        }
        if (refusal != null) {
            throw refusal;
        }
    }

    private @Nullable ApiException bound(
            JsonNode spec, String policy, ObjectNode binding, AdmissionAttributes attributes, ResourceType as) {
        JsonNode also = binding.path("spec").path("matchResources");
        boolean restricted = !also.path("resourceRules").isEmpty();
        if (!Json.isEmpty(also)
                && matcher.match(restricted ? also : everything(also), "resourceRules", attributes) == null) {
            return null;
        }
        List<Failure> failures = new ArrayList<>();
        for (JsonNode param : params(spec, binding, attributes, failures)) {
            failures.addAll(failures(spec, attributes, as, param.isNull() ? null : param));
        }
        String by = "ValidatingAdmissionPolicy '" + policy + "' with binding '" + Json.name(binding) + "'";
        ApiException refusal = null;
        for (Failure failure : failures) {
            for (JsonNode action : binding.path("spec").path("validationActions")) {
                if (action.asText().equals("Deny") && refusal == null) {
                    refusal = denied(attributes, by + " denied request: " + failure.message(), failure.reason());
                } else if (action.asText().equals("Warn")) {
                    warn(attributes, "Validation failed for " + by + ": " + failure.message());
                }
            }
        }
        return refusal;
    }

    private static void warn(AdmissionAttributes attributes, String text) {
        Reviews reviews = attributes.call().reviews;
        if (reviews != null) {
            reviews.warn(text);
        }
    }

    /** A binding without rules restricts by its selectors alone. */
    private static ObjectNode everything(JsonNode matchResources) {
        ObjectNode all = matchResources.deepCopy();
        ObjectNode rule = all.putArray("resourceRules").addObject();
        for (String field : List.of("operations", "apiGroups", "apiVersions")) {
            rule.putArray(field).add("*");
        }
        rule.putArray("resources").add("*/*");
        return all;
    }

    /** The parameters to evaluate with; a null node where the policy has none. */
    private List<JsonNode> params(
            JsonNode spec, ObjectNode binding, AdmissionAttributes attributes, List<Failure> failures) {
        List<JsonNode> found = new ArrayList<>();
        JsonNode kind = spec.path("paramKind");
        JsonNode reference = binding.path("spec").path("paramRef");
        if (Json.isEmpty(kind) || Json.isEmpty(reference)) {
            found.add(Json.MAPPER.nullNode());
            return found;
        }
        ResourceType type = registry.find(Json.text(kind, "apiVersion"), Json.text(kind, "kind"))
                .orElse(null);
        if (type != null) {
            String own = Json.text(reference, "namespace");
            String namespace = type.namespaced() ? (own.isEmpty() ? attributes.call().namespace : own) : null;
            String name = Json.text(reference, "name");
            for (Stored stored : store.table(type.storage()).in(namespace)) {
                boolean wanted = name.isEmpty()
                        ? LabelSelector.of(reference.path("selector")).matchesObject(stored.object())
                        : Json.name(stored.object()).equals(name);
                if (wanted) {
                    found.add(stored.object());
                }
            }
        }
        if (found.isEmpty() && !Json.text(reference, "parameterNotFoundAction").equals("Allow")) {
            failures.addAll(failure(spec, NO_PARAMS));
        }
        return found;
    }

    /** An error counts as a refusal, unless the policy ignores errors. */
    private static List<Failure> failure(JsonNode spec, String error) {
        return Json.text(spec, "failurePolicy").equals("Ignore") ? List.of() : List.of(new Failure(error, ""));
    }

    private List<Failure> failures(
            JsonNode spec, AdmissionAttributes attributes, ResourceType as, @Nullable JsonNode param) {
        Map<String, @Nullable JsonNode> inputs = new HashMap<>();
        inputs.put("object", attributes.object());
        inputs.put("oldObject", attributes.old());
        inputs.put("request", AdmissionRequests.withoutObjects(attributes, as));
        inputs.put("params", param);
        inputs.put("namespaceObject", namespace(attributes));
        Map<String, String> variables = new LinkedHashMap<>();
        spec.path("variables").forEach(v -> variables.put(Json.text(v, "name"), Json.text(v, "expression")));
        AdmissionExpressions expressions = new AdmissionExpressions(inputs, variables);
        List<String> errors = new ArrayList<>();
        for (JsonNode condition : spec.path("matchConditions")) {
            AdmissionExpressions.Outcome outcome = expressions.evaluate(Json.text(condition, "expression"));
            if (outcome.isFalse()) {
                return List.of();
            }
            if (!outcome.error().isEmpty()) {
                errors.add(outcome.error());
            }
        }
        if (!errors.isEmpty()) {
            return failure(spec, errors.size() == 1 ? errors.get(0) : "[" + String.join(", ", errors) + "]");
        }
        List<Failure> failures = new ArrayList<>();
        for (JsonNode validation : spec.path("validations")) {
            AdmissionExpressions.Outcome outcome = expressions.evaluate(Json.text(validation, "expression"));
            if (!outcome.error().isEmpty()) {
                failures.addAll(failure(spec, outcome.error()));
            } else if (!Boolean.TRUE.equals(outcome.value())) {
                failures.add(new Failure(message(validation, expressions), Json.text(validation, "reason")));
            }
        }
        return failures;
    }

    private @Nullable JsonNode namespace(AdmissionAttributes attributes) {
        String name = attributes.call().namespace;
        Stored stored = name == null ? null : store.get(Gvr.NAMESPACES, Key.of(null, name));
        return stored == null ? null : stored.object();
    }

    private static String message(JsonNode validation, AdmissionExpressions expressions) {
        String made = Json.text(validation, "messageExpression");
        if (!made.isEmpty() && expressions.evaluate(made).value() instanceof String text) {
            if (!text.isBlank() && !text.contains("\n")) {
                return text.strip();
            }
        }
        String message = Json.text(validation, "message").strip();
        return message.isEmpty()
                ? "failed expression: " + Json.text(validation, "expression").strip()
                : message;
    }

    private static ApiException denied(AdmissionAttributes attributes, String message, String reason) {
        String shown = reason.isEmpty() ? "Invalid" : reason;
        int code = switch (shown) {
            case "Forbidden" -> 403;
            case "RequestEntityTooLarge" -> 413;
            default -> 422;
        };
        Gvr resource = attributes.resource();
        String name = attributes.shownName();
        ObjectNode details = Errors.named(resource, name);
        details.putArray("causes").addObject().put("message", message);
        return new ApiException(
                code, shown, resource.groupResource() + " \"" + name + "\" is forbidden: " + message, details);
    }
}
