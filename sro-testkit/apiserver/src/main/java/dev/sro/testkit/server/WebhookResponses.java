package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Reads what a webhook sent back. Stateless. */
final class WebhookResponses {
    private static final String CALL = "failed to call webhook: ";
    private static final String INVALID = "received invalid webhook response: ";

    private WebhookResponses() {}

    static WebhookAnswer read(PendingReview pending, int status, String contentType, byte[] body) {
        if (status < 200 || status > 206) {
            return WebhookAnswer.failed(CALL + refused(status, contentType, body));
        }
        JsonNode review;
        try {
            review = Json.parse(body);
        } catch (UncheckedIOException e) {
            return WebhookAnswer.failed(
                    CALL + "couldn't get version/kind; json parse error: invalid character in JSON");
        }
        if (!review.isObject()) {
            return WebhookAnswer.failed(CALL + "couldn't get version/kind; json parse error: json: cannot unmarshal "
                    + Bodies.goType(review) + " into Go value of type struct { APIVersion string"
                    + " \"json:\\\"apiVersion,omitempty\\\"\"; Kind string \"json:\\\"kind,omitempty\\\"\" }");
        }
        String fault = fault(pending, review);
        return fault.isEmpty() ? new WebhookAnswer(review.path("response"), "") : WebhookAnswer.failed(fault);
    }

    private static String fault(PendingReview pending, JsonNode review) {
        Webhook webhook = pending.webhook();
        String kind = Json.text(review, "kind");
        String version = Json.text(review, "apiVersion");
        if (!kind.isEmpty() && !kind.equals("AdmissionReview")) {
            return CALL + "no kind \"" + kind + "\" is registered for version \"" + version
                    + "\" in scheme \"pkg/runtime/scheme.go:111\"";
        }
        String wanted = webhook.reviewVersion();
        if (!version.isEmpty() && !version.equals(wanted)) {
            return CALL + "converting (" + goVersion(version) + ".AdmissionReview) to (" + goVersion(wanted)
                    + ".AdmissionReview): unknown conversion";
        }
        if (!(review.get("response") instanceof ObjectNode response)) {
            return INVALID + "webhook response was absent";
        }
        String uid = Json.text(pending.request(), "uid");
        if (!Json.text(response, "uid").equals(uid)) {
            return INVALID + "expected response.uid=\"" + uid + "\", got \"" + Json.text(response, "uid") + "\"";
        }
        if (kind.isEmpty() || version.isEmpty()) {
            String group = wanted.substring(0, wanted.indexOf('/'));
            return INVALID + "expected webhook response of " + group + "/" + goVersion(wanted)
                    + ", Kind=AdmissionReview, got " + version + ", Kind=" + kind;
        }
        return patchFault(webhook, response);
    }

    private static String patchFault(Webhook webhook, JsonNode response) {
        boolean patch = !Json.text(response, "patch").isEmpty();
        String type = Json.text(response, "patchType");
        if (!webhook.mutating()) {
            if (patch) {
                return INVALID + "validating webhook may not return response.patch";
            }
            return type.isEmpty() ? "" : INVALID + "validating webhook may not return response.patchType";
        }
        if (patch && type.isEmpty()) {
            return INVALID + "webhook returned response.patch but not response.patchType";
        }
        if (!patch && !type.isEmpty()) {
            return INVALID + "webhook returned response.patchType but not response.patch";
        }
        return type.isEmpty() || type.equals("JSONPatch")
                ? ""
                : INVALID + "webhook returned invalid response.patchType of \"" + type + "\"";
    }

    private static String goVersion(String apiVersion) {
        return apiVersion.substring(apiVersion.indexOf('/') + 1);
    }

    private static String refused(int status, String contentType, byte[] body) {
        String said = contentType.startsWith("text/") ? new String(body, StandardCharsets.UTF_8).strip() : "unknown";
        return switch (status) {
            case 401 -> "the server has asked for the client to provide credentials";
            case 403 -> said;
            case 404 -> "the server could not find the requested resource";
            case 405 -> "the server does not allow this method on the requested resource";
            case 409 -> "the server reported a conflict";
            case 422 -> "the server rejected our request due to an error in our request";
            case 429 -> "the server has received too many requests and has asked us to try again later";
            case 503 -> "the server is currently unable to handle the request";
            case 504 ->
                "the server was unable to return a response in the time allotted, but may still be processing the"
                        + " request";
            default ->
                status >= 500
                        ? "an error on the server (\"" + said + "\") has prevented the request from succeeding"
                        : status == 400
                                ? "the server rejected our request for an unknown reason"
                                : "the server responded with the status code " + status
                                        + " but did not return more information";
        };
    }
}
