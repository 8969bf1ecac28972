package dev.sro.runtime.operator;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.SpecialResource;
import dev.sro.runtime.ClusterShell;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.node.KubeletCluster;
import dev.sro.testkit.node.KubeletNode;
import dev.sro.testkit.node.RealKubelet;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * A chart brings a device to pods: its driver makes device files and says of them what CDI wants to know, its plugin tells kubelet, and
 * containerd puts into each container the file of the one device that it was given. The states wait for a text in a log and for an
 * expression, of pods that really run; what breaks is said, and comes back. The devices are {@code /dev/null} and {@code /dev/zero} by
 * other names.
 */
@RealKubelet
@EnabledIf(
        value = "dev.sro.runtime.ClusterShell#isHere",
        disabledReason = "no kubectl or helm here: run .ci/kubectl/build.sh and .ci/helm/build.sh")
class CardForPodsNodeTest {
    private static final String NAME = "card";
    private static final String CHART = "src/test/resources/dev/sro/runtime/operator/card/chart";
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
    void eachPodGetsItsDeviceAndWhatBreaksComesBack(KubeletCluster nodes) throws Exception {
        RealCluster cluster = nodes.namespace("card");
        OperatorSettings settings = CardCluster.settings(cluster, folder);
        KubeletNode node = nodes.add();
        StandIns.card(nodes);
        ClusterShell shell = new ClusterShell(nodes, home);
        shell.packChart(CHART, NAME);
        try (OperatorRun operator = OperatorRun.start(settings, ClusterSettings.logs())) {
            assertThat(operator.port()).as("its probes").isPresent();
            apply(cluster);
            statesWait(nodes, cluster, node);
            devicesAreGiven(nodes, shell);
            whatBreaksComesBack(nodes, cluster, node);

            shell.run("kubectl delete pod user-1 --wait=false");
            NodeScenario.delete(cluster, NAME);
            NodeScenario.awaitGone(cluster, NAME);
            nodes.await(
                    "its namespace is gone",
                    SOON,
                    () -> nodes.client().namespaces().withName(NAME).get() == null);
            assertThat(node.run("ls -A /dev/card* /run/cdi 2> /dev/null").output())
                    .as("device files, and /run/cdi, which was there")
                    .isEqualTo("/run/cdi:\n");
        }
    }

    private static void apply(RealCluster cluster) {
        NodeScenario.apply(cluster, """
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: card}
            spec:
              namespace: card
              chart: {name: card, version: 0.1.0, repository: {name: config-map, url: "cm://default/card"}}
            """);
    }

    /** Of the plugin for its log, though its pod runs and is ready; of the proof for the expression. */
    private static void statesWait(KubeletCluster nodes, RealCluster cluster, KubeletNode node) {
        nodes.await("it waits for a log", SOON, () -> status(cluster).contains("LogsNotMatched"));
        assertThat(pods(nodes).keySet()).containsExactlyInAnyOrder("driver", "device-plugin");
        assertThat(ready(nodes, "device-plugin")).isTrue();
        assertThat(node.run("stat -c '%F %t:%T' /dev/card0 /dev/card1").output())
                .isEqualTo("character special file 1:3\ncharacter special file 1:5\n");

        node.run("touch /run/card/plugin");
        nodes.await("it waits for the expression", SOON, () -> status(cluster).contains("ReadyWhenFalse"));
        assertThat(pods(nodes).keySet()).containsExactlyInAnyOrder("driver", "device-plugin", "proof");
        nodes.await(
                "the proof sees its card",
                SOON,
                () -> String.valueOf(nodes.log(NAME, "proof")).matches("/dev/card[01]\n"));
        assertThat(status(cluster)).contains("ReadyWhenFalse");

        node.run("touch /run/card/proof");
        nodes.await("it is ready", SOON, () -> NodeScenario.isReady(cluster, NAME));
        assertThat(pods(nodes).keySet()).containsExactlyInAnyOrder("driver", "device-plugin", "proof", "monitor");
        NodeScenario.say("the card is ready");
    }

