package dev.sro.testkit.controlplane;

import dev.sro.testkit.sim.NodeProfile;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Nodes without machines on a real cluster, for tests that need {@link Feature#NODES}. KWOK keeps them Ready and plays their pods: a
 * pod runs and is ready at once, a Job's pod succeeds. The pod label {@link #OUTCOME} changes that. They go with the test. Not
 * thread-safe.
 */
public final class RealNodes {
    /** On nodes: the namespace of the test that made them, so that it can select its own. */
    public static final String OWNER = "testkit.sro.dev/test";

    /**
     * On pods: {@code failed} (exit code 1: a Job's pod fails, any other is in CrashLoopBackOff), {@code unready} (runs, is never
     * ready), {@code pending} (its images cannot be pulled).
     */
    public static final String OUTCOME = "testkit.sro.dev/outcome";

    private final KubernetesClient client;
    private final SharedCluster shared;
    private final String owner;
    private final List<String> names = new ArrayList<>();

    RealNodes(KubernetesClient client, SharedCluster shared, String owner) {
        this.client = client;
        this.shared = shared;
        this.owner = owner;
    }

    /** Makes nodes of one kind and waits until they are Ready. Returns their names. */
    public List<String> create(int count, NodeProfile profile) {
        String missing = shared.missing(Set.of(Feature.NODES));
        if (!missing.isEmpty()) {
            throw new IllegalStateException(missing);
        }
        List<String> made = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String name = owner + "-" + names.size();
            client.resource(node(name, profile)).create();
            names.add(name);
            made.add(name);
        }
        client.nodes()
                .withLabel(OWNER, owner)
                .informOnCondition(nodes -> nodes.stream()
                        .filter(this::isReady)
                        .map(n -> n.getMetadata().getName())
                        .toList()
                        .containsAll(made))
                .orTimeout(120, TimeUnit.SECONDS)
                .join();
        return made;
    }

    private boolean isReady(Node node) {
        boolean tainted = node.getSpec().getTaints().stream()
                .anyMatch(taint -> taint.getKey().equals("node.kubernetes.io/not-ready"));
        return node.getStatus().getConditions().stream()
                        .anyMatch(c ->
                                c.getType().equals("Ready") && c.getStatus().equals("True"))
                // The API server sets it on new nodes, a controller takes it away.
                && (!tainted || !shared.features().contains(Feature.CONTROLLERS));
    }

    /** The selector of the nodes that this test made. */
    public Map<String, String> selector() {
        return Map.of(OWNER, owner);
    }

    private Node node(String name, NodeProfile profile) {
        Map<String, String> labels = new TreeMap<>(profile.nfdLabels());
        labels.put("kubernetes.io/arch", profile.architecture());
        labels.put("kubernetes.io/hostname", name);
        labels.put("kubernetes.io/os", "linux");
        if (!profile.role().isEmpty()) {
            labels.put("node-role.kubernetes.io/" + profile.role(), "");
        }
        labels.putAll(profile.labels());
        labels.put(OWNER, owner);
        labels.put(RunId.LABEL, shared.run().label());
        Map<String, Quantity> resources = new TreeMap<>();
        profile.resources().forEach((resource, amount) -> resources.put(resource, new Quantity(amount)));
        return new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(labels)
                .endMetadata()
                .withNewStatus()
                .withCapacity(resources)
                .withAllocatable(resources)
                .addNewAddress()
                .withType("InternalIP")
                .withAddress("127.0.0.1")
                .endAddress()
                .withNewNodeInfo()
                .withArchitecture(profile.architecture())
                .withBootID("")
                .withContainerRuntimeVersion(profile.os().containerRuntime())
                .withKernelVersion(profile.kernel())
                .withKubeProxyVersion("")
                .withKubeletVersion(profile.kubeletVersion())
                .withMachineID("")
                .withOperatingSystem("linux")
                .withOsImage(profile.os().osImage())
                .withSystemUUID("")
                .endNodeInfo()
                .endStatus()
                .build();
    }

    /**
     * What a reboot into another kernel changes: the kubelet's report, and NFD's labels where it is installed.
     *
     * @param profile what the machine is afterwards
     */
    public void reboot(String name, NodeProfile profile) {
        Map<String, @Nullable String> labels = new TreeMap<>();
        Node before = client.nodes().withName(name).require();
        before.getMetadata().getLabels().keySet().stream()
                .filter(label -> label.startsWith("feature.node.kubernetes.io/"))
                .forEach(label -> labels.put(label, null));
        labels.putAll(profile.nfdLabels());
        // Patches, as others write to the node at the same time.
        PatchContext merge = PatchContext.of(PatchType.JSON_MERGE);
        client.nodes()
                .withName(name)
                .patch(merge, client.getKubernetesSerialization().asJson(Map.of("metadata", Map.of("labels", labels))));
        Map<String, String> info = Map.of(
                "kernelVersion", profile.kernel(), "osImage", profile.os().osImage());
        client.nodes()
                .withName(name)
                .subresource("status")
                .patch(merge, client.getKubernetesSerialization().asJson(Map.of("status", Map.of("nodeInfo", info))));
    }

    boolean isUsed() {
        return !names.isEmpty();
    }

    void close() {
        client.nodes().withLabel(OWNER, owner).delete();
    }
}
