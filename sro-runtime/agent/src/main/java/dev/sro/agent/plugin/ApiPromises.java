package dev.sro.agent.plugin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sro.agent.claims.ApiServer;
import dev.sro.core.das.AllocationClaim;
import dev.sro.core.das.DasNames;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Claims of DAS's kind of one node, where the API server has them. Not thread-safe. */
public final class ApiPromises implements PromisedPlaces {
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;

    private final ApiServer api;
    private final String node;
    private final Consumer<String> log;
    private final ObjectMapper json = new ObjectMapper();
    private final Set<String> said = new HashSet<>();

    /** Nothing is asked yet. */
    public ApiPromises(ApiServer api, String node, Consumer<String> log) {
        this.api = api;
        this.node = node;
        this.log = log;
    }

    @Override
    public List<AllocationClaim> claims() throws IOException {
        HttpResponse<String> response = api.get("/apis/" + DasNames.API_VERSION + "/" + DasNames.CLAIMS
                + "?labelSelector="
                + URLEncoder.encode(DasNames.NODE_LABEL + "=" + DasNames.nodeLabel(node), StandardCharsets.UTF_8));
        if (response.statusCode() == NOT_FOUND) {
            // Nobody promises anything where there is no such kind.
            return List.of();
        }
        if (response.statusCode() != OK) {
            throw new IOException(DasNames.CLAIMS + ": the API server says " + response.statusCode());
        }
        List<AllocationClaim> claims = new ArrayList<>();
        for (JsonNode item : json.readTree(response.body()).path("items")) {
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
}