    /** The proof has one of the two cards, a user the other, and the next user waits until there is one. */
    private static void devicesAreGiven(KubeletCluster nodes, ClusterShell shell) {
        String proof = nodes.log(NAME, "proof").trim();
        String other = proof.equals("/dev/card0") ? "/dev/card1" : "/dev/card0";
        shell.apply(user(0));
        nodes.await("the first user runs", SOON, () -> log(nodes, "user-0").contains("ready"));
        assertThat(cards(log(nodes, "user-0")))
                .containsExactlyInAnyOrder("dev " + other, "env CARD=" + other.substring(other.length() - 1));
        shell.apply(user(1));
        nodes.await(
                "the second user waits",
                SOON,
                () -> nodes.client()
                        .pods()
                        .inNamespace("default")
                        .withName("user-1")
                        .get()
                        .getStatus()
                        .toString()
                        .contains("Insufficient example.com/card"));

        shell.run("kubectl delete pod user-0");
        nodes.await("the second user runs", SOON, () -> log(nodes, "user-1").contains("ready"));
        assertThat(cards(log(nodes, "user-1"))).contains("dev " + other).hasSize(2);
    }

    private static String user(int number) {
        return """
            apiVersion: v1
            kind: Pod
            metadata: {name: user-%d, namespace: default}
            spec:
              terminationGracePeriodSeconds: 5
              containers:
              - {name: user, image: "test/probe:1", args: [hold], resources: {limits: {example.com/card: 1}}}
            """.formatted(number);
    }

    private static Set<String> cards(String log) {
        return log.lines()
                .filter(line -> line.matches("dev /dev/card.*|env CARD=.*"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String log(KubeletCluster nodes, String pod) {
        return String.valueOf(nodes.log("default", pod));
    }

    /** The plugin ends, is not ready until its log has the text again, and its user keeps what it has. */
    private static void whatBreaksComesBack(KubeletCluster nodes, RealCluster cluster, KubeletNode node) {
        node.run("rm /run/card/plugin && pkill -9 -x devices");
        nodes.await(
                "the plugin was started again",
                SOON,
                () -> requireNonNull(container(nodes, "device-plugin")).getRestartCount() == 1
                        && ready(nodes, "device-plugin"));
        nodes.await("it waits for the log again", SOON, () -> status(cluster).contains("LogsNotMatched"));
        assertThat(NodeScenario.isReady(cluster, NAME)).isFalse();
        node.run("touch /run/card/plugin");
        nodes.await("it is ready again", SOON, () -> NodeScenario.isReady(cluster, NAME));
        assertThat(List.of(
                        requireNonNull(container(nodes, "proof")).getRestartCount(),
                        nodes.client()
                                .pods()
                                .inNamespace("default")
                                .withName("user-1")
                                .get()
                                .getStatus()
                                .getContainerStatuses()
                                .get(0)
                                .getRestartCount()))
                .as("restarts of who has a card")
                .containsOnly(0);
        NodeScenario.say("the card is ready again");
    }

    private static Map<String, Pod> pods(KubeletCluster nodes) {
        return nodes.client().pods().inNamespace(NAME).list().getItems().stream()
                .collect(Collectors.toMap(
                        pod -> pod.getMetadata().getLabels() == null
                                        || pod.getMetadata().getName().equals("proof")
                                ? pod.getMetadata().getName()
                                : pod.getMetadata().getLabels().get("app"),
                        pod -> pod));
    }

    private static ContainerStatus container(KubeletCluster nodes, String app) {
        return requireNonNull(pods(nodes).get(app))
                .getStatus()
                .getContainerStatuses()
                .get(0);
    }

    private static boolean ready(KubeletCluster nodes, String app) {
        return Boolean.TRUE.equals(container(nodes, app).getReady());
    }

    private static String status(RealCluster cluster) {
        return String.valueOf(cluster.client()
                .resources(SpecialResource.class)
                .withName(NAME)
                .get()
                .getStatus());
    }
}
