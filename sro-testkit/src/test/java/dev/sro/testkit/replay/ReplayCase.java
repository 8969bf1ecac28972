package dev.sro.testkit.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.replay.Endpoint.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One run of one scenario in a namespace of its own; what it writes down has the form of a recording. */
final class ReplayCase {
    private static final Map<String, String> TYPES = Map.of(
            "json", "application/json-patch+json",
            "merge", "application/merge-patch+json",
            "strategic", "application/strategic-merge-patch+json",
            "apply", "application/apply-patch+yaml");

    private final Endpoint server;
    private final JsonNode group;
    private final JsonNode scenario;
    private final Variables variables = new Variables();
    private final Normaliser normaliser;
    private final Recorder recorder;
    private final Watches watches;
    private final WebhookServer.@Nullable Log webhooks;
    private final List<String> clusterScoped = new ArrayList<>();
    private final ArrayNode out = JsonNodeFactory.instance.arrayNode();
    private final String namespace;
    private final Map<Integer, Consumer<Endpoint>> others;

    /**
     * A run.
     *
     * @param others what somebody else does before a recorded step
     */
    ReplayCase(
            Endpoint server,
            JsonNode group,
            JsonNode scenario,
            Random random,
            @Nullable WebhookServer hooks,
            Map<Integer, Consumer<Endpoint>> others) {
        this.others = new HashMap<>(others);
        this.server = server;
        this.group = group;
        this.scenario = scenario;
        this.namespace = "zq"
                + random.ints(7, 0, 20)
                        .collect(
                                StringBuilder::new,
                                (b, i) -> b.append("bcdfghjklmnpqrstvwxz".charAt(i)),
                                StringBuilder::append);
        Map<String, String> environment = new HashMap<>();
        environment.put("caBundle", hooks == null ? "" : hooks.caBundle());
        environment.put("webhook", hooks == null ? "" : hooks.url());
        environment.forEach(variables::put);
        variables.put("ns", namespace);
        boolean keep = scenario.path("keepManagedFields")
                .asBoolean(group.path("keepManagedFields").asBoolean());
        boolean definitions = group.path("group").asText().equals("crd");
        this.normaliser = new Normaliser(namespace, environment, definitions, keep);
        this.recorder = new Recorder(normaliser);
        this.watches = new Watches(server, variables, recorder, normaliser, out);
        this.webhooks = hooks == null ? null : hooks.log();
    }

    /** Plays all steps and returns what was written down. */
    ArrayNode run() {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.put("apiVersion", "v1").put("kind", "Namespace");
        body.putObject("metadata")
                .put("name", namespace)
                .set("labels", scenario.path("namespaceLabels").deepCopy());
        if (!scenario.has("namespaceLabels")) {
            ((ObjectNode) body.path("metadata")).putObject("labels");
        }
        Reply made = server.call(request("POST", "/api/v1/namespaces").set("body", body));
        if (made.status() != 201) {
            throw new AssertionError("cannot make a namespace: " + made);
        }
        awaitServiceAccount();
        try {
            scenario.path("steps").forEach(this::step);
        } finally {
            watches.stop();
            for (int i = clusterScoped.size() - 1; i >= 0; i--) {
                server.call(request("DELETE", clusterScoped.get(i)));
            }
            if (group.path("deleteNamespaces").asBoolean()) {
                server.call(request("DELETE", "/api/v1/namespaces/" + namespace));
            }
        }
        return out;
    }

    private void awaitServiceAccount() {
        String path = "/api/v1/namespaces/" + namespace + "/serviceaccounts/default";
        for (int i = 0; i < 200; i++) {
            server.pass(Duration.ofMillis(50));
            if (server.call(request("GET", path)).status() == 200) {
                return;
            }
        }
        throw new AssertionError("no default service account in " + namespace);
    }

    private static ObjectNode request(String method, String path) {
        return JsonNodeFactory.instance.objectNode().put("method", method).put("path", path);
    }

    private void step(JsonNode step) {
        if (others.containsKey(out.size())) {
            others.remove(out.size()).accept(server);
        }
        if (step.has("sleep")) {
            server.pass(seconds(step.path("sleep"), 0));
        } else if (step.has("set")) {
            step.path("set").properties().forEach(e -> variables.put(e.getKey(), variables.fill(e.getValue())));
        } else if (step.has("request")) {
            request(step);
        } else if (step.has("wait")) {
            await(step);
        } else if (step.has("watchOpen")) {
            watches.open(step.path("watchOpen"));
        } else if (step.has("watch")) {
            watches.close(step.path("watch"));
        } else if (step.has("hookRequests")) {
            hookRequests();
        } else {
            throw new IllegalStateException("unknown step " + step);
        }
    }

    static Duration seconds(JsonNode value, double otherwise) {
        return Duration.ofNanos((long) (value.asDouble(otherwise) * 1e9));
    }

