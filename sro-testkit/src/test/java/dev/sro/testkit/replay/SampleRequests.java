package dev.sro.testkit.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Requests on an object that is there, most of them to change it: updates, patches of four kinds, applies of several managers, its
 * subresources, deletions, reads in several forms, lists; with options that may be wrong. Draws from one source. Where a text is
 * {@code <rv>} or {@code <uid>}, the object's own belongs there.
 */
final class SampleRequests {
    private static final List<String> STRATEGIC_KEYS =
            List.of("name", "containerPort", "port", "mountPath", "key", "type");
    private static final List<String> VALIDATIONS = List.of("Strict", "Warn", "Ignore", "Bogus");
    private static final List<String> VERSIONS = List.of("<rv>", "1", "abc", "0", "");
    private static final List<String> FORMS = List.of(
            "application/json;as=Table;v=v1;g=meta.k8s.io,application/json",
            "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json",
            "application/json",
            "application/yaml");
    private static final List<String> LABEL_SELECTORS =
            List.of("x=1", "x", "!x", "x in (1,2)", "x=,y", "x==1==2", "bad key");
    private static final List<String> FIELD_SELECTORS = List.of(
            "metadata.name=new",
            "metadata.name!=new",
            "spec.x=1",
            "metadata.namespace=samples",
            "status.phase=Active",
            "x");

    private final Random random;
    private final Mutations mutations;

    SampleRequests(Random random) {
        this.random = random;
        this.mutations = new Mutations(random);
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    private <T> T pick(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    private boolean one(int of) {
        return random.nextInt(of) == 0;
    }

    /** The next request on the object of a collection that the sample was created in. */
    ObjectNode next(ObjectNode sample, String collection, List<String> subresources) {
        String name = sample.path("metadata").path("name").asText();
        ObjectNode request = object();
        String path = collection + "/" + name;
        switch (random.nextInt(12)) {
            case 0, 1 -> put(request, sample);
            case 2, 3 -> mergePatch(request, sample, "application/merge-patch+json");
            case 4, 5 -> mergePatch(request, sample, "application/strategic-merge-patch+json");
            case 6 -> jsonPatch(request, sample);
            case 7, 8 -> apply(request, sample);
            case 9 -> {
                request.put("method", "DELETE").set("body", deletion());
            }
            case 10 -> request.put("method", "GET").put("accept", pick(FORMS));
            default -> {
                list(request, collection);
                return request;
            }
        }
        options(request);
        boolean sub = !subresources.isEmpty()
                && one(4)
                && !request.path("method").asText().equals("DELETE");
        return request.put("path", sub ? path + "/" + pick(subresources) : path);
    }

    private void options(ObjectNode request) {
        ObjectNode query = request.get("query") instanceof ObjectNode some ? some : request.putObject("query");
        boolean write = !request.path("method").asText().equals("GET");
        if (write && one(6)) {
            query.put("fieldValidation", pick(VALIDATIONS));
        }
        if (write && one(8)) {
            query.put("dryRun", one(3) ? "None" : "All");
        }
        if (write && one(8) && !query.has("fieldManager")) {
            query.put("fieldManager", one(4) ? "m".repeat(129) : "m1");
        }
    }

    private ObjectNode changed(ObjectNode sample) {
        ObjectNode next = sample.deepCopy();
        int changes = random.nextInt(3);
        for (int i = 0; i < changes; i++) {
            mutations.change(next);
        }
        return next;
    }

    private void put(ObjectNode request, ObjectNode sample) {
        ObjectNode next = changed(sample);
        if (next.get("metadata") instanceof ObjectNode metadata) {
            if (one(3)) {
                metadata.put("resourceVersion", pick(VERSIONS));
            }
            if (one(8)) {
                metadata.put("uid", one(2) ? "<uid>" : "11111111-1111-1111-1111-111111111111");
            }
            metadata(metadata);
        }
        request.put("method", "PUT").set("body", next);
    }

    private void metadata(ObjectNode metadata) {
        if (one(4)) {
            metadata.putObject("labels").put("x", "1");
        }
        if (one(6)) {
            metadata.putArray("finalizers").add(one(3) ? "bad" : "example.com/f");
        }
        if (one(10)) {
            metadata.put("deletionGracePeriodSeconds", 5);
        }
    }

    /** The object with all but one way from the top to a changed place taken away, and sometimes a little more. */
    private ObjectNode part(ObjectNode sample) {
        ObjectNode next = sample.deepCopy();
        for (int i = random.nextInt(2); i >= 0; i--) {
            mutations.change(next);
        }
        ObjectNode part = object();
        next.properties().forEach(field -> {
            JsonNode before = sample.path(field.getKey());
            if (!before.equals(field.getValue())) {
                part.set(field.getKey(), difference(before, field.getValue()));
            }
        });
        sample.fieldNames().forEachRemaining(field -> {
            if (!next.has(field)) {
                part.putNull(field);
            }
        });
        return part;
    }

    private static JsonNode difference(JsonNode before, JsonNode after) {
        if (!(before instanceof ObjectNode old) || !(after instanceof ObjectNode now)) {
            return before instanceof ArrayNode olds && after instanceof ArrayNode news ? items(olds, news) : after;
        }
        ObjectNode part = object();
        now.properties().forEach(field -> {
            JsonNode had = old.path(field.getKey());
            if (!had.equals(field.getValue())) {
                part.set(field.getKey(), difference(had, field.getValue()));
            }
        });
        old.fieldNames().forEachRemaining(field -> {
            if (!now.has(field)) {
                part.putNull(field);
            }
        });
        return part;
    }

    /** Items that changed, with what names them. */
    private static JsonNode items(ArrayNode before, ArrayNode after) {
        if (before.size() != after.size()) {
            return after;
        }
        ArrayNode items = JsonNodeFactory.instance.arrayNode();
        for (int i = 0; i < after.size(); i++) {
            JsonNode part = before.get(i).equals(after.get(i)) ? null : difference(before.get(i), after.get(i));
            if (part instanceof ObjectNode item) {
                for (String key : STRATEGIC_KEYS) {
                    if (!item.has(key) && before.get(i).has(key)) {
                        item.set(key, before.get(i).get(key));
                    }
                }
            }
            if (part != null) {
                items.add(part);
            }
        }
        return items;
    }

    private void mergePatch(ObjectNode request, ObjectNode sample, String type) {
        ObjectNode part = part(sample);
        if (one(4)) {
            metadata(part.get("metadata") instanceof ObjectNode some ? some : part.putObject("metadata"));
        }
        if (one(10)) {
            ObjectNode metadata = part.get("metadata") instanceof ObjectNode some ? some : part.putObject("metadata");
            metadata.put("resourceVersion", pick(VERSIONS));
        }
        if (one(20)) {
            part.put("$patch", pick(List.of("replace", "delete", "bogus")));
        }
        request.put("method", "PATCH").put("contentType", type).set("body", part);
    }

    private void jsonPatch(ObjectNode request, ObjectNode sample) {
        List<String> pointers = new ArrayList<>();
        pointers(sample, "", pointers);
        ArrayNode operations = JsonNodeFactory.instance.arrayNode();
        for (int i = random.nextInt(3); i >= 0; i--) {
            ObjectNode operation = operations.addObject();
            operation.put("op", pick(List.of("add", "replace", "remove", "test", "move", "copy", "bogus")));
            operation.put("path", pick(pointers) + (one(5) ? "/x" : ""));
            switch (operation.path("op").asText()) {
                case "move", "copy" -> operation.put("from", pick(pointers));
                case "remove" -> {}
                default -> operation.set("value", mutations.value());
            }
        }
        request.put("method", "PATCH")
                .put("contentType", "application/json-patch+json")
                .set("body", operations);
    }

    private static void pointers(JsonNode node, String path, List<String> pointers) {
        if (node instanceof ObjectNode object) {
            object.properties().forEach(field -> {
                String at = path + "/" + field.getKey().replace("~", "~0").replace("/", "~1");
                pointers.add(at);
                pointers(field.getValue(), at, pointers);
            });
        } else if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                pointers.add(path + "/" + i);
                pointers(array.get(i), path + "/" + i, pointers);
            }
        }
    }

