package dev.sro.testkit.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What a server says of an object, without what no two servers say alike: for one that is taken, what became of it; for one that is
 * refused, each cause, in any order, since the server goes through maps at random. Immutable.
 */
record Judgement(Map<String, Object> said) {

    private static final Pattern UUID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    private static final int REFUSED = 400;
    private static final List<String> DRAWN = List.of("clusterIP", "clusterIPs", "nodePort", "healthCheckNodePort");
    private static final List<String> OWN = List.of("uid", "resourceVersion", "creationTimestamp", "managedFields");

    static Judgement of(Endpoint.Reply reply) {
        Map<String, Object> said = new LinkedHashMap<>();
        said.put("code", reply.status());
        said.put("warnings", reply.warnings());
        if (!(reply.body() instanceof ObjectNode object)) {
            said.put("body", String.valueOf(reply.body()));
        } else if (reply.status() < REFUSED) {
            ((ObjectNode) object.path("metadata")).remove(OWN);
            drawn(object);
            object.properties().forEach(field -> said.put(field.getKey(), field.getValue()));
        } else {
            List<String> causes = new ArrayList<>();
            object.path("details").path("causes").forEach(cause -> causes.add(plain(cause.toString())));
            Collections.sort(causes);
            said.put(
                    "causes",
                    causes.isEmpty() ? aggregate(object.path("message").asText()) : causes);
        }
        return new Judgement(said);
    }

    /** The same of any request: lists, tables and owned fields too, and what else is said of a refusal. */
    static Judgement ofAny(Endpoint.Reply reply) {
        Map<String, Object> said = new LinkedHashMap<>();
        said.put("code", reply.status());
        said.put("warnings", reply.warnings());
        if (!(reply.body() instanceof ObjectNode object)) {
            said.put("type", reply.contentType());
            return new Judgement(said);
        }
        masked(object);
        drawn(object);
        if (object.path("details").path("causes") instanceof ArrayNode causes && causes.size() > 1) {
            List<String> sorted = new ArrayList<>();
            causes.forEach(cause -> sorted.add(plain(cause.toString())));
            Collections.sort(sorted);
            said.put("causes", sorted);
            object.remove(List.of("message", "details"));
        }
        // That of a Status says what the reply's own does.
        object.remove("code");
        object.properties().forEach(field -> said.put(field.getKey(), field.getValue()));
        return new Judgement(said);
    }

    /** Takes away what no two servers say alike. */
    static void mask(JsonNode node) {
        masked(node);
        drawn(node);
    }

    /** Takes away what only one server can say: ids, versions, times, descriptions of columns. */
    private static void masked(JsonNode node) {
        if (node instanceof ObjectNode object) {
            object.remove(
                    List.of("uid", "resourceVersion", "creationTimestamp", "deletionTimestamp", "time", "description"));
            if (object.path("cells") instanceof ArrayNode cells) {
                for (int i = 0; i < cells.size(); i++) {
                    if (cells.get(i).asText().matches("([0-9]+[smhdy]){1,2}|<unknown>|[-0-9]+T[:0-9]+Z")) {
                        cells.set(i, "age");
                    }
                }
            }
            if (object.path("message").isTextual()) {
                String text = UUID.matcher(object.path("message").asText()).replaceAll("<uid>");
                object.put("message", plain(text.replaceAll("[0-9]{2,}", "<n>")));
            }
        }
        node.forEach(Judgement::masked);
    }

    /** Takes away what a server draws or allots, and times. */
    private static void drawn(JsonNode node) {
        if (node instanceof ObjectNode object) {
            object.remove(DRAWN);
            object.properties()
                    .removeIf(field -> field.getKey().endsWith("controller-uid")
                            || field.getKey().endsWith("TransitionTime"));
            JsonNode name = object.path("name");
            if (name.asText().startsWith("kube-api-access-")) {
                object.put("name", "kube-api-access");
            } else if (UUID.matcher(name.asText()).matches()) {
                object.put("name", "drawn");
            }
        }
        node.forEach(Judgement::drawn);
    }

    /** What was refused for several reasons says them in brackets; those of a LimitRange come from maps. */
    private static String aggregate(String message) {
        int open = message.indexOf(": [");
        if (open < 0 || !message.endsWith("]")) {
            return message;
        }
        String[] reasons = message.substring(open + 3, message.length() - 1).split(", ");
        Arrays.sort(reasons);
        return message.substring(0, open) + ": " + List.of(reasons);
    }

    /** The server tells an empty list from none in what was sent, but not in what it keeps. */
    private static String plain(String cause) {
        return cause.replace("[]", "null");
    }

    int status() {
        return said.get("code") instanceof Integer status ? status : 0;
    }

    /** What this one says and the other does not. */
    Map<String, Object> without(Judgement other) {
        Map<String, Object> rest = new LinkedHashMap<>();
        said.forEach((key, value) -> {
            Object others = other.said.get(key);
            if (value instanceof List<?> list && others instanceof List<?> known) {
                List<Object> only = new ArrayList<>(list);
                known.forEach(only::remove);
                if (!only.isEmpty()) {
                    rest.put(key, only);
                }
            } else if (value instanceof JsonNode here && others instanceof JsonNode there) {
                List<String> only = JsonDifference.of(here, there);
                if (!only.isEmpty()) {
                    rest.put(key, only);
                }
            } else if (!value.equals(others)) {
                rest.put(key, value);
            }
        });
        return rest;
    }
}
