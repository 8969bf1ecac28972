package dev.sro.agent.publish;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sro.agent.claims.ApiServer;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The API server as far as publishing needs it: the slices of one driver on one node, and what has to be known for them. Nothing is
 * remembered. Thread-safe.
 *
 * <p>Each call throws {@link ConflictException} if something else was written meanwhile, and another {@link IOException} if there is no
 * answer or the API server says no.
 */
public final class ApiSlices {
    private static final int OK = 200;
    private static final int MULTIPLE = 300;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    private static final String GROUP = "/apis/resource.k8s.io/v1/";
    private static final String SLICES = GROUP + "resourceslices";

    /** Claims in one answer: what one page takes of the heap is bounded. */
    static final int PAGE = 500;

    private final ApiServer server;
    private final String node;
    private final String driver;
    private final ObjectMapper json = new ObjectMapper();

    /** Of a driver on a node. */
    public ApiSlices(ApiServer server, String node, String driver) {
        this.server = server;
        this.node = node;
        this.driver = driver;
    }

    /** The version of the API server, such as {@code v1.36.2}. */
    String version() throws IOException {
        return ask("/version").path("gitVersion").asText();
    }

    /** How many nodes the driver has slices of, this one among them though it may have none yet. */
    int nodes() throws IOException {
        Set<String> nodes = new HashSet<>(Set.of(node));
        pages(
                SLICES + "?fieldSelector=" + encoded("spec.driver=" + driver) + "&",
                path -> tree("GET", path, server.metadata(path)),
                slice -> {
                    for (JsonNode owner : slice.path("metadata").path("ownerReferences")) {
                        if (owner.path("kind").asText().equals("Node")) {
                            nodes.add(owner.path("name").asText());
                        }
                    }
                });
        return nodes.size();
    }

    /** All slices of the driver on the node. */
    List<ResourceSlice> slices() throws IOException {
        List<JsonNode> items = new ArrayList<>();
        list(
                SLICES + "?fieldSelector=" + encoded("spec.nodeName=" + node + ",spec.driver=" + driver) + "&",
                items::add);
        List<ResourceSlice> slices = new ArrayList<>();
        for (JsonNode item : items) {
            slices.add(json.treeToValue(item, ResourceSlice.class));
        }
        return slices;
    }

    /** Name of the driver. */
    String driver() {
        return driver;
    }

    /** All claims of the cluster, page by page. */
    void claims(Consumer<JsonNode> each) throws IOException {
        list(GROUP + "resourceclaims?", each);
    }

    /** One claim; empty if there is none of this name. */
    Optional<JsonNode> claim(String namespace, String name) throws IOException {
        String path = GROUP + "namespaces/" + encoded(namespace) + "/resourceclaims/" + encoded(name);
        HttpResponse<String> response = server.get(path);
        return response.statusCode() == NOT_FOUND ? Optional.empty() : Optional.of(tree("GET", path, response));
    }

    void create(ResourceSlice slice) throws IOException {
        write("POST", SLICES, slice);
    }

    /** Replaces the version that the slice names. */
    void update(ResourceSlice slice) throws IOException {
        write("PUT", SLICES + "/" + encoded(slice.getMetadata().getName()), slice);
    }

    /** Fine if it is gone. */
    void delete(String name) throws IOException {
        HttpResponse<String> response = server.send("DELETE", SLICES + "/" + encoded(name), "");
        if (response.statusCode() != NOT_FOUND) {
            tree("DELETE", "ResourceSlice " + name, response);
        }
    }

    /** Takes all slices away: for an uninstallation, not for a restart. */
    public void remove(Consumer<String> log) throws IOException {
        List<ResourceSlice> slices = slices();
        for (ResourceSlice slice : slices) {
            delete(slice.getMetadata().getName());
        }
        log.accept("removed " + slices.size() + " ResourceSlices");
    }

    private void write(String method, String path, ResourceSlice slice) throws IOException {
        String name = "ResourceSlice " + slice.getMetadata().getName();
        HttpResponse<String> response = server.send(method, path, json.writeValueAsString(slice));
        if (response.statusCode() == CONFLICT || response.statusCode() == NOT_FOUND) {
            throw new ConflictException(name + ": " + said(response));
        }
        tree(method, name, response);
    }

    private interface Question {
        JsonNode ask(String path) throws IOException;
    }

    private void list(String path, Consumer<JsonNode> each) throws IOException {
        pages(path, this::ask, each);
    }

    private static void pages(String path, Question question, Consumer<JsonNode> each) throws IOException {
        String next = "";
        do {
            JsonNode page = question.ask(path + "limit=" + PAGE + (next.isEmpty() ? "" : "&continue=" + encoded(next)));
            page.path("items").forEach(each);
            next = page.path("metadata").path("continue").asText();
        } while (!next.isEmpty());
    }

    private JsonNode ask(String path) throws IOException {
        return tree("GET", path, server.get(path));
    }

    private JsonNode tree(String method, String what, HttpResponse<String> response) throws IOException {
        if (response.statusCode() < OK || response.statusCode() >= MULTIPLE) {
            throw new IOException(method + " " + what + ": " + said(response));
        }
        try {
            return json.readTree(response.body());
        } catch (JsonProcessingException e) {
            throw new IOException(method + " " + what + ": the answer is no JSON", e);
        }
    }

    private String said(HttpResponse<String> response) {
        String message = "";
        try {
            message = json.readTree(response.body()).path("message").asText();
        } catch (JsonProcessingException e) {
            // Of a proxy, perhaps; the status says enough.
        }
        return "the API server says " + response.statusCode() + " " + message;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
