package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Extended resources of pods that device classes stand for: which class, and what a pod asks of it on a node whose device plugin
 * has none.
 *
 * @param byResource the class of each resource
 */
record ExtendedResources(Map<String, ObjectNode> byResource) {
    private static final String IMPLICIT = "deviceclass.resource.kubernetes.io/";

    /**
     * What is asked of the classes.
     *
     * @param requests of the claim
     * @param mappings which container gets which request for which resource
     */
    record RequestedResources(ArrayNode requests, ArrayNode mappings) {}

    /** Of several classes of one name the newest counts, and of equally old ones the first by name. */
    static ExtendedResources of(List<ObjectNode> classes) {
        Map<String, ObjectNode> all = new TreeMap<>();
        List<ObjectNode> sorted = new ArrayList<>(classes);
        sorted.sort(Comparator.comparing((ObjectNode c) -> JsonNodes.text(c, "metadata", "creationTimestamp"))
                .thenComparing(JsonNodes::name, Comparator.reverseOrder()));
        for (ObjectNode deviceClass : sorted) {
            all.put(IMPLICIT + JsonNodes.name(deviceClass), deviceClass);
            String name = JsonNodes.text(deviceClass, "spec", "extendedResourceName");
            if (!name.isEmpty()) {
                all.put(name, deviceClass);
            }
        }
        return new ExtendedResources(all);
    }

    /** The resources of a pod that have a class. */
    Set<String> wanted(JsonNode podSpec) {
        Set<String> names = new TreeSet<>();
        Quantities.requests(podSpec).forEach((name, amount) -> {
            if (amount > 0 && byResource.containsKey(name)) {
                names.add(name);
            }
        });
        return names;
    }

    /** Of these resources those that the node's device plugins do not have. */
    static Set<String> onNode(Set<String> wanted, ObjectNode node) {
        Set<String> names = new TreeSet<>();
        for (String name : wanted) {
            if (Quantities.milli(JsonNodes.text(node, "status", "allocatable", name)) == 0) {
                names.add(name);
            }
        }
        return names;
    }

    /** What a pod asks of the classes of these resources. Containers that end before others start give their devices on. */
    RequestedResources asked(JsonNode podSpec, Set<String> resources) {
        List<ObjectNode> requests = new ArrayList<>();
        ArrayNode mappings = JsonNodes.object().putArray("mappings");
        for (String resource : resources) {
            new OfResource(podSpec, resource, JsonNodes.name(byResource.getOrDefault(resource, JsonNodes.object())))
                    .add(requests, mappings);
        }
        requests.sort(Comparator.comparing(r -> JsonNodes.text(r, "name")));
        ArrayNode sorted = JsonNodes.object().putArray("requests");
        requests.forEach(sorted::add);
        return new RequestedResources(sorted, mappings);
    }

    /** One resource of a pod. */
    private static final class OfResource {
        private final List<JsonNode> containers = new ArrayList<>();
        private final int inits;
        private final String resource;
        private final String className;
        private final Map<Integer, ObjectNode> lasting = new TreeMap<>();

        OfResource(JsonNode podSpec, String resource, String className) {
            podSpec.path("initContainers").forEach(containers::add);
            this.inits = containers.size();
            podSpec.path("containers").forEach(containers::add);
            this.resource = resource;
            this.className = className;
        }

        void add(List<ObjectNode> requests, ArrayNode mappings) {
            List<ObjectNode> brief = new ArrayList<>();
            for (int i = 0; i < containers.size(); i++) {
                ObjectNode request = isBrief(i) ? null : request(i, 0, mappings);
                if (request != null) {
                    lasting.put(i, request);
                }
            }
            ObjectNode most = null;
            Map<String, String> renamed = new HashMap<>();
            for (int i = 0; i < inits; i++) {
                ObjectNode request = isBrief(i) ? reusing(i, brief) : null;
                if (request != null) {
                    renamed.put(JsonNodes.text(request, "name"), "");
                    most = most == null || count(most) < count(request) ? request : most;
                }
            }
            for (ObjectNode mapping : brief) {
                if (most != null && renamed.containsKey(JsonNodes.text(mapping, "requestName"))) {
                    mapping.put("requestName", JsonNodes.text(most, "name"));
                }
                mappings.add(mapping);
            }
            if (most != null) {
                requests.add(most);
            }
            requests.addAll(lasting.values());
        }

        private boolean isBrief(int index) {
            return index < inits
                    && !JsonNodes.text(containers.get(index), "restartPolicy").equals("Always");
        }

        private static long count(ObjectNode request) {
            return JsonNodes.at(request, "exactly", "count").asLong();
        }

        private long wanted(int index) {
            JsonNode resources = containers.get(index).path("resources");
            String amount = JsonNodes.text(resources, "requests", resource);
            return Quantities.milli(amount) / 1000;
        }

        private @Nullable ObjectNode reusing(int index, List<ObjectNode> mappings) {
            long had = 0;
            if (wanted(index) == 0) {
                return null;
            }
            for (Map.Entry<Integer, ObjectNode> later : lasting.entrySet()) {
                if (later.getKey() >= index) {
                    had += count(later.getValue());
                    mappings.add(mapping(index, JsonNodes.text(later.getValue(), "name")));
                    if (had >= wanted(index)) {
                        return null;
                    }
                }
            }
            ArrayNode own = JsonNodes.object().putArray("own");
            ObjectNode request = request(index, had, own);
            own.forEach(m -> mappings.add((ObjectNode) m));
            return request;
        }

        private @Nullable ObjectNode request(int index, long had, ArrayNode mappings) {
            if (wanted(index) == 0) {
                return null;
            }
            Set<String> names = new TreeSet<>(JsonNodes.strings(containers.get(index), "resources", "requests")
                    .keySet());
            int place = new ArrayList<>(names).indexOf(resource);
            String name = "container-" + index + "-request-" + place;
            ObjectNode request = JsonNodes.object().put("name", name);
            request.putObject("exactly")
                    .put("deviceClassName", className)
                    .put("allocationMode", "ExactCount")
                    .put("count", (int) (wanted(index) - had));
            mappings.add(mapping(index, name));
            return request;
        }

        private ObjectNode mapping(int index, String request) {
            return JsonNodes.object()
                    .put("containerName", JsonNodes.text(containers.get(index), "name"))
                    .put("resourceName", resource)
                    .put("requestName", request);
        }
    }
}
