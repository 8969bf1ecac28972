package dev.sro.agent.plugin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sro.agent.claims.ApiServer;
import dev.sro.agent.kubelet.PodResources;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/** Asks kubelet's socket what containers have, and the API server for the pods of the node where kubelet may not tell of all. Thread-safe. */
public final class NodePods implements KubeletUse {
    private static final int OK = 200;
    private static final int PAGE = 500;
    private static final Set<String> ENDED = Set.of("Succeeded", "Failed");

    private final PodResources kubelet;
    private final ApiServer api;
    private final String node;
    private final Predicate<String> ours;
    private final ObjectMapper json = new ObjectMapper();

    /**
     * Nothing is asked yet.
     *
     * @param ours which resources are ours
     */
    public NodePods(PodResources kubelet, ApiServer api, String node, Predicate<String> ours) {
        this.kubelet = kubelet;
        this.api = api;
        this.node = node;
        this.ours = ours;
    }

    private List<PodResources.PodDevices> told() throws IOException {
        return kubelet.list().stream().filter(one -> ours.test(one.resource())).toList();
    }

    @Override
    public Map<String, String> devices() throws IOException {
        Map<String, String> devices = new TreeMap<>();
        told().forEach(one -> one.devices().forEach(id -> devices.put(id, one.pod())));
        return devices;
    }

    @Override
    public Set<String> untold() throws IOException {
        // Pods first: one that comes between the two answers is told of by the second.
        Map<String, Set<String>> asked = asked();
        Set<String> told = new HashSet<>();
        told().forEach(one -> told.add(one.pod() + " " + one.resource()));
        Set<String> untold = new TreeSet<>();
        asked.forEach((pod, resources) -> resources.stream()
                .filter(resource -> !told.contains(pod + " " + resource))
                .forEach(untold::add));
        return untold;
    }

    private Map<String, Set<String>> asked() throws IOException {
        Map<String, Set<String>> asked = new TreeMap<>();
        String next = "";
        do {
            String path = "/api/v1/pods?fieldSelector=" + encoded("spec.nodeName=" + node) + "&limit=" + PAGE
                    + (next.isEmpty() ? "" : "&continue=" + encoded(next));
            HttpResponse<String> response = api.get(path);
            if (response.statusCode() != OK) {
                throw new IOException("pods of node " + node + ": the API server says " + response.statusCode());
            }
            JsonNode page = json.readTree(response.body());
            page.path("items").forEach(pod -> pod(pod, asked));
            next = page.path("metadata").path("continue").asText();
        } while (!next.isEmpty());
        return asked;
    }

    private void pod(JsonNode pod, Map<String, Set<String>> asked) {
        if (ENDED.contains(pod.path("status").path("phase").asText())) {
            return;
        }
        Set<String> resources = new TreeSet<>();
        for (String kind : List.of("containers", "initContainers")) {
            pod.path("spec")
                    .path(kind)
                    .forEach(container -> container
                            .path("resources")
                            .path("limits")
                            .fieldNames()
                            .forEachRemaining(name -> {
                                if (ours.test(name)) {
                                    resources.add(name);
                                }
                            }));
        }
        if (!resources.isEmpty()) {
            JsonNode metadata = pod.path("metadata");
            asked.put(
                    metadata.path("namespace").asText() + "/"
                            + metadata.path("name").asText(),
                    resources);
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
