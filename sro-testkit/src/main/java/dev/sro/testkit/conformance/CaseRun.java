package dev.sro.testkit.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.sro.testkit.conformance.HttpCaller.Answer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One run of one case, in a namespace of its own. A step is an object:
 *
 * <ul>
 *   <li>{@code do}: verb and path; {@code {ns}} and saved values are filled in; {@code as}: content type (json, merge, json-patch,
 *       strategic, apply); {@code send}: the body
 *   <li>{@code expect}: the status; {@code where}: paths and the values they must have; {@code absent}: paths that must not be
 *       there; {@code names}: names of the items of a list, in order
 *   <li>{@code keep}: paths whose values are saved under a name; {@code changed}: paths that must differ from a saved value
 *   <li>{@code like}: paths and texts that their values contain; {@code count}: paths and how many elements there are
 *   <li>{@code user}: as whom to act; {@code token}: who makes the request, the administrator without it
 *   <li>{@code watch}, in place of {@code do}: path of a watch; {@code events}: what comes, as type and name; paths of
 *       {@code where} begin with the number of the event
 *   <li>{@code reviews}, in place of {@code do}: path of a webhook; paths of {@code where} begin with the number of the request that
 *       it got since it was last looked at
 *   <li>{@code warnings}: the texts of the answer's warnings, in order
 *   <li>{@code eventually}: repeat until all this holds
 * </ul>
 *
 * <p>{@code clean} of a case: paths to delete at its end. {@code webhooks}: what its webhooks answer, see {@link WebhookScript};
 * {@code {webhook}} is their address and {@code {ca}} what signs their certificate.
 */
final class CaseRun {
    private static final String INITIAL = "k8s.io/initial-events-end";
    /** Half a minute and more: the namespace controller of a real server takes its time. */
    private static final int ATTEMPTS = 400;

    private static final Map<String, String> TYPES = Map.of(
            "json", "application/json",
            "merge", "application/merge-patch+json",
            "json-patch", "application/json-patch+json",
            "strategic", "application/strategic-merge-patch+json",
            "apply", "application/apply-patch+yaml");

    private final HttpCaller server;
    private final JsonNode definition;
    private final Map<String, String> values = new HashMap<>();
    private @Nullable WebhookScript webhooks;

    CaseRun(HttpCaller server, JsonNode definition) {
        this.server = server;
        this.definition = definition;
    }

    void run() {
        String id = UUID.randomUUID().toString().substring(0, 8).toLowerCase(Locale.ROOT);
        String namespace = "conformance-" + id;
        values.put("ns", namespace);
        values.put("id", "c" + id);
        String body = "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"" + namespace + "\"}}";
        Answer made = server.call("POST", "/api/v1/namespaces", TYPES.get("json"), body);
        if (made.status() != 201) {
            throw new AssertionError("cannot make a namespace: " + made);
        }
        try (WebhookScript script = WebhookScript.start(definition.path("webhooks"))) {
            webhooks = script;
            values.put("webhook", script.url());
            values.put("ca", script.caBundle());
            int number = 0;
            for (JsonNode step : definition.path("steps")) {
                number++;
                perform(number, step);
            }
        } finally {
            definition.path("clean").forEach(path -> server.call("DELETE", fill(path.asText()), null, null));
            server.call("DELETE", "/api/v1/namespaces/" + namespace, null, null);
            server.pause();
        }
    }

    private void perform(int number, JsonNode step) {
        int attempts = step.path("eventually").asBoolean() ? ATTEMPTS : 1;
        List<String> faults = List.of();
        for (int i = 0; i < attempts; i++) {
            if (attempts > 1) {
                server.pause();
            }
            Answer answer = step.has("watch") ? watch(step) : step.has("reviews") ? reviews(step) : request(step);
            faults = faults(step, answer);
            if (faults.isEmpty()) {
                save(step, answer);
                return;
            }
        }
        throw new AssertionError("step " + number + ", "
                + step.path("do").asText(step.path("watch").asText()) + ":\n  " + String.join("\n  ", faults));
    }

    private Answer reviews(JsonNode step) {
        WebhookScript script = webhooks;
        if (script == null) {
            throw new IllegalStateException("the case has no webhooks");
        }
        return new Answer(200, script.take(step.path("reviews").asText()));
    }

    private Answer request(JsonNode step) {
        String line = fill(step.path("do").asText());
        int space = line.indexOf(' ');
        JsonNode send = step.get("send");
        String type = send == null ? null : TYPES.get(step.path("as").asText("json"));
        String body = send == null ? null : fill(send.isTextual() ? send.asText() : send.toString());
        HttpCaller.Caller by = new HttpCaller.Caller(
                step.has("user") ? fill(step.path("user").asText()) : null,
                step.has("token") ? fill(step.path("token").asText()) : null);
        return server.call(line.substring(0, space), line.substring(space + 1), type, body, by);
    }

