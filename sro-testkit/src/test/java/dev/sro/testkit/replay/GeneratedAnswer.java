package dev.sro.testkit.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.core.yaml.Yaml;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.regex.Pattern;

/**
 * One server as the generated requests see it: it is asked, and what it says is made comparable. Remembers the versions of objects, since
 * whether a write made a new one is part of an answer.
 */
final class GeneratedAnswer {
    /** Of a server that hangs up. */
    private static final int NONE = 0;

    private static final int REFUSED = 400;
    /** By {@code generateName}. */
    private static final Pattern MADE_UP = Pattern.compile("\\b(g-|G_|gx{20,58}(?!x{6}))[0-9a-z]{5}\\b");

    /** The object that a patch made, in the order of a map's fields. */
    private static final Pattern PATCHED =
            Pattern.compile("(patch: Invalid value: \\\\\"|\"message\":\"Invalid value: \\\\\")\\{.*?\\}(\\\\\": )");

    /** Addresses and ports of services in tables. */
    private static final Pattern ALLOTTED = Pattern.compile("\\b10\\.96\\.\\d+\\.\\d+\\b|(?<=\\d:)3[0-2]\\d{3}(?=/)");

    /** The server goes through a map until it meets a field that is not declared: which one it tells is chance. */
    private static final Pattern UNDECLARED = Pattern.compile("(failed to create typed patch object \\([^)]*\\): )"
            + "(?:\\\\.|[^\"\\\\])*: field not declared in schema(?:\\\\.|[^\"\\\\])*");

    private static final Pattern BUILD = Pattern.compile("in scheme \\\\?\"[^\"]*\"");

    private final Endpoint server;
    private final GeneratedObjectsSource source;
    private final Map<String, String> versions = new HashMap<>();
    private String edit = "";

    /** How the changes of a seed are made. */
    interface GeneratedObjectsSource {
        GeneratedObjects of(Random random);
    }

    GeneratedAnswer(Endpoint server, GeneratedObjectsSource source) {
        this.server = server;
        this.source = source;
    }

    Endpoint server() {
        return server;
    }

    /** The body that was sent last, where it was made of what was there; empty for others. */
    String edit() {
        return edit;
    }

    Judgement to(ObjectNode request, String object) {
        try {
            ObjectNode sent = edited(request);
            edit = request.has("edit") ? sent.path("body").toString() : "";
            return judged(server.call(SamplePaths.own(sent, server, object)));
        } catch (UncheckedIOException e) {
            return new Judgement(Map.of("code", NONE, "failed", String.valueOf(e.getMessage())));
        }
    }

    /** With the object that is there as its body, changed by the seed; fields by their names, so that both servers' are changed alike. */
    private ObjectNode edited(ObjectNode request) {
        if (!request.has("edit")) {
            return request;
        }
        ObjectNode sent = request.deepCopy();
        JsonNode live = server.call(
                        SamplePaths.request("GET", request.path("path").asText(), JsonNodeFactory.instance.nullNode()))
                .body();
        JsonNode body = live == null ? JsonNodeFactory.instance.objectNode() : ordered(live);
        if (body instanceof ObjectNode object && object.path("kind").asText().equals("Status")) {
            return sent.put("method", "GET");
        }
        if (body instanceof ObjectNode object) {
            JsonNode metadata = object.remove("metadata");
            source.of(new Random(request.path("edit").asInt())).change(object);
            object.set("metadata", metadata);
        }
        sent.set("body", body);
        return sent;
    }

    private static JsonNode ordered(JsonNode node) {
        if (node instanceof ArrayNode array) {
            ArrayNode items = JsonNodeFactory.instance.arrayNode();
            array.forEach(item -> items.add(ordered(item)));
            return items;
        }
        if (!node.isObject()) {
            return node;
        }
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        node.properties().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(field -> object.set(field.getKey(), ordered(field.getValue())));
        return object;
    }

