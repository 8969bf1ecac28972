package dev.sro.testkit.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The way to an API server. */
public interface HttpCaller {
    /**
     * An answer.
     *
     * @param status HTTP status code
     * @param body the body as a tree; a missing node if it is no JSON
     * @param warnings the headers {@code Warning}
     */
    record Answer(int status, JsonNode body, List<String> warnings) {
        public Answer {
            warnings = List.copyOf(warnings);
        }

        /** An answer without warnings. */
        public Answer(int status, JsonNode body) {
            this(status, body, List.of());
        }
    }

    /**
     * Makes a request and waits for its answer.
     *
     * @param path with encoded query
     * @param contentType null if there is no body
     */
    default Answer call(String method, String path, @Nullable String contentType, @Nullable String body) {
        return call(method, path, contentType, body, Caller.SELF);
    }

    /**
     * In whose name a request is made.
     *
     * @param user whom to act as, by impersonation; null for nobody
     * @param token of who makes it; null for the administrator
     */
    record Caller(@Nullable String user, @Nullable String token) {
        /** The administrator. */
        public static final Caller SELF = new Caller(null, null);
    }

    /** The same in somebody's name. */
    Answer call(String method, String path, @Nullable String contentType, @Nullable String body, Caller by);

    /**
     * Watches until nothing more comes.
     *
     * @param path with encoded query, without {@code watch} and {@code timeoutSeconds}
     * @return the events in order
     */
    List<JsonNode> events(String path);

    /** Gives the server's controllers time to work before a request is repeated. */
    void pause();
}
