package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes the parts of a Node that its kubelet owns. */
final class NodeObjects {
    static final String KWOK = "kwok.x-k8s.io/node";
    private static final String KWOK_VERSION = "kwok-v0.8.0-snapshot";

    private record Health(String type, String reason, String message) {}

    private static final List<Health> HEALTHY = List.of(
            new Health("MemoryPressure", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"),
            new Health("DiskPressure", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
            new Health("PIDPressure", "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
            new Health("NetworkUnavailable", "RouteCreated", "RouteController created a route"));

    private NodeObjects() {}

    /** A new node, registered and Ready. */
    static ObjectNode create(String name, NodeProfile profile, int index, Instant now) {
        ObjectNode node = JsonNodes.object().put("apiVersion", "v1").put("kind", "Node");
        ObjectNode labels = JsonNodes.child(node.putObject("metadata").put("name", name), "labels");
        labels.put("beta.kubernetes.io/arch", profile.architecture());
        labels.put("beta.kubernetes.io/os", "linux");
        labels.put("kubernetes.io/arch", profile.architecture());
        labels.put("kubernetes.io/hostname", name);
        labels.put("kubernetes.io/os", "linux");
        if (!profile.role().isEmpty()) {
            labels.put("node-role.kubernetes.io/" + profile.role(), "");
        }
        if (profile.os().id().equals("rhcos")) {
            labels.put("node.openshift.io/os_id", "rhcos");
        }
        profile.labels().forEach(labels::put);
        JsonNodes.child(node, "metadata", "annotations").put("node.alpha.kubernetes.io/ttl", "0");
        node.putObject("spec");
        ObjectNode status = node.putObject("status");
        for (String part : List.of("capacity", "allocatable")) {
            ObjectNode amounts = status.putObject(part);
            profile.resources().forEach(amounts::put);
        }
        status.putArray("addresses")
                .add(JsonNodes.object()
                        .put("type", "InternalIP")
                        .put("address", "10.0." + (index >> 8) + "." + (index & 255)))
                .add(JsonNodes.object().put("type", "Hostname").put("address", name));
        kubelet(node, profile, 0, now);
        return node;
    }

    /**
     * A node as a file or another cluster has it, before its kubelet here has registered it: without what belongs to that cluster.
     * It gets the amounts of a usual machine where it says nothing of them.
     */
    static ObjectNode foreign(ObjectNode of) {
        ObjectNode node = of.deepCopy();
        JsonNodes.child(node, "metadata")
                .remove(List.of(
                        "uid",
                        "resourceVersion",
                        "generation",
                        "creationTimestamp",
                        "deletionTimestamp",
                        "managedFields"));
        JsonNodes.child(node, "spec");
        ObjectNode status = JsonNodes.child(node, "status");
        status.remove(List.of("conditions", "images", "volumesAttached", "volumesInUse"));
        for (String part : List.of("capacity", "allocatable")) {
            ObjectNode amounts = JsonNodes.child(status, part);
            NodeProfile.of(OsRelease.UBUNTU_22).resources().forEach((name, amount) -> {
                if (!amounts.has(name)) {
                    amounts.put(name, amount);
                }
            });
        }
        return node;
    }

    /** What can be told of the machine of a node that somebody else created. It has no NFD and no device. */
    static NodeProfile profileOf(ObjectNode node) {
        ObjectNode info = JsonNodes.child(node.deepCopy(), "status", "nodeInfo");
        OsRelease os = new OsRelease(
                JsonNodes.text(info, "osImage"),
                "",
                "",
                Map.of(),
                JsonNodes.text(info, "containerRuntimeVersion"),
                JsonNodes.text(info, "kernelVersion"));
        return NodeProfile.of(os)
                .withArchitecture(JsonNodes.text(info, "architecture"))
                .withoutNfd();
    }

    /** What a kubelet writes into the status when it starts: versions and healthy conditions. */
    static void kubelet(ObjectNode node, @Nullable NodeProfile profile, int boots, Instant now) {
        ObjectNode status = JsonNodes.child(node, "status");
        boolean kwok = JsonNodes.has(node, "metadata", "annotations", KWOK);
        ObjectNode info = JsonNodes.child(status, "nodeInfo");
        if (kwok) {
            kwokInfo(info);
            status.put("phase", "Running");
        } else {
            info(info, profile == null ? NodeProfile.of(OsRelease.UBUNTU_22) : profile, profile != null);
            info.put("bootID", uuid(JsonNodes.name(node) + "/boot/" + boots));
            fill(info, "machineID", uuid(JsonNodes.name(node) + "/machine").replace("-", ""));
            fill(info, "systemUUID", uuid(JsonNodes.name(node) + "/system"));
        }
        if (status.path("addresses").isEmpty()) {
            ArrayNode addresses = status.putArray("addresses");
            addresses.addObject().put("type", "InternalIP").put("address", "127.0.0.1");
        }
        JsonNodes.child(status, "daemonEndpoints", "kubeletEndpoint").put("Port", kwok ? 0 : 10250);
        ready(node, "True", "KubeletReady", "kubelet is posting ready status", now);
        for (Health h : HEALTHY) {
            heartbeat(status, Conditions.create(h.type(), false, h.reason(), h.message()), now);
        }
    }

    static void ready(ObjectNode node, String value, String reason, String message, Instant now) {
        ObjectNode c = JsonNodes.object()
                .put("type", "Ready")
                .put("status", value)
                .put("reason", reason)
                .put("message", message);
        heartbeat(JsonNodes.child(node, "status"), c, now);
    }

    private static void heartbeat(ObjectNode status, ObjectNode condition, Instant now) {
        condition.put("lastHeartbeatTime", JsonNodes.time(now));
        Conditions.set(status, condition, now);
    }

    private static void info(ObjectNode info, NodeProfile p, boolean overwrite) {
        put(info, "kernelVersion", p.kernel(), overwrite);
        put(info, "osImage", p.os().osImage(), overwrite);
        put(info, "containerRuntimeVersion", p.os().containerRuntime(), overwrite);
        put(info, "kubeletVersion", p.kubeletVersion(), overwrite);
        put(info, "kubeProxyVersion", p.kubeletVersion(), overwrite);
        put(info, "operatingSystem", "linux", overwrite);
        put(info, "architecture", p.architecture(), overwrite);
    }

    private static void kwokInfo(ObjectNode info) {
        for (String field : List.of("kernelVersion", "containerRuntimeVersion", "kubeletVersion", "kubeProxyVersion")) {
            fill(info, field, KWOK_VERSION);
        }
        for (String field : List.of("machineID", "systemUUID", "bootID", "osImage")) {
            fill(info, field, "");
        }
        fill(info, "operatingSystem", "linux");
        fill(info, "architecture", "amd64");
    }

    /** A node made by somebody else keeps what it says of itself. */
    private static void fill(ObjectNode info, String field, String value) {
        put(info, field, value, false);
    }

    private static void put(ObjectNode info, String field, String value, boolean overwrite) {
        if (overwrite || JsonNodes.text(info, field).isEmpty()) {
            info.put(field, value);
        }
    }

    private static String uuid(String seed) {
        return UUID.nameUUIDFromBytes(seed.getBytes(StandardCharsets.UTF_8)).toString();
    }
}
