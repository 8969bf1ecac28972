package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.schema.AdmissionExpressions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Asks admission webhooks about writes. Called with the store's lock held. */
final class WebhookAdmission {
    static final Gvr MUTATING = new Gvr("admissionregistration.k8s.io", "v1", "mutatingwebhookconfigurations");
    static final Gvr VALIDATING = new Gvr("admissionregistration.k8s.io", "v1", "validatingwebhookconfigurations");

    private final Store store;
    private final Ids ids;
    private final AdmissionMatcher matcher;
    private final AdmissionQuestions questions;

    WebhookAdmission(Store store, Ids ids, AdmissionMatcher matcher, AdmissionQuestions questions) {
        this.store = store;
        this.ids = ids;
        this.matcher = matcher;
        this.questions = questions;
    }

    /** Whether there is any webhook at all. */
    boolean any() {
        return !store.table(MUTATING).objects.isEmpty()
                || !store.table(VALIDATING).objects.isEmpty();
    }

    private List<Webhook> webhooks(Gvr type) {
        List<Webhook> all = new ArrayList<>();
        for (Stored stored : store.table(type).in(null)) {
            for (JsonNode webhook : stored.object().path("webhooks")) {
                all.add(new Webhook(Json.name(stored.object()), type.equals(MUTATING), webhook));
            }
        }
        return all;
    }

    /** For one write. */
    Round round() {
        return new Round();
    }

    /** One write, about which the mutating webhooks are asked once or, when it was changed, twice. Not thread-safe. */
    final class Round {
        private final Set<String> before = new HashSet<>();
        private final Set<String> again = new HashSet<>();
        private @Nullable ObjectNode last;

        private Round() {}

        /**
         * Lets the mutating webhooks change the object.
         *
         * @param repeated whether they had it before; then only those that want it are asked again, if it was changed since
         * @return the object as it is then, to be read like a body; the same instance if nothing changed
         */
        AdmissionAttributes pass(AdmissionAttributes attributes, boolean repeated) {
            if (repeated && !ObjectComparison.same(attributes.object(), last)) {
                again.addAll(before);
            }
            AdmissionAttributes result = WebhookAdmission.this.pass(attributes, repeated ? 2 : 1, before, again);
            last = result.object();
            return result;
        }
    }

    private static boolean sameObject(AdmissionAttributes a, AdmissionAttributes b) {
        return ObjectComparison.same(a.object(), b.object());
    }

    private AdmissionAttributes pass(
            AdmissionAttributes attributes, int number, Set<String> called, Set<String> again) {
        AdmissionAttributes current = attributes;
        for (Webhook webhook : webhooks(MUTATING)) {
            if (number > 1 && !again.contains(webhook.id())) {
                continue;
            }
            ResourceType as = wanted(webhook, current);
            if (as == null) {
                continue;
            }
            AdmissionAttributes next = patched(webhook, current, as, ask(webhook, current, as, number));
            if (!sameObject(next, current)) {
                again.addAll(called);
                current = next;
            }
            if (webhook.mayBeCalledAgain()) {
                called.add(webhook.id());
            }
        }
        return current;
    }

    /** Asks the validating webhooks: all of them, then the first refusal counts. */
    void validate(AdmissionAttributes attributes) {
        ApiException refusal = null;
        for (Webhook webhook : webhooks(VALIDATING)) {
            try {
                ResourceType as = wanted(webhook, attributes);
                if (as != null) {
                    ask(webhook, attributes, as, 1);
                }
            } catch (ApiException e) {
                refusal = refusal == null ? e : refusal;
            }
        }
        if (refusal != null) {
            throw refusal;
        }
    }

    private @Nullable ResourceType wanted(Webhook webhook, AdmissionAttributes attributes) {
        ResourceType as = matcher.match(webhook.json(), "rules", attributes);
        return as != null && conditionsHold(webhook, attributes, as) ? as : null;
    }

