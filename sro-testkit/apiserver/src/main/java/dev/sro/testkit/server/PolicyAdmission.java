package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.schema.AdmissionExpressions;
import dev.sro.testkit.server.PolicyInvocations.Invocation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** ValidatingAdmissionPolicies and their bindings. Called with the store's lock held. */
final class PolicyAdmission {
    private static final String GROUP = "admissionregistration.k8s.io";
    static final Gvr POLICIES = new Gvr(GROUP, "v1", "validatingadmissionpolicies");
    static final Gvr BINDINGS = new Gvr(GROUP, "v1", "validatingadmissionpolicybindings");

    /**
     * A refusal.
     *
     * @param reason that the validation gives
     * @param always whether it refuses the write whatever the binding says
     */
    private record Failure(String message, String reason, boolean always) {}

    private final PolicyInvocations invocations;

    PolicyAdmission(PolicyInvocations invocations) {
        this.invocations = invocations;
    }

    /** Whether there is any policy that is bound. */
    boolean any() {
        return invocations.any();
    }

    /** Refuses what a policy refuses, or warns of it, as the binding says. */
    void validate(AdmissionAttributes attributes) {
        ApiException refusal = null;
        for (Invocation invocation : invocations.about(attributes)) {
            ApiException denied = judge(invocation, attributes);
            refusal = refusal == null ? denied : refusal;
        }
        if (refusal != null) {
            throw refusal;
        }
    }

    private @Nullable ApiException judge(Invocation invocation, AdmissionAttributes attributes) {
        String by = "ValidatingAdmissionPolicy '" + invocation.name() + "'"
                + (invocation.unusable() ? "" : " with binding '" + Json.name(invocation.binding()) + "'");
        ApiException refusal = null;
        for (Failure failure : failures(invocation, attributes)) {
            if (failure.always()) {
                refusal = refusal == null
                        ? denied(attributes, by + " denied request: " + failure.message(), failure.reason())
                        : refusal;
                continue;
            }
            for (JsonNode action : invocation.binding().path("spec").path("validationActions")) {
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

    /** An error counts as a refusal, unless the policy ignores errors. */
    private static List<Failure> failure(Invocation invocation, String error, boolean always) {
        return invocation.ignoresFailures() ? List.of() : List.of(new Failure(error, "", always));
    }

    private List<Failure> failures(Invocation invocation, AdmissionAttributes attributes) {
        if (!invocation.fault().isEmpty()) {
            return failure(invocation, invocation.fault(), true);
        }
        List<String> errors = new ArrayList<>();
        if (invocations.spare(invocation, attributes, errors)) {
            return List.of();
        }
        if (!errors.isEmpty()) {
            return failure(invocation, errors.get(0), false);
        }
        AdmissionExpressions expressions = invocations.expressions(invocation, attributes);
        List<Failure> failures = new ArrayList<>();
        for (JsonNode validation : invocation.spec().path("validations")) {
            AdmissionExpressions.Outcome outcome = expressions.evaluate(Json.text(validation, "expression"));
            if (!outcome.error().isEmpty()) {
                failures.addAll(failure(invocation, outcome.error(), false));
            } else if (!Boolean.TRUE.equals(outcome.value())) {
                failures.add(new Failure(message(validation, expressions), Json.text(validation, "reason"), false));
            }
        }
        for (JsonNode annotation : invocation.spec().path("auditAnnotations")) {
            String source = Json.text(annotation, "valueExpression").strip();
            String error = expressions.evaluate(source).error();
            if (!error.isEmpty()) {
                failures.addAll(failure(invocation, error, true));
            }
        }
        return failures;
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
        String what = resource.groupResource() + (name.isEmpty() ? "" : " \"" + name + "\"");
        return new ApiException(code, shown, what + " is forbidden: " + message, details);
    }
}
