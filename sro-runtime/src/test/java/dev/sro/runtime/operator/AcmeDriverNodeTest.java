package dev.sro.runtime.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.node.Machine;
import dev.sro.testkit.node.NodeCluster;
import dev.sro.testkit.node.RealNode;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What {@code spec.driver} says, on a real node: built in the cluster and signed, loaded with firmware and a parameter in the place of a
 * module of the kernel, replaced under a pod that uses the device, loaded by worker pods, refused by a kernel that
 * enforces signatures, not unloaded while somebody has the device open, and gone without a trace.
 */
@RealNode
class AcmeDriverNodeTest {
    private static final String DEVICE = "/dev/acme";

    @TempDir
    private Path folder;

    @AfterEach
    void giveLogBack() {
        HttpCluster.giveLogBack();
    }

    @Test
    void isBuiltSignedLoadedReplacedAndRemoved(NodeCluster nodes) throws Exception {
        String kernel = nodes.kernels().get(0);
        RealCluster cluster = nodes.namespace("acme-driver");
        AcmeDriverScenario driver = new AcmeDriverScenario(nodes, cluster, folder);
        OperatorSettings settings = driver.install();
        Machine node = nodes.add(kernel);
        NodeScenario.say("the node is ready with " + kernel + ", by " + nodes.acceleration());
        List<String> before = node.find(NodeScenario.PLACES);

        try (OperatorRun operator = OperatorRun.start(settings, ClusterSettings.logs())) {
            assertThat(operator.port()).as("its probes").isPresent();
            comesInThePlaceOfTheKernelsOwn(driver, node);
            isReplacedUnderAUser(driver, cluster, node);
            driver.delete();
            driver.awaitGone();
            assertGone(node, before);
            NodeScenario.say("removed");

            workerPodsLoad(driver, node);
            staysWhileItIsInUse(driver, node);
            assertGone(node, before);
            NodeScenario.say("removed again");

            isRefusedWhereSignaturesAreEnforced(driver, node);
            driver.delete();
            driver.awaitGone();
            assertGone(node, before);

            followsIntoTheKernelThatAPreflightToldOf(
                    driver, node, nodes.kernels().get(1));
            driver.delete();
            driver.awaitGone();
            assertGone(node, before);
        }
    }

    private static void comesInThePlaceOfTheKernelsOwn(AcmeDriverScenario driver, Machine node) throws IOException {
        assertThat(node.run("modprobe " + AcmeDriverScenario.IN_TREE).status()).isZero();
        assertThat(node.modules()).contains(AcmeDriverScenario.IN_TREE);

        driver.apply("DriverDaemonSet", 4);
        driver.awaitReady("built, signed and loaded");

        assertThat(node.modules()).containsAll(AcmeDriverScenario.MODULES).doesNotContain(AcmeDriverScenario.IN_TREE);
        assertThat(node.kernelLog()).contains("acme: 4 queues, firmware of acme");
        assertThat(node.read(DEVICE)).isEqualTo("4");
        assertThat(node.run("modinfo -F signer $(find /var/lib/containerd -name acme.ko | head -n 1)")
                        .output()
                        .trim())
                .isEqualTo(AcmeDriverScenario.SIGNER);
    }

    /** A pod that no budget protects has the device open: it goes for the time of the upgrade, and is back then. */
    private static void isReplacedUnderAUser(AcmeDriverScenario driver, RealCluster cluster, Machine node)
            throws IOException {
        // One that is off: the only node of a cluster would not be cordoned, and the user be back before the driver is.
        cluster.client()
                .resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName("elsewhere")
                        .endMetadata()
                        .withNewStatus()
                        .withNodeInfo(cluster.client()
                                .nodes()
                                .withName(node.name())
                                .get()
                                .getStatus()
                                .getNodeInfo())
                        .endStatus()
                        .build())
                .create();
        cluster.client().resource(user()).inNamespace(cluster.namespace()).create();
        cluster.await("the user has the device", NodeScenario.BUILD, () -> reads(cluster, "4"));
        NodeScenario.say("a pod has the device open");

        driver.apply("DriverDaemonSet", 8);
        cluster.await("the node has it anew and its user is back", NodeScenario.BUILD, () -> reads(cluster, "8"));
        driver.awaitReady("replaced in place");

