package dev.sro.runtime.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.runtime.ClusterShell;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.node.KubeletCluster;
import dev.sro.testkit.node.KubeletNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The operator's images in a cluster with a real kubelet, {@value #FIRST} and {@value #SECOND}: with the archive of classes and without, so
 * that the two are not the same.
 */
final class InstalledOperator {
    static final String NAMESPACE = "special-resource-operator";
    static final String FIRST = "special-resource-operator:0.1.0-SNAPSHOT";
    static final String SECOND = "registry.example.com/sro:second";

    /** Of a special resource whose chart has one pod, and of its namespace. */
    static final String DRIVER = "probe-driver";

    static final Duration SOON = Duration.ofMinutes(5);

    /** Where {@code sro-runtime/image/build.sh} puts the image, and the build the one that it is made of. */
    private static final Path IMAGE = Path.of("target", "image", "special-resource-operator.tar");

    private static final Path PLAIN = Path.of("target", "sro-operator-image.tar");

    private static final String FILES = "src/test/resources/dev/sro/runtime/operator/pod";

    private final KubeletCluster cluster;

    InstalledOperator(KubeletCluster cluster) {
        this.cluster = cluster;
        cluster.images().add(IMAGE, "library/" + FIRST);
        cluster.images().add(PLAIN, "sro:second");
    }

    static boolean canBeInstalled() {
        return Files.isRegularFile(IMAGE) && Files.isRegularFile(PLAIN) && ClusterShell.isHere();
    }

    /** Its pods that are ready and stay, by their names. */
    List<Pod> ready() {
        return cluster.client().pods().inNamespace(NAMESPACE).list().getItems().stream()
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .filter(pod -> pod.getStatus().getContainerStatuses().stream().anyMatch(status -> status.getReady()))
                .toList();
    }

    /** Waits until both replicas run an image and are ready, and no other one is there. */
    void awaitReplicas(String image) {
        cluster.await("two replicas of " + image + " are ready", SOON, () -> {
            List<Pod> ready = ready();
            return ready.size() == 2
                    && cluster.client()
                                    .pods()
                                    .inNamespace(NAMESPACE)
                                    .list()
                                    .getItems()
                                    .size()
                            == 2
                    && ready.stream().allMatch(pod -> imageOf(pod).equals(image));
        });
    }

    private static String imageOf(Pod pod) {
        return pod.getSpec().getContainers().get(0).getImage();
    }

    /** The pod that leads, once there is one. */
    Pod leader() {
        cluster.await("somebody leads", SOON, () -> leading().isPresent());
        return leading().orElseThrow();
    }

    /** Waits until another pod leads. */
    Pod otherLeader(Pod before) {
        String name = before.getMetadata().getName();
        cluster.await(
                "another one than " + name + " leads",
                SOON,
                () -> leading()
                        .filter(pod -> !pod.getMetadata().getName().equals(name))
                        .isPresent());
        return leading().orElseThrow();
    }

    private Optional<Pod> leading() {
        Lease lease = cluster.client()
                .leases()
                .inNamespace(NAMESPACE)
                .withName(NAMESPACE)
                .get();
        if (lease == null || lease.getSpec().getHolderIdentity() == null) {
            return Optional.empty();
        }
        String holder = lease.getSpec().getHolderIdentity();
        return cluster.client().pods().inNamespace(NAMESPACE).list().getItems().stream()
                .filter(pod -> holder.startsWith(pod.getMetadata().getName()))
                .findFirst();
    }

    /** The process of a pod's Java on the node. */
    static String process(KubeletNode node, Pod pod) {
        String name = pod.getMetadata().getName();
        String found = node.run("for p in $(pgrep -x java); do grep -qz '^HOSTNAME=" + name
                        + "$' /proc/$p/environ && echo $p; done; true")
                .output()
                .trim();
        assertThat(found).as("process of " + name).matches("[0-9]+");
        return found;
    }

    /** Resident memory of a pod's Java in MiB. */
    static long resident(KubeletNode node, Pod pod) {
        String kilobytes = node.run("awk '/^VmRSS:/ { print $2 }' /proc/" + process(node, pod) + "/status")
                .output()
                .trim();
        return Long.parseLong(kilobytes) / 1024;
    }

    /** Applies the special resource {@value #DRIVER}, whose chart is in a ConfigMap. */
    static void applyDriver(ClusterShell shell) {
        shell.packChart(FILES + "/chart", DRIVER);
        shell.run("kubectl apply -f " + FILES + "/special-resource.yaml");
    }

    /** Waits until it is ready, and its pod says so with the value that it was given last. */
    void awaitDriver(RealCluster of, String said) {
        cluster.await(DRIVER + " is ready and says " + said, SOON, () -> {
            List<Pod> pods = cluster.client().pods().inNamespace(DRIVER).list().getItems();
            return NodeScenario.isReady(of, DRIVER)
                    && pods.size() == 1
                    && cluster.log(DRIVER, pods.get(0).getMetadata().getName()).contains("env SAID=" + said + "\n");
        });
    }
}