    /** The events of a watch, as if they were a list that was answered. Bookmarks come when they like and are left out. */
    private Answer watch(JsonNode step) {
        ArrayNode events = JsonNodeFactory.instance.arrayNode();
        for (JsonNode event : server.events(fill(step.path("watch").asText()))) {
            boolean initial =
                    event.path("object").path("metadata").path("annotations").has(INITIAL);
            if (!event.path("type").asText().equals("BOOKMARK") || initial) {
                events.add(event);
            }
        }
        return new Answer(200, events);
    }

    private List<String> faults(JsonNode step, Answer answer) {
        List<String> faults = new ArrayList<>();
        int expected = step.path("expect").asInt(200);
        if (answer.status() != expected) {
            faults.add("status " + answer.status() + " instead of " + expected + ": " + answer.body());
        }
        step.path("where").properties().forEach(e -> {
            JsonNode actual = at(answer.body(), e.getKey());
            String wanted = fill(e.getValue().toString());
            if (!actual.toString().equals(wanted)) {
                faults.add(e.getKey() + " is " + actual + " instead of " + wanted);
            }
        });
        step.path("absent").forEach(path -> {
            if (!at(answer.body(), path.asText()).isMissingNode()) {
                faults.add(path.asText() + " should not be there");
            }
        });
        step.path("changed").properties().forEach(e -> {
            String saved = values.get(e.getValue().asText());
            if (at(answer.body(), e.getKey()).asText().equals(saved)) {
                faults.add(e.getKey() + " should not be " + saved + " any more");
            }
        });
        step.path("like").properties().forEach(e -> {
            String wanted = fill(e.getValue().asText());
            JsonNode actual = at(answer.body(), e.getKey());
            String text = actual.isTextual() ? actual.asText() : actual.toString();
            if (!text.contains(wanted)) {
                faults.add(e.getKey() + " is " + actual + ", without " + wanted);
            }
        });
        step.path("count").properties().forEach(e -> {
            int size = at(answer.body(), e.getKey()).size();
            if (size != e.getValue().asInt()) {
                faults.add(e.getKey() + " has " + size + " elements instead of " + e.getValue());
            }
        });
        if (step.has("events")) {
            List<String> seen = new ArrayList<>();
            answer.body()
                    .forEach(e -> seen.add(e.path("type").asText() + " "
                            + at(e, "object.metadata.name").asText()));
            List<String> wanted = new ArrayList<>();
            step.path("events").forEach(n -> wanted.add(fill(n.asText())));
            if (!seen.equals(wanted)) {
                faults.add("events are " + seen + " instead of " + wanted);
            }
        }
        if (step.has("warnings")) {
            List<String> wanted = new ArrayList<>();
            step.path("warnings").forEach(w -> wanted.add("299 - \"" + fill(w.asText()) + "\""));
            if (!answer.warnings().equals(wanted)) {
                faults.add("warnings are " + answer.warnings() + " instead of " + wanted);
            }
        }
        if (step.has("names")) {
            List<String> names = new ArrayList<>();
            answer.body()
                    .path("items")
                    .forEach(i -> names.add(at(i, "metadata.name").asText()));
            List<String> wanted = new ArrayList<>();
            step.path("names").forEach(n -> wanted.add(fill(n.asText())));
            if (!names.equals(wanted)) {
                faults.add("items are " + names + " instead of " + wanted);
            }
        }
        return faults;
    }

    private void save(JsonNode step, Answer answer) {
        step.path("keep")
                .properties()
                .forEach(e -> values.put(
                        e.getKey(), at(answer.body(), e.getValue().asText()).asText()));
    }

    /** The value at a path such as {@code metadata.ownerReferences.0.uid}; '~1' stands for a dot inside of a name. */
    private static JsonNode at(JsonNode node, String path) {
        JsonNode at = node;
        for (String step : path.split("\\.")) {
            String name = step.replace("~1", ".");
            at = at.isArray() && !name.isEmpty() && Character.isDigit(name.charAt(0))
                    ? at.path(Integer.parseInt(name))
                    : at.path(name);
        }
        return at == null ? MissingNode.getInstance() : at;
    }

    private String fill(String text) {
        String filled = text;
        for (Map.Entry<String, String> e : values.entrySet()) {
            filled = filled.replace("{" + e.getKey() + "}", e.getValue());
        }
        return filled;
    }
}
