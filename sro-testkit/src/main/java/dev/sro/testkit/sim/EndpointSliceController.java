package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.server.ApiException;
import dev.sro.testkit.server.Change;
import dev.sro.testkit.server.ClusterApi;
import dev.sro.testkit.server.DeleteOptions;
import dev.sro.testkit.server.Gvr;
import dev.sro.testkit.server.LabelSelector;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** EndpointSlices of Services that select pods: where these can be reached, a hundred to a slice. */
final class EndpointSliceController implements SimLoop.Reconciler {
    static final Gvr SLICES = new Gvr("discovery.k8s.io", "v1", "endpointslices");
    private static final int MAX_ENDPOINTS = 100;
    private static final String TRIGGER = "endpoints.kubernetes.io/last-change-trigger-time";

    private final ClusterApi api;
    private final SimLoop loop;
    private final Map<String, Set<String>> byNamespace = new HashMap<>();

    EndpointSliceController(ClusterApi api, SimLoop loop) {
        this.api = api;
        this.loop = loop;
    }

    @Override
    public int rank() {
        return 2;
    }

    @Override
    public void observe(Change change) {
        ObjectNode object = change.object();
        String namespace = JsonNodes.namespace(object);
        if (change.type().equals(Gvr.SERVICES)) {
            if (change.kind() == Change.Kind.DELETED) {
                byNamespace.getOrDefault(namespace, new TreeSet<>()).remove(JsonNodes.key(object));
            } else {
                byNamespace.computeIfAbsent(namespace, n -> new TreeSet<>()).add(JsonNodes.key(object));
                loop.enqueue(this, JsonNodes.key(object));
            }
        } else if (change.type().equals(Gvr.PODS)) {
            byNamespace.getOrDefault(namespace, Set.of()).forEach(key -> loop.enqueue(this, key));
        }
    }

    @Override
    public void reconcile(String key) {
        ObjectNode service = api.get(Gvr.SERVICES, JsonNodes.keyNamespace(key), JsonNodes.keyName(key))
                .orElse(null);
        boolean selects = service != null
                && !JsonNodes.at(service, "spec", "selector").isEmpty()
                && !JsonNodes.text(service, "spec", "type").equals("ExternalName")
                && !JsonNodes.deleting(service);
        if (service == null || !selects) {
            return;
        }
        List<ObjectNode> pods = pods(service);
        List<ObjectNode> slices = new ArrayList<>(api.ownedBy(SLICES, JsonNodes.uid(service)));
        slices.sort(Comparator.comparing(JsonNodes::name));
        int wanted = Math.max(1, (pods.size() + MAX_ENDPOINTS - 1) / MAX_ENDPOINTS);
        for (int i = 0; i < wanted; i++) {
            int to = Math.min(pods.size(), (i + 1) * MAX_ENDPOINTS);
            List<ObjectNode> part = pods.subList(Math.min(i * MAX_ENDPOINTS, to), to);
            if (i < slices.size()) {
                update(slices.get(i), service, part);
            } else {
                create(service, part);
            }
        }
        for (ObjectNode left : slices.subList(Math.min(wanted, slices.size()), slices.size())) {
            api.delete(SLICES, JsonNodes.namespace(left), JsonNodes.name(left), DeleteOptions.DEFAULT);
        }
    }

    private List<ObjectNode> pods(ObjectNode service) {
        LabelSelector selector = LabelSelector.equal(JsonNodes.strings(service, "spec", "selector"));
        List<ObjectNode> found = new ArrayList<>();
        for (ObjectNode pod : api.list(Gvr.PODS, JsonNodes.namespace(service), selector)) {
            boolean there = !JsonNodes.text(pod, "status", "podIP").isEmpty()
                    && api.get(Gvr.NODES, null, JsonNodes.text(pod, "spec", "nodeName"))
                            .isPresent();
            if (there && !Pods.finished(pod)) {
                found.add(pod);
            }
        }
        found.sort(Comparator.comparing(JsonNodes::name));
        return found;
    }

