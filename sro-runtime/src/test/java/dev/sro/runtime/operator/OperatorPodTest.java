package dev.sro.runtime.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.runtime.ClusterObjects;
import dev.sro.runtime.ClusterShell;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.node.KubeletCluster;
import dev.sro.testkit.node.KubeletNode;
import dev.sro.testkit.node.RealKubelet;
import dev.sro.testkit.node.RealNodeException;
import io.fabric8.kubernetes.api.model.Pod;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * The operator as an administrator has it: its image pulled from a registry and run by a kubelet, installed by the commands of the pages. A
 * chart brings a driver to Ready, whose pods the same kubelet runs; the leader is killed, and cut off; the operator is rolled to another
 * image and back; and in the end nothing of it is left.
 */
@RealKubelet
@EnabledIf(
        value = "dev.sro.runtime.operator.InstalledOperator#canBeInstalled",
        disabledReason = "no image here: run sro-runtime/image/build.sh, .ci/kubectl/build.sh and .ci/helm/build.sh")
class OperatorPodTest {
    private static final String NAME = InstalledOperator.DRIVER;

    /** What kubelets and controllers warn of where all is well. */
    private static final String HARMLESS = "MissingClusterDNS .*|CgroupV1 .*|InvalidDiskCapacity .*";

    @TempDir
    private Path home;

    @Test
    void installedByKubectlKilledCutOffRolledAndRemoved(KubeletCluster nodes) {
        RealCluster cluster = nodes.namespace("kubectl");
        KubeletNode node = nodes.add();
        InstalledOperator operator = new InstalledOperator(nodes);
        ClusterShell shell = new ClusterShell(nodes, home);
        SortedSet<String> before = ClusterObjects.of(cluster);

        shell.run("kubectl apply -k install/kustomize");
        operator.awaitReplicas(InstalledOperator.FIRST);
        InstalledOperator.applyDriver(shell);
        operator.awaitDriver(cluster, "first");
        Pod leader = operator.leader();
        say("ready " + sinceStart(leader) + " s after its container began, with " + resident(node, operator));
        Pod driver = driver(nodes);

        node.run("kill -9 " + InstalledOperator.process(node, leader));
        nodes.await(
                "it is started again",
                InstalledOperator.SOON,
                () -> operator.ready().stream()
                        .anyMatch(pod ->
                                pod.getStatus().getContainerStatuses().get(0).getRestartCount() == 1));
        leader = operator.leader();
        say("led again by " + leader.getMetadata().getName() + " after kill -9");
        assertThat(driver(nodes).getMetadata().getUid())
                .as("the driver's pod")
                .isEqualTo(driver.getMetadata().getUid());

        node.connect(leader.getStatus().getPodIP(), false);
        Pod other = operator.otherLeader(leader);
        say("the leader was cut off, and " + other.getMetadata().getName() + " leads");
        change(shell, "second");
        operator.awaitDriver(cluster, "second");
        node.connect(leader.getStatus().getPodIP(), true);
        operator.awaitReplicas(InstalledOperator.FIRST);
        assertThat(operator.leader().getMetadata().getName())
                .isEqualTo(other.getMetadata().getName());

        shell.run("kubectl set image -n special-resource-operator deployment/special-resource-operator operator="
                + InstalledOperator.SECOND);
        operator.awaitReplicas(InstalledOperator.SECOND);
        change(shell, "third");
        operator.awaitDriver(cluster, "third");
        shell.run("kubectl rollout undo -n special-resource-operator deployment/special-resource-operator");
        operator.awaitReplicas(InstalledOperator.FIRST);
        change(shell, "fourth");
        operator.awaitDriver(cluster, "fourth");
        say("rolled to another image and back");
        assertThat(shell.warnings(HARMLESS + "|(Unhealthy|BackOff) Pod special-resource-operator-.*"))
                .isEmpty();

        shell.run("kubectl delete specialresources --all; kubectl delete configmap probe-driver");
        shell.run("kubectl delete -k install/kustomize");
        nothingIsLeft(nodes, cluster, before);
    }

    @Test
    void installedByHelmUpgradedRolledBackAndRemoved(KubeletCluster nodes) {
        RealCluster cluster = nodes.namespace("helm");
        KubeletNode node = nodes.add();
        InstalledOperator operator = new InstalledOperator(nodes);
        ClusterShell shell = new ClusterShell(nodes, home);
        SortedSet<String> before = ClusterObjects.of(cluster);

        shell.run("helm install sro install/helm/special-resource-operator -n special-resource-operator"
                + " --create-namespace --wait --timeout 2m");
        operator.awaitReplicas(InstalledOperator.FIRST);
        InstalledOperator.applyDriver(shell);
        operator.awaitDriver(cluster, "first");
        say("ready with helm, " + resident(node, operator));

        shell.run(
                "helm upgrade sro install/helm/special-resource-operator -n special-resource-operator"
                        + " --reuse-values --set image.repository=registry.example.com/sro --set image.tag=second --wait --timeout 2m");
        operator.awaitReplicas(InstalledOperator.SECOND);
        change(shell, "second");
        operator.awaitDriver(cluster, "second");
        shell.run("helm rollback sro 1 -n special-resource-operator --wait --timeout 2m");
        operator.awaitReplicas(InstalledOperator.FIRST);
        change(shell, "third");
        operator.awaitDriver(cluster, "third");
        assertThat(shell.warnings(HARMLESS + "|Unhealthy Pod special-resource-operator-.*"))
                .isEmpty();

        shell.run("kubectl delete specialresources --all; kubectl delete configmap probe-driver");
        shell.run(
                "helm uninstall sro -n special-resource-operator --wait"
                        + " && kubectl delete namespace special-resource-operator && kubectl delete crd"
                        + " specialresources.sro.openshift.io preflightvalidations.sro.openshift.io specialresourcemodules.sro.openshift.io");
        nothingIsLeft(nodes, cluster, before);
    }

    private static void change(ClusterShell shell, String said) {
        shell.run("kubectl patch specialresource " + NAME + " --type merge -p '{\"spec\":{\"set\":{\"kind\":\"Values\","
                + "\"apiVersion\":\"sro.openshift.io/v1beta1\",\"said\":\"" + said + "\"}}}'");
    }

    private static Pod driver(KubeletCluster nodes) {
        return nodes.client().pods().inNamespace(NAME).list().getItems().get(0);
    }

    private static String resident(KubeletNode node, InstalledOperator operator) {
        return InstalledOperator.resident(node, operator.leader()) + " MiB resident";
    }

    private static long sinceStart(Pod pod) {
        String started = pod.getStatus()
                .getContainerStatuses()
                .get(0)
                .getState()
                .getRunning()
                .getStartedAt();
        String ready = pod.getStatus().getConditions().stream()
                .filter(condition -> condition.getType().equals("Ready"))
                .findFirst()
                .orElseThrow()
                .getLastTransitionTime();
        return Duration.between(Instant.parse(started), Instant.parse(ready)).toSeconds();
    }

    private static void nothingIsLeft(KubeletCluster nodes, RealCluster cluster, SortedSet<String> before) {
        SortedSet<String> left = new TreeSet<>();
        try {
            nodes.await("nothing is left", InstalledOperator.SOON, () -> {
                left.clear();
                left.addAll(ClusterObjects.of(cluster));
                left.removeAll(before);
                return left.isEmpty();
            });
        } catch (RealNodeException e) {
            throw new AssertionError(left + ": " + e.getMessage(), e);
        }
    }

    private static void say(String what) {
        NodeScenario.say(what);
    }
}
