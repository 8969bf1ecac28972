package dev.sro.runtime.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What an API server's audit log says of the rights of one user.
 *
 * @param used {@code resource.group/subresource verb} of each request that was let in, and {@code create} where a patch made an object
 * @param refused what was forbidden, with the names of the objects, whoever the user acted as
 * @param impersonated users that it acted as
 */
record RightsLog(SortedSet<String> used, SortedSet<String> refused, SortedSet<String> impersonated) {

    /** The user's requests, and those that it made as others; nothing of anybody else. To be given to the API server. */
    static String policy(String user) {
        return """
                apiVersion: audit.k8s.io/v1
                kind: Policy
                omitStages: [RequestReceived, ResponseStarted]
                rules:
                - {level: Metadata, users: ["%s"]}
                - {level: Metadata, verbs: [create, update, patch, delete], userGroups: ["system:serviceaccounts"]}
                - {level: None}
                """.formatted(user);
    }

    static RightsLog read(Path file, String user) throws IOException {
        RightsLog log = new RightsLog(new TreeSet<>(), new TreeSet<>(), new TreeSet<>());
        try (MappingIterator<JsonNode> lines =
                new ObjectMapper().readerFor(JsonNode.class).readValues(file.toFile())) {
            while (lines.hasNextValue()) {
                JsonNode event = lines.nextValue();
                if (event.at("/user/username").asText().equals(user)) {
                    log.add(event);
                }
            }
        }
        return log;
    }

    private void add(JsonNode event) {
        JsonNode about = event.path("objectRef");
        if (about.path("resource").asText().isEmpty()) {
            return;
        }
        String group = about.path("apiGroup").asText();
        String subresource = about.path("subresource").asText();
        String resource = about.path("resource").asText()
                + (group.isEmpty() ? "" : "." + group)
                + (subresource.isEmpty() ? "" : "/" + subresource);
        String verb = event.path("verb").asText();
        String other = event.at("/impersonatedUser/username").asText();
        int code = event.at("/responseStatus/code").asInt();
        if (code == 403) {
            refused.add((other.isEmpty() ? "" : other + ": ") + resource + " " + verb + " "
                    + about.path("namespace").asText() + "/"
                    + about.path("name").asText() + ": "
                    + event.at("/responseStatus/message").asText());
        } else if (other.isEmpty()) {
            used.add(resource + " " + verb);
            if (code == 201) {
                used.add(resource + " create");
            }
        }
        if (!other.isEmpty()) {
            impersonated.add(other);
        }
    }
}