        assertThat(node.read("/sys/module/acme/parameters/queues").trim()).isEqualTo("8");
        assertThat(node.kernelLog()).contains("acme: gone").contains("acme: 8 queues");
        cluster.client().apps().deployments().inNamespace(cluster.namespace()).delete();
        cluster.await(
                "its user is gone",
                NodeScenario.REMOVAL,
                () -> cluster.client()
                        .pods()
                        .inNamespace(cluster.namespace())
                        .list()
                        .getItems()
                        .isEmpty());
    }

    private static void workerPodsLoad(AcmeDriverScenario driver, Machine node) throws IOException {
        driver.apply("WorkerPod", 2);
        driver.awaitReady("loaded by a worker pod");
        assertThat(node.modules()).containsAll(AcmeDriverScenario.MODULES);
        assertThat(node.read("/sys/module/acme/parameters/queues").trim()).isEqualTo("2");
    }

    private static void staysWhileItIsInUse(AcmeDriverScenario driver, Machine node) {
        assertThat(node.run("setsid --fork sleep 100000 < " + DEVICE + " > /dev/null 2>&1")
                        .status())
                .isZero();
        driver.delete();
        driver.awaitWords("cannot unload module acme", "1 users", "Module acme is in use");
        NodeScenario.say("told that it is in use: " + driver.status());
        assertThat(node.modules()).containsAll(AcmeDriverScenario.MODULES);

        node.run("pkill -f 'sleep 100000'");
        driver.awaitGone();
    }

    private static void isRefusedWhereSignaturesAreEnforced(AcmeDriverScenario driver, Machine node)
            throws IOException {
        assertThat(node.run("echo 1 > /sys/module/module/parameters/sig_enforce")
                        .status())
                .isZero();
        driver.apply("WorkerPod", 2);
        driver.awaitWords(
                "cannot load module acme",
                "Key was rejected by service",
                "Loading of module with unavailable key is rejected");
        NodeScenario.say("told that the key is not known: " + driver.status());
        assertThat(node.modules()).doesNotContainAnyElementsOf(AcmeDriverScenario.MODULES);
    }

    /** That it could be built, and from what; and then it is, under the name that was told. */
    private static void followsIntoTheKernelThatAPreflightToldOf(AcmeDriverScenario driver, Machine node, String kernel)
            throws IOException {
        node.reboot(node.kernel());
        driver.apply("DriverDaemonSet", 4);
        driver.awaitReady("after a reboot, by the image that is there");
        String told = driver.preflight(kernel, "CouldBeBuilt");
        NodeScenario.say("a preflight says: " + told);
        assertThat(told).contains("Job", driver.image(kernel), "library/debian:13");

        node.reboot(kernel);
        NodeScenario.say("the node is ready with " + kernel);
        driver.awaitModules(node);
        driver.awaitReady("built and signed for " + kernel);
        assertThat(node.read(DEVICE)).isEqualTo("4");
        assertThat(driver.preflight(kernel, "\"verificationStatus\":\"True\""))
                .contains(driver.image(kernel))
                .doesNotContain("CouldBeBuilt");
        NodeScenario.say("a preflight says that it is there");
    }

    private static void assertGone(Machine node, List<String> before) {
        assertThat(node.modules()).doesNotContainAnyElementsOf(AcmeDriverScenario.MODULES);
        List<String> after = new ArrayList<>(node.find(NodeScenario.PLACES));
        // Kubelet made it for the first pod that had firmware to place, and a pod cannot remove what is mounted into
        // it.
        after.remove("/var/lib/firmware");
        assertThat(after).as("files on the node").isEqualTo(before);
    }

    /** Whether a pod that runs has read this number of queues from the device. */
    private static boolean reads(RealCluster cluster, String queues) {
        return cluster.client().pods().inNamespace(cluster.namespace()).list().getItems().stream()
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .filter(pod -> "Running".equals(pod.getStatus().getPhase()))
                .map(Pod::getMetadata)
                .anyMatch(pod -> cluster.client()
                        .pods()
                        .inNamespace(cluster.namespace())
                        .withName(pod.getName())
                        .getLog()
                        .contains("has " + queues));
    }

    private static Deployment user() {
        return Serialization.unmarshal("""
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: user}
                spec:
                  replicas: 1
                  strategy: {type: Recreate}
                  selector: {matchLabels: {app: user}}
                  template:
                    metadata: {labels: {app: user}}
                    spec:
                      terminationGracePeriodSeconds: 1
                      automountServiceAccountToken: false
                      containers:
                      - name: user
                        image: alpine:3.22
                        securityContext: {privileged: true}
                        command: [sh, -c, "exec 3< /dev/acme; echo has $(cat <&3); exec sleep 1000000"]
                """, Deployment.class);
    }
}
