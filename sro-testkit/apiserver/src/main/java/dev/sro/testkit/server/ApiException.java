package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** A request that the API server refuses; carries the {@code Status} object that a client would get. */
public sealed class ApiException extends RuntimeException permits BodyFaultException {
    private static final long serialVersionUID = 1L;

    private final int code;
    private final transient ObjectNode status;

    public ApiException(int code, String reason, String message) {
        this(status(code, reason, message, null));
    }

    public ApiException(int code, String reason, String message, ObjectNode details) {
        this(status(code, reason, message, details));
    }

    private ApiException(ObjectNode status) {
        super(status.path("message").asText(), null, false, false);
        this.code = status.path("code").asInt();
        this.status = status;
    }

    /** The HTTP status code. */
    public int code() {
        return code;
    }

    /** The machine-readable reason, for instance {@code NotFound}; empty where the API gives none. */
    public String reason() {
        return status.path("reason").asText();
    }

    /** The {@code Status} object of the answer. */
    public JsonNode status() {
        return status;
    }

    private static ObjectNode status(
            int code, String reason, String message, @org.jspecify.annotations.Nullable ObjectNode details) {
        ObjectNode s = JsonNodeFactory.instance.objectNode();
        s.put("kind", "Status").put("apiVersion", "v1");
        s.putObject("metadata");
        s.put("status", "Failure").put("message", message);
        if (!reason.isEmpty()) {
            s.put("reason", reason);
        }
        if (details != null) {
            s.set("details", details);
        }
        return s.put("code", code);
    }
}
