package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;

/**
 * One webhook of a configuration.
 *
 * @param configuration name of the configuration
 * @param mutating whether it may change objects
 * @param json the webhook, defaulted
 */
record Webhook(String configuration, boolean mutating, JsonNode json) {
    private static final int DEFAULT_TIMEOUT = 10;

    String name() {
        return Json.text(json, "name");
    }

    /** Unlike its name, this is unique in the cluster. */
    String id() {
        return (mutating ? "mutating/" : "validating/") + configuration + "/" + name();
    }

    boolean ignoresFailures() {
        return Json.text(json, "failurePolicy").equals("Ignore");
    }

    boolean mayBeCalledAgain() {
        return Json.text(json, "reinvocationPolicy").equals("IfNeeded");
    }

    Duration timeout() {
        return Duration.ofSeconds(json.path("timeoutSeconds").asLong(DEFAULT_TIMEOUT));
    }

    /** The version of AdmissionReview that it is sent. */
    String reviewVersion() {
        for (JsonNode version : json.path("admissionReviewVersions")) {
            if (version.asText().equals("v1") || version.asText().equals("v1beta1")) {
                return "admission.k8s.io/" + version.asText();
            }
        }
        return "admission.k8s.io/v1";
    }

    /** What the server says of a call that did not succeed. */
    String failed(String why) {
        return "failed calling webhook \"" + name() + "\": " + why;
    }
}
