package dev.sro.testkit.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/** The way to an API server. */
public interface HttpCaller {
    /**
     * An answer.
     *
     * @param status HTTP status code
     * @param body the body as a tree; a missing node if it is no JSON
     */
    record Answer(int status, JsonNode body) {}

    /**
     * Makes a request and waits for its answer.
     *
     * @param path with encoded query
     * @param contentType null if there is no body
     */
    Answer call(String method, String path, @Nullable String contentType, @Nullable String body);

    /** Gives the server's controllers time to work before a request is repeated. */
    void pause();
}
