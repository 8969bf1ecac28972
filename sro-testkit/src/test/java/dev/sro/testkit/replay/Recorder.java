package dev.sro.testkit.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.replay.Endpoint.Reply;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes requests and answers down as recordings do. */
final class Recorder {
    private final Normaliser normaliser;

    Recorder(Normaliser normaliser) {
        this.normaliser = normaliser;
    }

    ObjectNode request(JsonNode r) {
        Placeholders names = normaliser.placeholders();
        names.learnRequest(r.get("body"), null);
        names.learnRequest(r.get("query"), null);
        ObjectNode d = JsonNodeFactory.instance.objectNode();
        if (r.hasNonNull("method")) {
            d.put("method", r.path("method").asText());
        }
        d.put("path", names.text(r.path("path").asText()));
        if (r.path("query").size() > 0) {
            d.set("query", normaliser.walk(r.path("query"), null));
        }
        for (String key : List.of("contentType", "accept", "userAgent")) {
            if (r.hasNonNull(key)) {
                d.set(key, r.get(key));
            }
        }
        if (r.hasNonNull("body")) {
            d.set("body", normaliser.walk(r.path("body"), null));
        }
        if (r.path("raw").asBoolean()) {
            d.put("rawBody", true);
        }
        if (r.hasNonNull("as")) {
            d.set("as", normaliser.walk(r.path("as"), null));
        }
        JsonNode token = r.path("token");
        if (token.isBoolean()) {
            d.put("anonymous", true);
        } else if (token.isTextual()) {
            d.put("token", token.asText().startsWith("eyJ") ? "<token>" : token.asText());
        }
        return d;
    }

    ObjectNode reply(Reply reply, @Nullable JsonNode mode) {
        ObjectNode d = JsonNodeFactory.instance.objectNode().put("status", reply.status());
        String type = reply.contentType();
        if (!type.isEmpty() && (!type.split(";", 2)[0].equals("application/json") || type.contains("as="))) {
            d.put("contentType", type);
        }
        if (!reply.warnings().isEmpty()) {
            ArrayNode warnings = d.putArray("warnings");
            reply.warnings().forEach(w -> warnings.add(normaliser.placeholders().text(w)));
        }
        JsonNode body = revisions(reply.body());
        String form = mode == null ? "" : mode.asText();
        if (form.equals("keys") && body != null && body.isObject()) {
            ArrayNode keys = d.putArray("bodyKeys");
            List<String> names = new ArrayList<>();
            body.fieldNames().forEachRemaining(names::add);
            Collections.sort(names);
            names.forEach(keys::add);
        } else if (form.equals("status")) {
            if (reply.status() >= 400) {
                d.set("body", normaliser.body(body));
            }
        } else if (mode != null && mode.isObject()) {
            parts(d, body, mode);
        } else {
            d.set("body", normaliser.body(body));
        }
        return d;
    }

    /**
     * Revisions come in the order of their names, whose hashes are those of the server's own memory layout: newest template first, as in
     * the recordings.
     */
    private static @Nullable JsonNode revisions(@Nullable JsonNode body) {
        if (body != null
                && body.path("kind").asText().equals("ControllerRevisionList")
                && body.get("items") instanceof ArrayNode items) {
            List<JsonNode> sorted = new ArrayList<>();
            items.forEach(sorted::add);
            sorted.sort(Comparator.comparing((JsonNode r) -> r.path("metadata")
                            .path("annotations")
                            .path("deprecated.daemonset.template.generation")
                            .asLong())
                    .reversed());
            items.removeAll();
            items.addAll(sorted);
        }
        return body;
    }

    private void parts(ObjectNode d, @Nullable JsonNode body, JsonNode mode) {
        if (mode.has("pick")) {
            ObjectNode picked = d.putObject("picked");
            mode.path("pick")
                    .forEach(path -> picked.set(path.asText(), normaliser.body(Conditions.at(body, path.asText()))));
        }
        if (mode.has("names")) {
            JsonNode list = body == null ? NullNode.getInstance() : body;
            normaliser.placeholders().learnAnswer(list);
            List<String> names = new ArrayList<>();
            list.path("items")
                    .forEach(i -> names.add(i.path("metadata").path("name").asText()));
            names.remove("openshift-service-ca.crt");
            names.replaceAll(normaliser.placeholders()::text);
            Collections.sort(names);
            ArrayNode shown = d.putArray("names");
            names.forEach(shown::add);
        }
    }
}
