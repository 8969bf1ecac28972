package dev.sro.agent.plugin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.agent.claims.ApiServer;
import dev.sro.core.das.AllocationClaim;
import dev.sro.core.das.ClaimState;
import dev.sro.core.das.DasNames;
import dev.sro.core.das.NodeAccelerator.AcceleratorGpu;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Claims of DAS's kind of one node, and what the node has, where the API server has them. Not thread-safe. */
public final class ApiPromises implements PromisedPlaces {
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final Set<String> ENDED = Set.of("Succeeded", "Failed");
    private static final String GROUP = "/apis/" + DasNames.API_VERSION + "/";

    private final ApiServer api;
    private final String node;
    private final ApiInventory inventory;
    private final Clock clock;
    private final Consumer<String> log;
    private final ObjectMapper json = new ObjectMapper();
    private final Set<String> said = new HashSet<>();

    /**
     * Nothing is asked yet.
     *
     * @param namespace where the node's NodeAccelerator is
     */
    public ApiPromises(ApiServer api, String node, String namespace, Clock clock, Consumer<String> log) {
        this.api = api;
        this.node = node;
        this.inventory = new ApiInventory(api, node, namespace, clock);
        this.clock = clock;
        this.log = log;
    }

    @Override
    public List<AllocationClaim> claims() throws IOException {
        HttpResponse<String> response = api.get(GROUP + DasNames.CLAIMS + "?labelSelector="
                + encoded(DasNames.NODE_LABEL + "=" + DasNames.nodeLabel(node)));
        if (response.statusCode() == NOT_FOUND) {
            // Nobody promises anything where there is no such kind.
            return List.of();
        }
        List<AllocationClaim> claims = new ArrayList<>();
        for (JsonNode item : tree(DasNames.CLAIMS, response).path("items")) {
            try {
                AllocationClaim claim = AllocationClaim.of(json.treeToValue(item, GenericKubernetesResource.class));
                if (claim.node().equals(node)) {
                    claims.add(claim);
                }
            } catch (IllegalArgumentException e) {
                if (said.add(String.valueOf(e.getMessage()))) {
                    log.accept("a promise is passed over: " + e.getMessage());
                }
            }
        }
        return claims;
    }

    @Override
    public void inventory(List<AcceleratorGpu> gpus) throws IOException {
        inventory.write(gpus);
    }

    @Override
    public void keep(AllocationClaim claim) throws IOException {
        finalizers(claim, true);
    }

    @Override
    public void release(AllocationClaim claim) throws IOException {
        finalizers(claim, false);
    }

    /** Those of others stay; if somebody else writes meanwhile the API server refuses, and the next look does it. */
    private void finalizers(AllocationClaim claim, boolean kept) throws IOException {
        Optional<JsonNode> now = read(path(claim), claim);
        if (now.isEmpty()) {
            return;
        }
        ObjectNode patch = json.createObjectNode();
        ObjectNode metadata = patch.putObject("metadata");
        metadata.put(
                "resourceVersion", now.get().at("/metadata/resourceVersion").asText());
        ArrayNode finalizers = metadata.putArray("finalizers");
        now.get().at("/metadata/finalizers").forEach(one -> {
            if (!one.asText().equals(DasNames.FINALIZER) && !one.asText().equals(DasNames.TAKEN_OVER)) {
                finalizers.add(one.asText());
            }
        });
        if (kept) {
            finalizers.add(DasNames.FINALIZER);
        }
        patch(path(claim), patch.toString(), claim);
    }

    @Override
    public void state(AllocationClaim claim, ClaimState state) throws IOException {
        String at = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
        patch(
                path(claim) + "/status",
                json.writeValueAsString(Map.of("status", AllocationClaim.status(state, at))),
                claim);
    }

    @Override
    public boolean ended(AllocationClaim claim) throws IOException {
        Optional<JsonNode> pod = read(
                "/api/v1/namespaces/" + encoded(claim.pod().namespace()) + "/pods/"
                        + encoded(claim.pod().name()),
                claim);
        return pod.isEmpty()
                || !pod.get().at("/metadata/uid").asText().equals(claim.pod().uid())
                || ENDED.contains(pod.get().at("/status/phase").asText());
    }

    @Override
    public void delete(AllocationClaim claim) throws IOException {
        HttpResponse<String> response = api.send("DELETE", path(claim), "");
        if (response.statusCode() != NOT_FOUND) {
            JsonNode unused = tree(claim.reference(), response);
        }
    }

    private Optional<JsonNode> read(String path, AllocationClaim claim) throws IOException {
        HttpResponse<String> response = api.get(path);
        return response.statusCode() == NOT_FOUND ? Optional.empty() : Optional.of(tree(claim.reference(), response));
    }

    private void patch(String path, String patch, AllocationClaim claim) throws IOException {
        HttpResponse<String> response = api.patch(path, patch);
        if (response.statusCode() != NOT_FOUND) {
            JsonNode unused = tree(claim.reference(), response);
        }
    }

    private JsonNode tree(String what, HttpResponse<String> response) throws IOException {
        if (response.statusCode() < OK || response.statusCode() >= OK + 100) {
            throw new IOException(what + ": the API server says " + response.statusCode());
        }
        return json.readTree(response.body());
    }

    private static String path(AllocationClaim claim) {
        return GROUP + "namespaces/" + encoded(claim.namespace()) + "/" + DasNames.CLAIMS + "/" + encoded(claim.name());
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
