package dev.sro.agent.plugin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.agent.claims.ApiServer;
import dev.sro.core.das.DasNames;
import dev.sro.core.das.NodeAccelerator;
import dev.sro.core.das.NodeAccelerator.AcceleratorGpu;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The NodeAccelerator of one node, where the API server has it; the Node owns it, so that it goes with the node. Not thread-safe. */
final class ApiInventory {
    /** Label of those that an agent wrote. */
    private static final String MANAGED_BY = "app.kubernetes.io/managed-by";

    private static final String MANAGER = "sro-agent";
    private static final int OK = 200;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;

    /** After this time somebody may have changed it. */
    private static final Duration TRUSTED = Duration.ofMinutes(5);

    private final ApiServer api;
    private final String node;
    private final String namespace;
    private final Clock clock;
    private final ObjectMapper json = new ObjectMapper();
    private @Nullable List<AcceleratorGpu> written;
    private Instant looked = Instant.EPOCH;

    ApiInventory(ApiServer api, String node, String namespace, Clock clock) {
        this.api = api;
        this.node = node;
        this.namespace = namespace;
        this.clock = clock;
    }

    void write(List<AcceleratorGpu> gpus) throws IOException {
        Instant now = clock.instant();
        if (gpus.equals(written) && now.isBefore(looked.plus(TRUSTED))) {
            return;
        }
        NodeAccelerator wanted = new NodeAccelerator(namespace, node, gpus);
        HttpResponse<String> response = api.get(path() + "/" + ApiPromises.encoded(node));
        boolean none = response.statusCode() == NOT_FOUND;
        if (gpus.isEmpty() && (none || response.statusCode() == FORBIDDEN)) {
            // Nothing to say, and nobody to whom it was said.
            remember(gpus, now);
            return;
        }
        JsonNode live = none ? create(wanted) : tree(response);
        JsonNode resources = json.valueToTree(wanted.resources());
        if (!live.isMissingNode() && !live.at("/status/nodeResources").equals(resources)) {
            ObjectNode changed = live.deepCopy();
            ObjectNode status = changed.putObject("status");
            status.set("nodeResources", resources);
            status.set("conditions", conditions(live.at("/status/conditions"), gpus, now));
            JsonNode unused =
                    tree(api.send("PUT", path() + "/" + ApiPromises.encoded(node) + "/status", changed.toString()));
        }
        remember(gpus, now);
    }

    private void remember(List<AcceleratorGpu> gpus, Instant now) {
        written = List.copyOf(gpus);
        looked = now;
    }

    /** Missing where there is no such kind: then nobody places pods by it. */
    private JsonNode create(NodeAccelerator wanted) throws IOException {
        ObjectNode object = json.valueToTree(wanted.object());
        ObjectNode metadata = (ObjectNode) object.path("metadata");
        metadata.putObject("labels").put(MANAGED_BY, MANAGER);
        HttpResponse<String> owner = api.get("/api/v1/nodes/" + ApiPromises.encoded(node));
        metadata.putArray("ownerReferences")
                .addObject()
                .put("apiVersion", "v1")
                .put("kind", "Node")
                .put("name", node)
                .put("uid", tree(owner).at("/metadata/uid").asText());
        HttpResponse<String> response = api.send("POST", path(), object.toString());
        return response.statusCode() == NOT_FOUND ? json.missingNode() : tree(response);
    }

    /** One, as DAS has it; its time is that of the last change. */
    private JsonNode conditions(JsonNode before, List<AcceleratorGpu> gpus, Instant now) {
        boolean ready = gpus.stream().anyMatch(gpu -> gpu.closed().isEmpty());
        String status = ready ? "True" : "False";
        JsonNode known = before.path(0);
        if (known.path("type").asText().equals("Ready")
                && known.path("status").asText().equals(status)) {
            return before;
        }
        return json.valueToTree(List.of(Map.of(
                "type",
                "Ready",
                "status",
                status,
                "reason",
                ready ? "GPUsAccessible" : "NoGpuOffered",
                "message",
                ready ? "Slices of GPUs can be had." : "Nothing new of any GPU can be had.",
                "lastTransitionTime",
                now.truncatedTo(ChronoUnit.SECONDS).toString())));
    }

    private JsonNode tree(HttpResponse<String> response) throws IOException {
        if (response.statusCode() < OK || response.statusCode() >= OK + 100) {
            throw new IOException(
                    "NodeAccelerator " + namespace + "/" + node + ": the API server says " + response.statusCode());
        }
        return json.readTree(response.body());
    }

    private String path() {
        return "/apis/" + DasNames.API_VERSION + "/namespaces/" + ApiPromises.encoded(namespace) + "/" + DasNames.NODES;
    }
}