    private boolean conditionsHold(Webhook webhook, AdmissionAttributes attributes, ResourceType as) {
        JsonNode conditions = webhook.json().path("matchConditions");
        if (conditions.isEmpty()) {
            return true;
        }
        Map<String, @Nullable JsonNode> inputs = new HashMap<>();
        inputs.put("object", attributes.object());
        inputs.put("oldObject", attributes.old());
        inputs.put("request", AdmissionRequests.withoutObjects(attributes, as));
        inputs.put("namespaceObject", null);
        List<String> errors = new ArrayList<>();
        AdmissionExpressions expressions = questions.expressions(inputs, attributes, Map.of());
        for (JsonNode condition : conditions) {
            AdmissionExpressions.Outcome outcome = expressions.evaluate(Json.text(condition, "expression"));
            if (outcome.isFalse()) {
                return false;
            }
            if (!outcome.error().isEmpty()) {
                errors.add(outcome.error());
            }
        }
        if (errors.isEmpty()) {
            return true;
        }
        if (webhook.ignoresFailures()) {
            return false;
        }
        String all = errors.size() == 1 ? errors.get(0) : "[" + String.join(", ", errors) + "]";
        throw Errors.forbidden(attributes.resource(), attributes.shownName(), all);
    }

    /** The webhook's response, if it allows the write; null if it failed and that is to be ignored. */
    private @Nullable JsonNode ask(Webhook webhook, AdmissionAttributes attributes, ResourceType as, int pass) {
        Reviews reviews = attributes.call().reviews;
        if (reviews == null) {
            return null;
        }
        ObjectNode request = AdmissionRequests.create(attributes, as, "");
        String key = webhook.id() + " " + pass + " " + withoutTimes(request);
        WebhookAnswer answer = reviews.answer(key);
        if (answer == null) {
            request.put("uid", ids.freshUid());
            throw new PendingReview(webhook, request, key);
        }
        if (!answer.failure().isEmpty()) {
            if (webhook.ignoresFailures()) {
                return null;
            }
            throw Errors.internalError(webhook.failed(answer.failure()));
        }
        answer.response().path("warnings").forEach(w -> reviews.warn(w.asText()));
        if (!answer.response().path("allowed").asBoolean()) {
            throw denied(webhook, answer.response().path("status"));
        }
        return answer.response();
    }

    /** Between two attempts the clock may have moved on. */
    private static String withoutTimes(ObjectNode request) {
        ObjectNode copy = Json.shallow(request);
        if (request.get("object") instanceof ObjectNode object) {
            ObjectNode metadata = Json.shallow(Json.metadata(object));
            metadata.remove(List.of("creationTimestamp", "managedFields"));
            ObjectNode bare = Json.shallow(object);
            bare.set("metadata", metadata);
            copy.set("object", bare);
        }
        return copy.toString();
    }

    private static ApiException denied(Webhook webhook, JsonNode status) {
        String message = Json.text(status, "message");
        String reason = Json.text(status, "reason");
        String why = message.isEmpty() ? reason : message;
        String text = "admission webhook \"" + webhook.name() + "\" denied the request"
                + (why.isEmpty() ? " without explanation" : ": " + why);
        int code = status.path("code").asInt();
        int shown = code >= 400 && code < 600 ? code : 400;
        return status.path("details") instanceof ObjectNode details
                ? new ApiException(shown, reason, text, details)
                : new ApiException(shown, reason, text);
    }

    private static AdmissionAttributes patched(
            Webhook webhook, AdmissionAttributes attributes, ResourceType as, @Nullable JsonNode response) {
        ObjectNode object = attributes.object();
        String encoded = response == null ? "" : Json.text(response, "patch");
        if (encoded.isEmpty() || object == null) {
            return attributes;
        }
        JsonNode patch;
        try {
            patch = Json.parse(Base64.getDecoder().decode(encoded));
        } catch (IllegalArgumentException | java.io.UncheckedIOException e) {
            throw Errors.internalError(webhook.failed("received undecodable patch in response: " + e.getMessage()));
        }
        ObjectNode seen = Json.shallow(object);
        seen.put("apiVersion", attributes.ofType() ? as.apiVersion() : Json.text(object, "apiVersion"));
        ObjectNode next = WebhookPatch.apply(seen, patch);
        return attributes.with(next);
    }
}