    private void request(JsonNode step) {
        ObjectNode r = (ObjectNode) variables.fill(step.path("request"));
        String type = r.path("contentType").asText();
        if (r.hasNonNull("contentType")) {
            r.put("contentType", TYPES.getOrDefault(type, type));
        }
        JsonNode until = step.get("retryUntil");
        long left = step.path("timeout").asLong(20) * 1000;
        Reply reply = server.call(r);
        track(r, reply.status());
        while (until != null && !Conditions.hold(variables.fill(until), reply.status(), reply.body()) && left > 0) {
            undo(step, r, reply);
            server.pass(Duration.ofMillis(150));
            left -= 150;
            reply = server.call(r);
            track(r, reply.status());
        }
        save(step, reply);
        if (step.path("silent").asBoolean()) {
            return;
        }
        ObjectNode recorded = JsonNodeFactory.instance.objectNode();
        recorded.set("request", recorder.request(r));
        recorded.set("response", recorder.reply(reply, step.get("record")));
        if (step.has("record")) {
            recorded.set("recorded", step.get("record"));
        }
        if (until != null) {
            recorded.set("retryUntil", until);
        }
        out.add(recorded);
    }

    private void undo(JsonNode step, JsonNode r, Reply reply) {
        boolean created = (reply.status() == 200 || reply.status() == 201)
                && r.path("method").asText().equals("POST");
        if (created && step.has("undo") && !r.path("query").has("dryRun")) {
            server.call(request("DELETE", variables.fill(step.path("undo")).asText()));
            server.pass(Duration.ofMillis(100));
        }
    }

    private void save(JsonNode step, Reply reply) {
        for (Map.Entry<String, JsonNode> e : step.path("save").properties()) {
            JsonNode value = reply.body();
            if (!e.getValue().asText().equals("$")) {
                value = Conditions.at(value, e.getValue().asText());
            }
            variables.put(e.getKey(), value);
            if (value != null
                    && value.isTextual()
                    && Placeholders.UUID.matcher(value.asText()).matches()) {
                normaliser.placeholders().of("uid", value.asText());
            }
        }
        JsonNode body = reply.body();
        if (step.has("save") && body != null && body.path("kind").asText().endsWith("List")) {
            normaliser.savedList(body.path("metadata").path("resourceVersion").asText());
        }
    }

    /** Notes the cluster-scoped objects that a request makes, to remove them at the end. */
    private void track(JsonNode r, int status) {
        String path = r.path("path").asText();
        boolean namespaced = path.contains("/namespaces/");
        if (scenario.path("noCleanup").asBoolean()
                || (status != 200 && status != 201)
                || (namespaced && path.chars().filter(c -> c == '/').count() > 5)
                || r.path("query").has("dryRun")
                || (namespaced && !path.startsWith("/api/v1/namespaces/"))) {
            return;
        }
        String method = r.path("method").asText();
        if (method.equals("POST") && r.path("body").isObject()) {
            String name = r.path("body").path("metadata").path("name").asText();
            if (!name.isEmpty() && !name.equals(namespace) && !path.contains("reviews") && !namespaced) {
                clusterScoped.add(path + "/" + name);
            }
        } else if (method.equals("PATCH") && r.path("contentType").asText().contains("apply")) {
            clusterScoped.add(path);
        }
    }

    private void await(JsonNode step) {
        ObjectNode wait = (ObjectNode) variables.fill(step.path("wait"));
        ObjectNode get = request("GET", wait.path("path").asText());
        get.set("query", wait.path("query"));
        long left = wait.path("timeout").asLong(30) * 1000;
        Reply reply = server.call(get);
        while (!Conditions.hold(wait.path("until"), reply.status(), reply.body())) {
            if (left <= 0) {
                timedOut(step, reply);
                return;
            }
            server.pass(Duration.ofMillis(100));
            left -= 100;
            reply = server.call(get);
        }
        if (wait.path("settle").asDouble() > 0) {
            server.pass(seconds(wait.path("settle"), 0));
            reply = server.call(get);
        }
        save(step, reply);
        if (!step.path("silent").asBoolean()) {
            write(step, wait, reply);
        }
    }

    private void timedOut(JsonNode step, Reply reply) {
        if (!step.path("optional").asBoolean()) {
            ObjectNode recorded = JsonNodeFactory.instance.objectNode();
            recorded.set("wait", normaliser.walk(step.path("wait"), null));
            recorded.put("TIMEOUT", true);
            recorded.set("response", recorder.reply(reply, null));
            out.add(recorded);
        }
    }

    private void write(JsonNode step, ObjectNode wait, Reply reply) {
        ObjectNode shown = wait.deepCopy();
        shown.remove(List.of("timeout", "settle"));
        ObjectNode recorded = JsonNodeFactory.instance.objectNode();
        ObjectNode walked = (ObjectNode) normaliser.walk(shown, null);
        walked.remove("plainrv");
        recorded.set("wait", walked);
        normaliser.plainVersions(
                wait.path("plainrv").asBoolean() || group.path("plainrvWaits").asBoolean());
        if (reply.status() != 404 || step.path("recordNotFound").asBoolean()) {
            recorded.set("response", recorder.reply(reply, step.get("record")));
        } else {
            recorded.putObject("response").put("status", 404);
        }
        normaliser.plainVersions(false);
        if (step.has("record")) {
            recorded.set("recorded", step.get("record"));
        }
        out.add(recorded);
    }

    private void hookRequests() {
        server.pass(Duration.ofMillis(100));
        ArrayNode seen = JsonNodeFactory.instance.arrayNode();
        if (webhooks != null) {
            for (JsonNode call : webhooks.take(namespace)) {
                ObjectNode shown = seen.addObject();
                shown.set("path", call.path("path"));
                shown.set("review", normaliser.body(call.path("review")));
            }
        }
        out.addObject().set("webhookRequests", seen);
    }
}
