package dev.sro.runtime.operator.rollout;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.model.MetadataKeys;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A cluster of many nodes with two kernels, one special resource, and what moves the nodes to a third kernel. */
interface Site extends AutoCloseable {
    String NAMESPACE = "special-resource-operator";
    String OPERANDS = "kmod-operands";
    String NAME = "kmod";
    int NODES = 200;
    int BATCH = 40;
    Duration PATIENCE = Duration.ofMinutes(2);

    NodeProfile FIRST = NodeProfile.of(OsRelease.UBUNTU_22).withKernel("5.15.0-91-generic");
    NodeProfile SECOND = NodeProfile.of(OsRelease.UBUNTU_22).withKernel("5.15.0-97-generic");
    NodeProfile THIRD = NodeProfile.of(OsRelease.UBUNTU_22).withKernel("5.15.0-105-generic");

    /** The administrator's. */
    KubernetesClient client();

    /** Where replicas find the cluster. */
    Path kubeconfig();

    /** Names of the nodes, half of them of one kernel and half of the other. */
    List<String> nodes();

    /** The label that these nodes have, as {@code key: value}. */
    String selector();

    /** What a reboot into another kernel changes. */
    void move(String node, NodeProfile profile);

    @Override
    void close() throws IOException;

    default void applySpecialResource() {
        client().resource(client().getKubernetesSerialization()
                        .unmarshal("""
                        apiVersion: sro.openshift.io/v1beta1
                        kind: SpecialResource
                        metadata: {name: %s}
                        spec:
                          namespace: %s
                          plugin: {name: simple-kmod}
                          nodeSelector: {%s}
                          driverContainer: {source: {git: {ref: main, uri: "https://git.example.com/kmod.git"}}}
                        """.formatted(NAME, OPERANDS, selector()), SpecialResource.class))
                .serverSideApply();
    }

    default @Nullable SpecialResource find() {
        return client().resources(SpecialResource.class).withName(NAME).get();
    }

    default boolean isReady() {
        SpecialResource found = find();
        return found != null
                && found.getStatus() != null
                && found.getStatus().getConditions().stream()
                        .anyMatch(c ->
                                c.getType().equals("Ready") && c.getStatus().equals("True"));
    }

    /** Whether all nodes are proved to have the driver of a kernel, and nothing of other kernels is left. */
    default boolean isMovedTo(NodeProfile profile) {
        return isReady()
                && operands().stream().filter(o -> o.startsWith("DaemonSet ")).count() == 2
                && client().nodes().list().getItems().stream()
                        .allMatch(node -> node.getStatus()
                                        .getNodeInfo()
                                        .getKernelVersion()
                                        .equals(profile.kernel())
                                && isProved(node));
    }

    private static boolean isProved(Node node) {
        return node.getMetadata().getLabels().entrySet().stream()
                        .filter(label -> label.getKey().startsWith(MetadataKeys.STATE_LABEL_PREFIX + NAME)
                                && label.getValue().equals("Ready"))
                        .count()
                == 2;
    }

    /** Kind and name of what SRO made. */
    default SortedSet<String> operands() {
        KubernetesClient client = client();
        SortedSet<String> names = new TreeSet<>();
        Stream.of(
                        client.apps().daemonSets().inNamespace(OPERANDS).list().getItems(),
                        client.batch().v1().jobs().inNamespace(OPERANDS).list().getItems(),
                        client.configMaps().inNamespace(OPERANDS).list().getItems(),
                        client.serviceAccounts().inNamespace(OPERANDS).list().getItems())
                .flatMap(List::stream)
                .map(HasMetadata.class::cast)
                // These two are made in every namespace.
                .filter(o -> !List.of("default", "kube-root-ca.crt")
                        .contains(o.getMetadata().getName()))
                .forEach(o -> names.add(o.getKind() + " " + o.getMetadata().getName()));
        return names;
    }

    static void await(String what, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("waited " + PATIENCE + " until " + what);
            }
            Thread.sleep(200);
        }
    }
}
