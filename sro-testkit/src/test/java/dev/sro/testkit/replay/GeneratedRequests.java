package dev.sro.testkit.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * A short sequence of requests about one kind and what lies around it: objects are made, read, changed in all ways and deleted, with
 * options and mistakes. {@code ${ns}} stands for the namespace of the sequence. A request with {@code edit} has no body of its own: it
 * sends the object that is there, changed by that seed. Draws from one source.
 */
final class GeneratedRequests {
    private static final int STEPS = 6;
    /** What would change the server for all that comes after it is only tried. */
    private static final Set<String> TRIED =
            Set.of("Namespace", "APIService", "CustomResourceDefinition", "FlowSchema", "PriorityLevelConfiguration");

    private static final List<String> TYPES = List.of(
            "application/json; charset=utf-8",
            "text/plain",
            "application/merge-patch+json",
            "application/json;stream=watch",
            "application/vnd.kubernetes.protobuf",
            "*/*",
            "json",
            "");

    private final Random random;
    private final GeneratedObjects objects;
    private final SampleRequests changes;
    private final SubresourceRequests subresources;
    private final ObjectNode sample;
    private final SamplePaths.Place place;
    private ObjectNode latest;

    GeneratedRequests(Random random, ServedSchemas schemas, ObjectNode sample, SamplePaths.Place place) {
        this.random = random;
        this.objects = new GeneratedObjects(random, schemas);
        this.changes = new SampleRequests(random);
        this.subresources = new SubresourceRequests(random, objects);
        this.sample = sample;
        this.place = place;
        this.latest = sample;
    }

    List<ObjectNode> sequence() {
        List<ObjectNode> steps = new ArrayList<>();
        steps.add(create());
        while (steps.size() < STEPS) {
            steps.add(next());
        }
        if (TRIED.contains(sample.path("kind").asText())) {
            steps.removeIf(
                    step -> !List.of("POST", "GET").contains(step.path("method").asText()));
            steps.forEach(GeneratedRequests::tried);
        }
        if (!place.collection().contains("${ns}")) {
            // The server has objects of its own there.
            steps.forEach(step -> {
                if (step.get("query") instanceof ObjectNode query) {
                    query.remove("limit");
                }
            });
        }
        return steps;
    }

    private static void tried(ObjectNode step) {
        if (step.path("method").asText().equals("POST")) {
            ObjectNode query = step.get("query") instanceof ObjectNode some ? some : step.putObject("query");
            query.put("dryRun", "All");
        }
    }

    private <T> T pick(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private boolean one(int of) {
        return random.nextInt(of) == 0;
    }

    private ObjectNode next() {
        return switch (random.nextInt(12)) {
            case 0, 1, 2 -> create();
            case 3, 4 -> edit();
            case 5 -> subresources.next(sample, place.collection());
            case 6 -> one(2) ? collection() : odd();
            default -> named(changes.next(latest, place.collection(), place.subresources()));
        };
    }

    /** Names may have in them what paths write otherwise. */
    private static ObjectNode named(ObjectNode request) {
        return request.put("path", request.path("path").asText().replace("%", "%25"));
    }

    private ObjectNode create() {
        latest = objects.like(sample);
        if (sample.path("kind").asText().equals("Pod") && latest.get("spec") instanceof ObjectNode spec) {
            // The real server has no controllers, and so nobody who gives accounts to pods.
            spec.put("automountServiceAccountToken", false).put("serviceAccountName", "default");
        }
        ObjectNode object = latest.deepCopy();
        if (one(12) && object.get("metadata") instanceof ObjectNode metadata) {
            metadata.remove("name");
            metadata.put("generateName", pick(List.of("g-", "G_", "g" + "x".repeat(260))));
        }
        if (one(20)) {
            object.put(pick(List.of("kind", "apiVersion")), pick(List.of("ConfigMap", "apps/v1", "v1", "", "Nothing")));
        }
        ObjectNode request = SamplePaths.request("POST", place.collection(), object);
        options(request);
        if (one(10)) {
            request.put("contentType", "application/yaml").put("raw", true).put("body", BlockYaml.of(object));
        }
        return request;
    }

    private void options(ObjectNode request) {
        ObjectNode query = request.putObject("query");
        if (one(4)) {
            query.put("fieldValidation", pick(List.of("Strict", "Strict", "Warn", "Ignore", "strict")));
        }
        if (one(6)) {
            query.put("dryRun", pick(List.of("All", "All", "all", "")));
        }
        if (one(6)) {
            query.put("fieldManager", pick(List.of("m1", "m2", "m\u0007", "m".repeat(129), "")));
        }
        if (one(20)) {
            query.put("pretty", "true");
        }
    }

    /** As operators do it: read, change, write back. */
    private ObjectNode edit() {
        boolean sub = !place.subresources().isEmpty() && one(3);
        ObjectNode request = JsonNodeFactory.instance.objectNode();
        request.put("method", "PUT")
                .put("path", object() + (sub ? "/" + pick(place.subresources()) : ""))
                .put("edit", random.nextInt());
        options(request);
        return request;
    }

    private String object() {
        return place.collection() + "/" + sample.path("metadata").path("name").asText();
    }

    private ObjectNode collection() {
        ObjectNode request = JsonNodeFactory.instance.objectNode();
        request.put("method", "DELETE").put("path", place.collection());
        ObjectNode query = request.putObject("query");
        // Those of the server itself stay.
        query.put(
                "fieldSelector",
                "metadata.name=" + sample.path("metadata").path("name").asText());
        if (one(3)) {
            query.put("labelSelector", pick(List.of("x=1", "app=a", "app in (a,b)", "!app", "a b")));
        }
        if (one(4)) {
            query.put("propagationPolicy", pick(List.of("Foreground", "Background", "Orphan", "x")));
        }
        if (one(4)) {
            query.put("gracePeriodSeconds", pick(List.of("0", "5", "-1", "x")));
        }
        if (one(4)) {
            query.put("dryRun", pick(List.of("All", "x")));
        }
        if (one(4)) {
            query.put("resourceVersion", pick(List.of("0", "1", "x")));
        }
        return request;
    }

    /** What no client should send. */
    private ObjectNode odd() {
        ObjectNode request = create();
        switch (random.nextInt(5)) {
            case 0 -> request.put("contentType", pick(TYPES));
            case 1 -> request.put("method", pick(List.of("PUT", "PATCH", "OPTIONS")));
            case 2 ->
                request.put(
                        "path", request.path("path").asText() + pick(List.of("/", "/new", "/new/x", "/new/status")));
            case 3 -> {
                String text = latest.toString();
                request.put("raw", true).put("body", text.substring(0, random.nextInt(text.length())));
            }
            default -> request.set("body", oddBody());
        }
        return request;
    }

    private JsonNode oddBody() {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        ObjectNode list = nodes.objectNode();
        list.put("kind", "List").put("apiVersion", "v1").putArray("items").add(latest);
        return pick(List.of(
                nodes.arrayNode().add(latest), nodes.numberNode(1), nodes.objectNode(), nodes.booleanNode(true), list));
    }
}
