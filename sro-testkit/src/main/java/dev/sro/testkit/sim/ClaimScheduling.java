package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.server.ApiException;
import dev.sro.testkit.server.ClusterApi;
import dev.sro.testkit.server.Gvr;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What scheduling one pod has to do with its claims: whether it can be tried, on which nodes there are devices for it, and writing
 * down what was chosen. For one attempt.
 */
final class ClaimScheduling {
    /** Of alternatives, how much more the first is worth than none: the number that there can be. */
    private static final int ALTERNATIVES = 8;

    private record AllocationSet(List<ObjectNode> allocations, ExtendedResources.@Nullable RequestedResources asked) {}

    private final ClusterApi api;
    private final ObjectNode pod;
    private final List<ObjectNode> claims = new ArrayList<>();
    private final Map<String, AllocationSet> byNode = new HashMap<>();
    private final ExtendedResources resources;
    private final Set<String> wanted;
    private final DeviceAllocator allocator;
    private boolean waits;
    private String fault = "";
    private boolean unavailable;

    /**
     * For one pod.
     *
     * @param devicesOptional whether claims do not matter as long as nobody has published any device
     */
    ClaimScheduling(ClusterApi api, ObjectNode pod, boolean devicesOptional) {
        this.api = api;
        this.pod = pod;
        boolean ignored = devicesOptional && api.list(Gvr.RESOURCESLICES).isEmpty();
        boolean named = !ignored && !JsonNodes.at(pod, "spec", "resourceClaims").isEmpty();
        boolean mayExtend = !ignored
                && Quantities.requests(pod.path("spec")).keySet().stream().anyMatch(n -> n.contains("/"));
        List<ObjectNode> classes = named || mayExtend ? api.list(Gvr.DEVICECLASSES) : List.of();
        this.resources = ExtendedResources.of(classes);
        this.wanted = resources.wanted(pod.path("spec"));
        Map<String, ObjectNode> byName = new HashMap<>();
        classes.forEach(c -> byName.put(JsonNodes.name(c), c));
        boolean any = named || !wanted.isEmpty();
        this.allocator = new DeviceAllocator(
                any ? api.list(Gvr.RESOURCESLICES) : List.of(),
                AllocatedDevices.of(any ? api.list(Gvr.RESOURCECLAIMS) : List.of()),
                byName::get);
        if (named) {
            JsonNodes.at(pod, "spec", "resourceClaims").forEach(this::take);
        }
        if (!waits) {
            claims.forEach(claim -> checkClasses(claim, byName));
        }
    }

    private void take(JsonNode podClaim) {
        String name = ClaimNames.find(pod, podClaim);
        ObjectNode claim = name == null
                ? null
                : api.get(Gvr.RESOURCECLAIMS, JsonNodes.namespace(pod), name).orElse(null);
        boolean generated = podClaim.path("resourceClaimTemplateName").isTextual();
        if (claim == null || JsonNodes.deleting(claim) || (generated && !ClaimNames.ownedBy(claim, pod))) {
            waits = true;
        } else {
            claims.add(claim);
        }
    }

    private void checkClasses(ObjectNode claim, Map<String, ObjectNode> classes) {
        if (ClaimNames.allocated(claim)) {
            return;
        }
        for (JsonNode request : JsonNodes.at(claim, "spec", "devices", "requests")) {
            checkClass(request.path("exactly"), JsonNodes.text(request, "name"), classes);
            request.path("firstAvailable")
                    .forEach(a ->
                            checkClass(a, JsonNodes.text(request, "name") + "/" + JsonNodes.text(a, "name"), classes));
        }
    }

    private void checkClass(JsonNode wish, String request, Map<String, ObjectNode> classes) {
        String name = JsonNodes.text(wish, "deviceClassName");
        if (fault.isEmpty() && !name.isEmpty() && !classes.containsKey(name)) {
            fault = "request " + request + ": device class " + name + " does not exist";
        }
    }

    /** Whether the pod has anything to do with devices. */
    boolean any() {
        return waits || !claims.isEmpty() || !wanted.isEmpty();
    }

    /** Whether a claim is not there yet, so that the pod is not even tried. */
    boolean waits() {
        return waits;
    }

    /** Why no node will do, whatever it has; empty if that has to be found out node by node. */
    String fault() {
        return fault;
    }

    /** The requests of the pod without those that device classes stand for on this node. */
    Map<String, Long> withoutDevices(Map<String, Long> requests, ObjectNode node) {
        if (wanted.isEmpty()) {
            return requests;
        }
        Map<String, Long> rest = new HashMap<>(requests);
        rest.keySet().removeAll(ExtendedResources.onNode(wanted, node));
        return rest;
    }

    /**
     * Why this node will not do; null if it has what is needed, which is kept for {@link #bind}.
     *
     * @throws DeviceAllocator.FaultException if claims or classes are such that no node can be tried
     */
    @Nullable String refusal(ObjectNode node) {
        List<ObjectNode> open = new ArrayList<>();
        boolean elsewhere = false;
        for (ObjectNode claim : claims) {
            JsonNode selector = JsonNodes.at(claim, "status", "allocation", "nodeSelector");
            if (!ClaimNames.allocated(claim)) {
                open.add(claim);
            } else if (selector.isObject() && !Placement.selectedBy(selector, node)) {
                elsewhere = true;
            }
        }
        Set<String> onNode = ExtendedResources.onNode(wanted, node);
        ExtendedResources.RequestedResources asked =
                onNode.isEmpty() ? null : resources.asked(pod.path("spec"), onNode);
        if (asked != null) {
            open.add(special(asked.requests()));
        }
        List<ObjectNode> allocations = open.isEmpty() ? List.of() : allocator.allocate(node, open);
        if (allocations.size() < open.size()) {
            return allocator.anyInvalid(node)
                    ? "invalid resource pools were encountered"
                    : "cannot allocate all claims";
        }
        if (elsewhere) {
            unavailable = true;
            return "resourceclaim not available on the node";
        }
        byNode.put(JsonNodes.name(node), new AllocationSet(allocations, asked));
        return null;
    }