    private void apply(ObjectNode request, ObjectNode sample) {
        ObjectNode config = changed(sample);
        for (String field : List.of("spec", "data", "rules", "webhooks", "subsets")) {
            if (one(4)) {
                config.remove(field);
            }
        }
        ObjectNode query = request.putObject("query");
        if (!one(12)) {
            query.put("fieldManager", pick(List.of("m1", "m2")));
        }
        if (one(3)) {
            query.put("force", pick(List.of("true", "false")));
        }
        request.put("method", "PATCH")
                .put("contentType", "application/apply-patch+yaml")
                .set("body", config);
    }

    private ObjectNode deletion() {
        ObjectNode options = object().put("kind", "DeleteOptions").put("apiVersion", "v1");
        if (one(2)) {
            options.putObject("preconditions").put("uid", one(2) ? "<uid>" : "11111111-1111-1111-1111-111111111111");
        } else if (one(2)) {
            options.putObject("preconditions").put("resourceVersion", pick(VERSIONS));
        }
        if (one(3)) {
            options.put("propagationPolicy", pick(List.of("Foreground", "Background", "Orphan", "Bogus")));
        }
        if (one(4)) {
            options.put("gracePeriodSeconds", pick(List.of(0, 5, -1)));
        }
        if (one(6)) {
            options.putArray("dryRun").add(one(3) ? "None" : "All");
        }
        if (one(12)) {
            options.put("orphanDependents", true);
        }
        return options;
    }

    private void list(ObjectNode request, String collection) {
        ObjectNode query = request.put("method", "GET").put("path", collection).putObject("query");
        if (one(2)) {
            query.put("labelSelector", pick(LABEL_SELECTORS));
        }
        if (one(2)) {
            query.put("fieldSelector", pick(FIELD_SELECTORS));
        }
        if (one(4)) {
            query.put("limit", pick(List.of("1", "0", "-1", "x")));
        }
        if (one(5)) {
            query.put("resourceVersion", pick(List.of("0", "x", "1")));
        }
        if (one(6)) {
            query.put("resourceVersionMatch", pick(List.of("Exact", "NotOlderThan", "Bogus")));
        }
        request.put("accept", pick(FORMS));
    }
}
