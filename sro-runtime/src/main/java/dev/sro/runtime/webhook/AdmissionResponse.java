package dev.sro.runtime.webhook;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * What the API server is answered. Immutable.
 *
 * @param allowed whether the request goes on
 * @param code HTTP status for the user when it does not
 * @param message for the user when it does not
 * @param patch operations of a JSON patch (RFC 6902); empty for none
 * @param warnings for the user, each of at most 120 characters
 */
public record AdmissionResponse(
        boolean allowed, int code, String message, List<Map<String, Object>> patch, List<String> warnings) {

    /** Copies the lists. */
    public AdmissionResponse {
        patch = List.copyOf(patch);
        warnings = List.copyOf(warnings);
    }

    /** As it is. */
    public static AdmissionResponse allow() {
        return patched(List.of());
    }

    /** With these operations of a JSON patch. */
    public static AdmissionResponse patched(List<Map<String, Object>> patch) {
        return new AdmissionResponse(true, 0, "", patch, List.of());
    }

    /** Refused. */
    public static AdmissionResponse deny(int code, String message) {
        return new AdmissionResponse(false, code, message, List.of(), List.of());
    }

    /**
     * The review that is sent back.
     *
     * @param uid of the request
     * @param json makes JSON of a tree
     */
    Map<String, Object> review(String uid, Function<Object, String> json) {
        Map<String, Object> response = new LinkedHashMap<>();
        response.put("uid", uid);
        response.put("allowed", allowed);
        if (!allowed) {
            response.put("status", Map.of("code", code, "message", message));
        } else if (!patch.isEmpty()) {
            response.put("patchType", "JSONPatch");
            response.put(
                    "patch",
                    Base64.getEncoder().encodeToString(json.apply(patch).getBytes(StandardCharsets.UTF_8)));
        }
        if (!warnings.isEmpty()) {
            response.put("warnings", warnings);
        }
        Map<String, Object> review = new LinkedHashMap<>();
        review.put("apiVersion", "admission.k8s.io/v1");
        review.put("kind", "AdmissionReview");
        review.put("response", response);
        return review;
    }
}