    private Judgement judged(Endpoint.Reply given) {
        Endpoint.Reply reply = plain(given);
        String version = "";
        if (reply.body() instanceof ObjectNode body) {
            version = version(body, reply.status());
            drawn(body);
            ordered(body.path("metadata"), "managedFields");
            for (String list : new String[] {"items", "rows"}) {
                if (body.path(list) instanceof ArrayNode items) {
                    items.forEach(item -> ordered(
                            item.has("object") ? item.path("object").path("metadata") : item.path("metadata"),
                            "managedFields"));
                    removeOthers(items);
                }
            }
        }
        Judgement judgement = Judgement.ofAny(reply);
        judgement.said().put("type", reply.contentType());
        if (!version.isEmpty()) {
            judgement.said().put("version", version);
        }
        if (reply.body() != null && reply.body().isTextual()) {
            judgement.said().put("text", reply.body().asText());
        }
        return judgement;
    }

    /** Without the names that a server makes up, its build and its user; YAML is read. */
    private static Endpoint.Reply plain(Endpoint.Reply reply) {
        JsonNode body = reply.body();
        if (body == null) {
            return reply;
        }
        if (reply.contentType().startsWith("application/yaml") && body.isTextual()) {
            body = Endpoint.JSON.valueToTree(
                    Yaml.documents("answer", body.asText()).get(0));
        }
        String text = body.toString();
        text = MADE_UP.matcher(text).replaceAll("$1-drawn");
        text = BUILD.matcher(text).replaceAll("in scheme");
        text = PATCHED.matcher(text).replaceAll("$1...$2");
        text = UNDECLARED.matcher(text).replaceAll("$1field not declared");
        text = ALLOTTED.matcher(text).replaceAll("allotted");
        text = text.replace("sro-admin", "system:admin");
        JsonNode tree = Endpoint.tree(text.getBytes(StandardCharsets.UTF_8));
        return new Endpoint.Reply(reply.status(), tree, reply.contentType(), reply.warnings());
    }

    private String version(ObjectNode body, int status) {
        JsonNode metadata = body.path("metadata");
        String version = metadata.path("resourceVersion").asText();
        if (status >= REFUSED
                || version.isEmpty()
                || metadata.path("uid").asText().isEmpty()) {
            return "";
        }
        String before = versions.put(metadata.path("uid").asText(), version);
        return Objects.equals(before, version) ? "the same" : "another";
    }

    /** Takes away what each server draws for itself. */
    private static void drawn(ObjectNode body) {
        if (body.path("metadata") instanceof ObjectNode metadata) {
            String prefix = metadata.path("generateName").asText();
            if (!prefix.isEmpty()) {
                metadata.put("name", "drawn");
            }
            if (!metadata.path("continue").asText().isEmpty()) {
                metadata.put("continue", "token");
            }
        }
        if (body.path("kind").asText().equals("TokenRequest") && body.path("status") instanceof ObjectNode status) {
            status.remove(List.of("token", "expirationTimestamp"));
        }
    }

    /** Entries of one second are in the order of their managers, others in that of their times. */
    private static void ordered(JsonNode parent, String field) {
        if (parent instanceof ObjectNode object && object.path(field) instanceof ArrayNode entries) {
            List<JsonNode> sorted = new ArrayList<>();
            entries.forEach(sorted::add);
            sorted.sort(Comparator.comparing(entry ->
                    entry.path("manager").asText() + "|" + entry.path("operation") + entry.path("subresource")));
            object.set(field, JsonNodeFactory.instance.arrayNode().addAll(sorted));
        }
    }

    /** What the sequence did not make: objects of the server itself. */
    private static void removeOthers(ArrayNode items) {
        for (int i = items.size() - 1; i >= 0; i--) {
            JsonNode item = items.get(i).has("object") ? items.get(i).path("object") : items.get(i);
            JsonNode metadata = item.path("metadata");
            String name = metadata.path("name").asText();
            if (!metadata.isMissingNode()
                    && (name.equals("kube-root-ca.crt")
                            || (!metadata.has("namespace") && !name.contains("new") && !name.contains("-drawn")))) {
                items.remove(i);
            }
        }
    }
}
