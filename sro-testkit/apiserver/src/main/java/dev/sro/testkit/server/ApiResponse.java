package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The answer to a request.
 *
 * @param status HTTP status code
 * @param contentType of the body
 * @param headers further headers, for instance {@code Warning} and {@code Retry-After}
 * @param body the body; not copied
 */
@SuppressWarnings("ArrayRecordComponent") // the body goes through untouched and is never compared
public record ApiResponse(int status, String contentType, Map<String, List<String>> headers, byte[] body) {
    static final String JSON = "application/json";

    static ApiResponse json(int status, byte[] body) {
        return new ApiResponse(status, JSON, Map.of(), body);
    }

    static ApiResponse json(int status, JsonNode body) {
        return json(status, Json.bytes(body));
    }

    static ApiResponse text(int status, String text) {
        return new ApiResponse(status, "text/plain; charset=utf-8", Map.of(), text.getBytes(StandardCharsets.UTF_8));
    }

    /** The answer that a refusal is for a client. */
    public static ApiResponse error(ApiException e) {
        JsonNode retry = e.status().path("details").path("retryAfterSeconds");
        ApiResponse response = json(e.code(), e.status());
        return retry.asInt() > 0 ? response.with("Retry-After", List.of(retry.asText())) : response;
    }

    /** The same in the form that the client of a request likes best. */
    public static ApiResponse error(ApiException e, ApiRequest request) {
        return Accepted.inForm(request, error(e));
    }

    ApiResponse with(String header, List<String> values) {
        if (values.isEmpty()) {
            return this;
        }
        Map<String, List<String>> more = new LinkedHashMap<>(headers);
        more.put(header, List.copyOf(values));
        return new ApiResponse(status, contentType, Map.copyOf(more), body);
    }

    /** The body as a tree. */
    public JsonNode json() {
        return Json.parse(body);
    }

    /** The body as text. */
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }
}