    /** The claim for extended resources, before it is made. */
    private ObjectNode special(ArrayNode requests) {
        ObjectNode claim =
                JsonNodes.object().put("apiVersion", "resource.k8s.io/v1").put("kind", "ResourceClaim");
        ObjectNode metadata = JsonNodes.child(claim, "metadata");
        metadata.put("generateName", JsonNodes.name(pod) + "-extended-resources-")
                .put("namespace", JsonNodes.namespace(pod));
        metadata.putObject("annotations").put(ClaimNames.EXTENDED, "true");
        metadata.putArray("ownerReferences").add(ClaimNames.owner(pod));
        JsonNodes.child(claim, "spec", "devices").set("requests", requests);
        return claim;
    }

    /** How good the alternatives are that a node gives: more for the first ones of {@code firstAvailable}. */
    int score(String node) {
        int score = 0;
        int next = 0;
        AllocationSet found = byNode.getOrDefault(node, new AllocationSet(List.of(), null));
        for (ObjectNode claim : claims) {
            JsonNode allocation = ClaimNames.allocated(claim)
                    ? JsonNodes.at(claim, "status", "allocation")
                    : next < found.allocations().size() ? found.allocations().get(next++) : JsonNodes.object();
            for (JsonNode request : JsonNodes.at(claim, "spec", "devices", "requests")) {
                score += score(request, allocation);
            }
        }
        return score;
    }

    private static int score(JsonNode request, JsonNode allocation) {
        int rank = 0;
        for (JsonNode alternative : request.path("firstAvailable")) {
            String reference = JsonNodes.text(request, "name") + "/" + JsonNodes.text(alternative, "name");
            for (JsonNode result : JsonNodes.at(allocation, "devices", "results")) {
                if (JsonNodes.text(result, "request").equals(reference)) {
                    return ALTERNATIVES - rank;
                }
            }
            rank++;
        }
        return 0;
    }

    /** When no node will do: takes the devices away from a claim that only this pod waits for. True if there was one. */
    boolean giveUpDevices() {
        if (!unavailable) {
            return false;
        }
        for (ObjectNode claim : claims) {
            JsonNode users = JsonNodes.at(claim, "status", "reservedFor");
            boolean own = users.isEmpty() || (users.size() == 1 && ClaimNames.reserved(claim, JsonNodes.uid(pod)));
            if (ClaimNames.allocated(claim) && own) {
                api.update(Gvr.RESOURCECLAIMS, JsonNodes.namespace(claim), JsonNodes.name(claim), "status", c -> {
                    c.set("status", JsonNodes.object());
                    return c;
                });
                return true;
            }
        }
        return false;
    }

    /** Writes the devices on this node into the claims, reserved for the pod. False if somebody was faster. */
    boolean bind(String node, Instant now) {
        AllocationSet found = byNode.getOrDefault(node, new AllocationSet(List.of(), null));
        int next = 0;
        try {
            for (ObjectNode claim : claims) {
                ObjectNode allocation =
                        ClaimNames.allocated(claim) ? null : found.allocations().get(next++);
                write(claim, allocation, now);
            }
            ExtendedResources.RequestedResources asked = found.asked();
            if (asked != null) {
                ObjectNode made = api.create(Gvr.RESOURCECLAIMS, special(asked.requests()));
                write(made, found.allocations().get(next), now);
                Pods.updateStatus(api, pod, status -> {
                    ObjectNode told = status.putObject("extendedResourceClaimStatus");
                    told.set("requestMappings", asked.mappings());
                    told.put("resourceClaimName", JsonNodes.name(made));
                });
            }
            return true;
        } catch (ApiException refused) {
            return false;
        }
    }

    private void write(ObjectNode claim, @Nullable ObjectNode allocation, Instant now) {
        String namespace = JsonNodes.namespace(claim);
        if (allocation != null
                && !JsonNodes.texts(claim, "metadata", "finalizers").contains(ClaimNames.FINALIZER)) {
            api.update(Gvr.RESOURCECLAIMS, namespace, JsonNodes.name(claim), null, c -> {
                JsonNodes.array(JsonNodes.child(c, "metadata"), "finalizers").add(ClaimNames.FINALIZER);
                return c;
            });
        }
        if (allocation == null && ClaimNames.reserved(claim, JsonNodes.uid(pod))) {
            return;
        }
        api.update(Gvr.RESOURCECLAIMS, namespace, JsonNodes.name(claim), "status", c -> {
            ObjectNode status = JsonNodes.child(c, "status");
            if (allocation != null) {
                allocation.put("allocationTimestamp", JsonNodes.time(now));
                status.set("allocation", allocation);
            }
            JsonNodes.array(status, "reservedFor").add(ClaimNames.consumer(pod));
            return c;
        });
    }
}
