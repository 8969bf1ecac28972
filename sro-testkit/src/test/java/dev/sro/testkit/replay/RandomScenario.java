package dev.sro.testkit.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A random sequence of requests about a few objects, as a scenario: creates, updates, patches of all kinds, applies of several
 * managers, deletes, reads. The same seed gives the same sequence. Objects are such that no controller writes to them.
 */
final class RandomScenario {
    private static final List<String> NAMES = List.of("a", "b", "Bad_Name");
    private static final List<String> MANAGERS = List.of("m1", "m2", "m3");
    private static final Map<String, String> PATHS = Map.of(
            "ConfigMap", "/api/v1/namespaces/${ns}/configmaps",
            "Secret", "/api/v1/namespaces/${ns}/secrets",
            "Service", "/api/v1/namespaces/${ns}/services",
            "Lease", "/apis/coordination.k8s.io/v1/namespaces/${ns}/leases",
            "Role", "/apis/rbac.authorization.k8s.io/v1/namespaces/${ns}/roles",
            "NetworkPolicy", "/apis/networking.k8s.io/v1/namespaces/${ns}/networkpolicies",
            "PodTemplate", "/api/v1/namespaces/${ns}/podtemplates",
            "Gadget", "/apis/${ns}.example.com/v1/namespaces/${ns}/gadgets",
            "DaemonSet", "/apis/apps/v1/namespaces/${ns}/daemonsets",
            "Deployment", "/apis/apps/v1/namespaces/${ns}/deployments");
    /** Controllers write to these: only what they leave alone is compared. */
    private static final List<String> CONTROLLED = List.of("DaemonSet", "Deployment");

    private static final List<String> PICKED = List.of(
            "$.spec",
            "$.metadata.labels",
            "$.metadata.generation",
            "$.metadata.finalizers",
            "$.message",
            "$.reason",
            "$.details",
            "$.code");
    private static final List<String> KINDS = PATHS.keySet().stream().sorted().toList();

    private final Random random;
    private final RandomObjects objects;
    private final ArrayNode steps = JsonNodeFactory.instance.arrayNode();
    private final String kind;

    private RandomScenario(long seed) {
        this.random = new Random(seed);
        this.objects = new RandomObjects(random);
        this.kind = KINDS.get(random.nextInt(KINDS.size()));
    }

    /** The scenario of a seed. */
    static ObjectNode of(long seed, int length) {
        RandomScenario scenario = new RandomScenario(seed);
        if (scenario.kind.equals("Gadget")) {
            scenario.define();
        }
        for (int i = 0; i < length; i++) {
            scenario.step();
        }
        if (!CONTROLLED.contains(scenario.kind)) {
            scenario.request("GET", scenario.path(""), null);
        }
        ObjectNode made = JsonNodeFactory.instance.objectNode();
        made.put("name", "seed-" + seed).put("why", "random").put("keepManagedFields", true);
        made.set("steps", scenario.steps);
        return made;
    }

    private String path(String name) {
        return PATHS.get(kind) + (name.isEmpty() ? "" : "/" + name);
    }

    private String name() {
        return NAMES.get(random.nextInt(20) == 0 ? 2 : random.nextInt(2));
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    private ObjectNode request(String method, String path, @Nullable JsonNode body) {
        ObjectNode step = steps.addObject();
        ObjectNode request = step.putObject("request");
        if (CONTROLLED.contains(kind)) {
            ArrayNode pick = step.putObject("record").putArray("pick");
            PICKED.forEach(pick::add);
        }
        request.put("method", method).put("path", path);
        if (body != null) {
            request.set("body", body);
        }
        return request;
    }

    /** Makes the definition and waits until it is served. */
    private void define() {
        String definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
        ObjectNode step = steps.addObject().put("silent", true);
        step.putObject("request")
                .put("method", "POST")
                .put("path", definitions)
                .set("body", RandomObjects.definition());
        ObjectNode wait = steps.addObject().put("silent", true);
        ObjectNode until = wait.putObject("wait").put("path", definitions + "/gadgets.${ns}.example.com");
        until.put("settle", 0.5)
                .putObject("until")
                .put("path", "$.status.conditions[type=Established].status")
                .put("equals", "True");
        ObjectNode served = steps.addObject().put("silent", true);
        served.putObject("request").put("method", "GET").put("path", path(""));
        served.putObject("retryUntil").put("status", 200);
    }

    private void step() {
        String name = name();
        switch (random.nextInt(12)) {
            case 0, 1 -> options(request("POST", path(""), objects.whole(kind, name)));
            case 2 -> options(request("PUT", path(name), objects.whole(kind, name)));
            case 3, 4 -> options(patch(name, "merge", objects.fragment(kind)));
            case 5 -> options(patch(name, "json", objects.operations()));
            case 6 -> options(patch(name, "strategic", objects.fragment(kind)));
            case 7, 8, 9 -> apply(name);
            case 10 -> delete(name);
            default -> request("GET", path(chance(70) || CONTROLLED.contains(kind) ? name : ""), null);
        }
    }

    private ObjectNode patch(String name, String type, JsonNode body) {
        return request("PATCH", path(name), body).put("contentType", type);
    }

    private void apply(String name) {
        ObjectNode config = chance(70) ? objects.whole(kind, name) : objects.named(kind, name, objects.fragment(kind));
        ObjectNode query = patch(name, "apply", config).putObject("query");
        query.put("fieldManager", MANAGERS.get(random.nextInt(MANAGERS.size())));
        if (chance(25)) {
            query.put("force", "true");
        }
        if (chance(5)) {
            query.put("dryRun", "All");
        }
    }

    private void delete(String name) {
        ObjectNode request = request("DELETE", path(chance(90) || CONTROLLED.contains(kind) ? name : ""), null);
        if (chance(30)) {
            request.putObject("query")
                    .put("propagationPolicy", List.of("Background", "Orphan").get(random.nextInt(2)));
        }
        // Controllers follow: the collector, and who puts the root certificate back.
        steps.addObject().put("sleep", 0.7);
    }

    private void options(ObjectNode request) {
        ObjectNode query = JsonNodeFactory.instance.objectNode();
        if (chance(8)) {
            query.put("dryRun", "All");
        }
        if (chance(15)) {
            query.put("fieldValidation", List.of("Strict", "Warn", "Ignore").get(random.nextInt(3)));
        }
        if (chance(40)) {
            query.put("fieldManager", MANAGERS.get(random.nextInt(MANAGERS.size())));
        }
        if (!query.isEmpty()) {
            request.set("query", query);
        }
    }
}
