package dev.sro.runtime.operator;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.runtime.ClusterShell;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.node.KubeletCluster;
import dev.sro.testkit.node.KubeletNode;
import dev.sro.testkit.node.RealKubelet;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.Toleration;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node that is kept for those who need its cards, on a real kubelet: a taint drives off a pod that runs, who asks for a card comes and the
 * recipe's own pods stay; and with priorities in its place a pod that asks for a card has one of low priority end.
 */
@RealKubelet
@EnabledIf(
        value = "dev.sro.runtime.ClusterShell#isHere",
        disabledReason = "no kubectl or helm here: run .ci/kubectl/build.sh and .ci/helm/build.sh")
class PartitioningNodeTest {
    private static final String NAME = "card";
    private static final String CARD = "example.com/card";
    private static final String USERS = "users";
    private static final Duration SOON = Duration.ofMinutes(3);

    @TempDir
    private Path folder;

    @TempDir
    private Path home;

    @AfterEach
    void giveLogBack() {
        HttpCluster.giveLogBack();
    }

    @Test
    void taintsDriveOffAndPrioritiesPreempt(KubeletCluster nodes) throws Exception {
        RealCluster cluster = nodes.namespace("partitioning");
        OperatorSettings settings = CardCluster.settings(cluster, folder);
        KubeletNode node = nodes.add();
        StandIns.card(nodes);
        ClusterShell shell = new ClusterShell(nodes, home);
        shell.packChart("src/test/resources/dev/sro/runtime/operator/card/chart", NAME);
        // Admission leaves the operator's own namespace alone; this one is not.
        shell.run("kubectl create namespace " + USERS + " && kubectl label node " + node.name() + " cards=true");
        node.run("mkdir -p /run/card && touch /run/card/plugin /run/card/proof");
        try (OperatorRun operator = OperatorRun.start(settings, ClusterSettings.logs())) {
            assertThat(operator.port()).as("its probes").isPresent();
            aTaintDrivesOff(nodes, cluster, node, shell);
            prioritiesPreempt(nodes, cluster, node, shell);
            NodeScenario.delete(cluster, NAME);
            NodeScenario.awaitGone(cluster, NAME);
            nodes.await(
                    "its namespace is gone",
                    SOON,
                    () -> nodes.client().namespaces().withName(NAME).get() == null);
            assertThat(shell.run("kubectl get priorityclass,mutatingadmissionpolicy -o name"))
                    .doesNotContain(NAME);
        }
    }

    private static void aTaintDrivesOff(
            KubeletCluster nodes, RealCluster cluster, KubeletNode node, ClusterShell shell) {
        shell.apply(pod("plain", "", ""));
        nodes.await("a plain pod runs", SOON, () -> isRunning(nodes, "plain"));

        apply(cluster, "hard: {taints: [{key: %s, value: present, effect: NoExecute}]}".formatted(CARD));
        nodes.await(
                "the plain pod was driven off", SOON, () -> pod(nodes, "plain").isEmpty());
        assertThat(taints(nodes, node)).contains(CARD + ":NoExecute");
        nodes.await("it is ready", SOON, () -> NodeScenario.isReady(cluster, NAME));
        assertThat(restarts(nodes))
                .as("restarts of the recipe's own pods")
                .isNotEmpty()
                .containsOnly(0);
        assertThat(shell.run("kubectl get events -n " + USERS + " -o custom-columns=R:.reason,M:.message"))
                .contains("TaintManagerEviction");
        NodeScenario.say("a pod was driven off");

        shell.apply(pod("asking", "", CARD + ": 1"));
        shell.apply(pod("plain", "", ""));
        nodes.await("who asks for a card runs", SOON, () -> isRunning(nodes, "asking"));
        assertThat(pod(nodes, "asking").orElseThrow().getSpec().getTolerations())
                .extracting(Toleration::getKey)
                .contains(CARD);
        nodes.await(
                "the scheduler says why the other waits",
                SOON,
                () -> pod(nodes, "plain").orElseThrow().getStatus().toString().contains("untolerated taint"));
    }

