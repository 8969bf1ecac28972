package dev.sro.testkit.upgrade;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.core.upgrade.machine.UpgradePhase;
import dev.sro.testkit.server.ClusterApi;
import dev.sro.testkit.server.Gvr;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the nodes with the device, their drivers and the special resource look like from outside. Immutable.
 *
 * @param version of the cluster when this was looked at
 * @param nodes by name
 * @param drivers what runs and is ready, by node
 * @param resource as stored
 */
record PoolLook(long version, Map<String, Node> nodes, Map<String, String> drivers, JsonNode resource) {

    private static final Gvr SPECIAL_RESOURCES = new Gvr("sro.openshift.io", "v1beta1", "specialresources");
    private static final String NOTE = "sro.dev/gpu.driver-upgrade.note";
    private static final String REBOOT = "sro.dev/gpu.driver-upgrade.reboot";

    static final PoolLook NOTHING = new PoolLook(-1, Map.of(), Map.of(), new ObjectNode(null));

    /**
     * A node.
     *
     * @param phase its label
     * @param note what is remembered of it
     * @param reboot the boot that it shall leave behind
     * @param canary whether it is in the first wave
     */
    record Node(String phase, boolean cordoned, boolean ready, String note, String reboot, boolean canary) {

        boolean available() {
            return ready && !cordoned;
        }

        boolean inProgress() {
            return UpgradePhase.parse(phase).orElse(UpgradePhase.UNKNOWN).inProgress();
        }
    }

    static PoolLook of(ClusterApi api) {
        Map<String, Node> nodes = new TreeMap<>();
        for (ObjectNode node : api.list(Gvr.NODES)) {
            JsonNode labels = node.path("metadata").path("labels");
            JsonNode annotations = node.path("metadata").path("annotations");
            if (labels.has("example.com/device")) {
                nodes.put(
                        name(node),
                        new Node(
                                labels.path(UpgradeWorld.STATE).asText(""),
                                node.at("/spec/unschedulable").asBoolean(false),
                                ready(node),
                                annotations.path(NOTE).asText(""),
                                annotations.path(REBOOT).asText(""),
                                labels.has("canary")));
            }
        }
        Map<String, String> drivers = new TreeMap<>();
        for (ObjectNode pod : api.list(Gvr.PODS)) {
            if (name(pod).startsWith("gpu-driver") && ready(pod)) {
                drivers.merge(
                        pod.at("/spec/nodeName").asText(),
                        pod.at("/spec/containers/0/image").asText().replaceFirst(".*:", ""),
                        (a, b) -> a + "," + b);
            }
        }
        return new PoolLook(
                api.resourceVersion(),
                nodes,
                drivers,
                api.get(SPECIAL_RESOURCES, null, "gpu").orElse(new ObjectNode(null)));
    }

    private static String name(ObjectNode object) {
        return object.at("/metadata/name").asText();
    }

    /** Whether a node or a pod is. */
    static boolean ready(ObjectNode object) {
        for (JsonNode condition : object.at("/status/conditions")) {
            if (condition.path("type").asText().equals("Ready")) {
                return condition.path("status").asText().equals("True");
            }
        }
        return false;
    }

    /** It has this driver, and is at work. */
    boolean isGood(String name, String driver) {
        Node node = nodes.get(name);
        return node != null
                && node.phase().equals(UpgradePhase.DONE.label())
                && !node.cordoned()
                && driver.equals(drivers.get(name));
    }

    /** The status says that the roll-out of what is wanted now is done. */
    boolean isDone() {
        return upgrade().path("state").asText().equals("Done")
                && resource.at("/metadata/generation").asLong()
                        == resource.at("/status/observedGeneration").asLong();
    }

    JsonNode upgrade() {
        return resource.path("status").path("upgrade");
    }

    /** What the status says of a node that does not go on; missing where it says nothing. */
    JsonNode stuck(String name) {
        for (JsonNode stuck : upgrade().path("stuck")) {
            if (stuck.path("node").asText().equals(name)) {
                return stuck;
            }
        }
        return upgrade().path("stuck").path(name);
    }
}
