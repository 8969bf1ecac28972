package dev.sro.runtime.operator.rollout;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What an API server says that the operators asked of it, in the order of its answers. */
final class AuditLog {
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * A request that was answered.
     *
     * @param object what it was about, with the subresource
     * @param body of the request
     * @param version of the object afterwards; empty if the answer has none
     */
    record Write(String verb, String object, int code, String body, String version) {
        @Override
        public String toString() {
            return verb + " " + object + " " + code + " " + version + " "
                    + body.substring(0, Math.min(body.length(), 1_000));
        }
    }

    private final List<Write> writes = new ArrayList<>();

    static AuditLog read(Path file) throws IOException {
        AuditLog log = new AuditLog();
        try (MappingIterator<JsonNode> lines = JSON.readerFor(JsonNode.class).readValues(file.toFile())) {
            while (lines.hasNextValue()) {
                log.add(lines.nextValue());
            }
        }
        return log;
    }

    private void add(JsonNode event) {
        if (!event.has("requestObject") && !event.path("verb").asText().equals("delete")) {
            return;
        }
        JsonNode about = event.path("objectRef");
        String object = about.path("resource").asText() + "/"
                + about.path("namespace").asText() + "/" + about.path("name").asText();
        String subresource = about.path("subresource").asText();
        writes.add(new Write(
                event.path("verb").asText(),
                subresource.isEmpty() ? object : object + "/" + subresource,
                event.path("responseStatus").path("code").asInt(),
                event.path("requestObject").toString(),
                event.path("responseObject")
                        .path("metadata")
                        .path("resourceVersion")
                        .asText()));
    }

    /** All that were answered with success, but events and leases, which are made to be written again and again. */
    List<Write> writes() {
        return writes.stream()
                .filter(w -> w.code() < 300)
                .filter(w -> !w.object().startsWith("events/") && !w.object().startsWith("leases/"))
                .toList();
    }

    /** Answers other than success, and other than that somebody was quicker or that it was gone already. */
    List<Write> refused() {
        return writes.stream()
                .filter(w -> w.code() >= 300 && w.code() != 409 && w.code() != 404)
                .filter(w -> w.code() < 500)
                .toList();
    }

    /** Writes that changed nothing, or said once more what had just been said of the same object. */
    List<Write> withoutCause() {
        Map<String, Write> last = new HashMap<>();
        Map<String, String> versions = new HashMap<>();
        List<Write> idle = new ArrayList<>();
        for (Write write : writes()) {
            Write before = last.put(write.object(), write);
            boolean same = before != null
                    && before.verb().equals(write.verb())
                    && before.body().equals(write.body());
            boolean unchanged = !write.version().isEmpty()
                    && write.version().equals(versions.put(write.object().replaceAll("/status$", ""), write.version()));
            if (same || unchanged) {
                idle.add(write);
            }
        }
        return idle;
    }
}