    private void create(ObjectNode service, List<ObjectNode> pods) {
        ObjectNode slice = JsonNodes.object();
        ObjectNode metadata = JsonNodes.child(slice, "metadata");
        metadata.put("generateName", JsonNodes.name(service) + "-").put("namespace", JsonNodes.namespace(service));
        Map<String, String> labels = new TreeMap<>(JsonNodes.strings(service, "metadata", "labels"));
        labels.put("endpointslice.kubernetes.io/managed-by", "endpointslice-controller.k8s.io");
        labels.put("kubernetes.io/service-name", JsonNodes.name(service));
        if (JsonNodes.text(service, "spec", "clusterIP").equals("None")) {
            labels.put("service.kubernetes.io/headless", "");
        }
        ObjectNode shown = metadata.putObject("labels");
        labels.forEach(shown::put);
        metadata.putObject("annotations").put(TRIGGER, JsonNodes.time(loop.now()));
        metadata.putArray("ownerReferences").add(JsonNodes.ownerReference(service, "v1", "Service"));
        slice.put("addressType", "IPv4");
        fill(slice, service, pods);
        api.create(SLICES, slice);
    }

    private void update(ObjectNode slice, ObjectNode service, List<ObjectNode> pods) {
        ObjectNode next = JsonNodes.object();
        fill(next, service, pods);
        if (JsonNodes.same(next.get("endpoints"), slice.get("endpoints"))
                && JsonNodes.same(next.get("ports"), slice.get("ports"))) {
            return;
        }
        try {
            api.update(SLICES, JsonNodes.namespace(slice), JsonNodes.name(slice), null, s -> {
                s.set("endpoints", next.get("endpoints"));
                s.set("ports", next.get("ports"));
                JsonNodes.child(s, "metadata", "annotations").put(TRIGGER, JsonNodes.time(loop.now()));
                return s;
            });
        } catch (ApiException gone) {
            Pods.ignoreMissing(gone);
        }
    }

    private static void fill(ObjectNode slice, ObjectNode service, List<ObjectNode> pods) {
        if (pods.isEmpty()) {
            slice.putNull("endpoints");
            slice.putNull("ports");
            return;
        }
        ArrayNode endpoints = slice.putArray("endpoints");
        boolean unready = JsonNodes.bool(service, "spec", "publishNotReadyAddresses");
        pods.forEach(pod -> endpoints.add(endpoint(pod, unready)));
        ArrayNode ports = slice.putArray("ports");
        for (JsonNode port : JsonNodes.at(service, "spec", "ports")) {
            int number = number(port, pods.get(0));
            if (number > 0) {
                ports.addObject()
                        .put("name", JsonNodes.text(port, "name"))
                        .put("protocol", JsonNodes.text(port, "protocol"))
                        .put("port", number);
            }
        }
    }

    private static ObjectNode endpoint(ObjectNode pod, boolean unready) {
        ObjectNode endpoint = JsonNodes.object();
        endpoint.putArray("addresses").add(JsonNodes.text(pod, "status", "podIP"));
        boolean serving = Pods.ready(pod);
        endpoint.putObject("conditions")
                .put("ready", unready || (serving && !JsonNodes.deleting(pod)))
                .put("serving", serving)
                .put("terminating", JsonNodes.deleting(pod));
        endpoint.putObject("targetRef")
                .put("kind", "Pod")
                .put("namespace", JsonNodes.namespace(pod))
                .put("name", JsonNodes.name(pod))
                .put("uid", JsonNodes.uid(pod));
        return endpoint.put("nodeName", JsonNodes.text(pod, "spec", "nodeName"));
    }

    /** The number of a port that is given as one, or by the name that the pod's containers give it; 0 if they do not. */
    private static int number(JsonNode port, JsonNode pod) {
        JsonNode target = port.path("targetPort");
        if (target.isMissingNode() || target.isNumber()) {
            return target.asInt(port.path("port").asInt());
        }
        for (JsonNode container : JsonNodes.at(pod, "spec", "containers")) {
            for (JsonNode named : container.path("ports")) {
                if (JsonNodes.text(named, "name").equals(target.asText())) {
                    return named.path("containerPort").asInt();
                }
            }
        }
        return 0;
    }
}