    private static void prioritiesPreempt(
            KubeletCluster nodes, RealCluster cluster, KubeletNode node, ClusterShell shell) {
        apply(cluster, """
            resources: [%1$s]
            soft:
              priorityClasses: [{name: card-high, value: 1000000}, {name: card-low, value: 100000}]
              defaultClass: card-high
            """.formatted(CARD));
        nodes.await("without the taint the other runs", SOON, () -> isRunning(nodes, "plain"));
        assertThat(taints(nodes, node)).doesNotContain(CARD + ":NoExecute");
        nodes.await("it is ready", SOON, () -> NodeScenario.isReady(cluster, NAME));
        shell.run("kubectl delete pod asking plain -n " + USERS);
        String most = "memory: " + memory(nodes, node) * 6 / 10;
        shell.apply(pod("filler", "priorityClassName: card-low", most));
        nodes.await("low priority fills the node", SOON, () -> isRunning(nodes, "filler"));

        shell.apply(pod("asking", "", most + ", " + CARD + ": 1"));
        nodes.await("it has the other end, and runs", SOON, () -> isRunning(nodes, "asking"));
        nodes.await("the other is gone", SOON, () -> pod(nodes, "filler").isEmpty());
        assertThat(pod(nodes, "asking").orElseThrow().getSpec().getPriority()).isEqualTo(1_000_000);
        nodes.await(
                "it has a card",
                SOON,
                () -> String.valueOf(nodes.log(USERS, "asking")).contains("dev /dev/card"));
        assertThat(restarts(nodes)).as("restarts of the recipe's own pods").containsOnly(0);
        shell.run("kubectl delete namespace " + USERS);
        NodeScenario.say("a pod was preempted");
    }

    private static void apply(RealCluster cluster, String partitioning) {
        NodeScenario.apply(cluster, """
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: card}
            spec:
              namespace: card
              nodeSelector: {cards: "true"}
              chart: {name: card, version: 0.1.0, repository: {name: config-map, url: "cm://default/card"}}
              partitioning:
            """ + partitioning.indent(4));
    }

    /** A pod that holds what it is given. */
    private static String pod(String name, String priority, String resources) {
        return """
            apiVersion: v1
            kind: Pod
            metadata: {name: %1$s, namespace: %2$s}
            spec:
              terminationGracePeriodSeconds: 2
              %3$s
              containers:
              - {name: user, image: "test/probe:1", args: [hold], resources: {requests: {%4$s}, limits: {%4$s}}}
            """.formatted(name, USERS, priority, resources);
    }

    private static Optional<Pod> pod(KubeletCluster nodes, String name) {
        return Optional.ofNullable(
                nodes.client().pods().inNamespace(USERS).withName(name).get());
    }

    private static boolean isRunning(KubeletCluster nodes, String name) {
        return pod(nodes, name)
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .filter(pod -> "Running".equals(pod.getStatus().getPhase()))
                .isPresent();
    }

    private static List<Integer> restarts(KubeletCluster nodes) {
        return nodes.client().pods().inNamespace(NAME).list().getItems().stream()
                .flatMap(pod -> pod.getStatus().getContainerStatuses().stream())
                .map(ContainerStatus::getRestartCount)
                .toList();
    }

    private static List<String> taints(KubeletCluster nodes, KubeletNode node) {
        return nodes.client().nodes().withName(node.name()).get().getSpec().getTaints().stream()
                .map(PartitioningNodeTest::text)
                .toList();
    }

    private static String text(Taint taint) {
        return taint.getKey() + ":" + taint.getEffect();
    }

    /** What pods may have of it, in bytes. */
    private static long memory(KubeletCluster nodes, KubeletNode node) {
        return requireNonNull(nodes.client()
                        .nodes()
                        .withName(node.name())
                        .get()
                        .getStatus()
                        .getAllocatable()
                        .get("memory"))
                .getNumericalAmount()
                .longValueExact();
    }
}
