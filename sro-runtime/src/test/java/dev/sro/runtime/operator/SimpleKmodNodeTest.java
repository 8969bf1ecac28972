package dev.sro.runtime.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.node.Machine;
import dev.sro.testkit.node.NodeCluster;
import dev.sro.testkit.node.RealNode;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The plugin simple-kmod as it is, on a real node with two kernels: modules are built in the cluster, loaded and proved, the node goes into
 * another kernel with the operator up and back with it down, and in the end nothing of SRO is on the node. The operator runs here, with the
 * rights that {@code sro rbac} gives it.
 */
@RealNode
class SimpleKmodNodeTest {
    private static final Duration QUIET = Duration.ofSeconds(45);
    private static final String NAME = SimpleKmodScenario.NAME;
    private static final List<String> MODULES = SimpleKmodScenario.MODULES;

    @TempDir
    private Path folder;

    @AfterEach
    void giveLogBack() {
        HttpCluster.giveLogBack();
    }

    @Test
    void modulesFollowTheKernelsOfANodeAndLeaveNothing(NodeCluster nodes) throws Exception {
        String first = nodes.kernels().get(0);
        String second = nodes.kernels().get(1);
        RealCluster cluster = nodes.namespace("simple-kmod");
        OperatorSettings settings = SimpleKmodScenario.settings(cluster, folder);
        SimpleKmodScenario.label(nodes);
        NodeScenario.say("machines run by " + nodes.acceleration());
        Machine node = nodes.add(first);
        NodeScenario.say("the node is ready with " + first);
        List<String> before = node.find(NodeScenario.PLACES);

        try (OperatorRun operator = OperatorRun.start(settings, ClusterSettings.logs())) {
            assertThat(operator.port()).as("its probes").isPresent();
            SimpleKmodScenario.apply(
                    cluster, nodes.git().publish(NAME, SimpleKmodScenario.sources()), nodes.registry());
            awaitReady(cluster, first);
            NodeScenario.say("ready with " + first);
            assertLoaded(node, first);
            assertBuilt(cluster, 1);

            node.reboot(second);
            NodeScenario.say("the node is ready with " + second);
            awaitReady(cluster, second);
            NodeScenario.say("ready with " + second);
            assertLoaded(node, second);
        }

        node.reboot(first);
        Thread.sleep(QUIET.toMillis());
        assertThat(node.modules()).as("with no operator, on the other kernel").doesNotContainAnyElementsOf(MODULES);
        NodeScenario.say("back on " + first + " without an operator");

        try (OperatorRun operator = OperatorRun.start(settings, ClusterSettings.logs())) {
            assertThat(operator.port()).as("its probes").isPresent();
            awaitReady(cluster, first);
            NodeScenario.say("ready with " + first);
            assertLoaded(node, first);
            SimpleKmodScenario.remove(cluster);
            NodeScenario.say("removed");
        }
        assertThat(node.modules()).doesNotContainAnyElementsOf(MODULES);
        assertThat(node.kernelLog()).contains("simple-kmod: goodbye");
        assertThat(node.find(NodeScenario.PLACES)).as("files on the node").isEqualTo(before);
        assertThat(labels(cluster, node))
                .allSatisfy((key, value) -> assertThat(key).doesNotContain(NAME).doesNotContain("sro"));
    }

    /** Ready, with a DaemonSet that is complete for the kernel. */
    private static void awaitReady(RealCluster cluster, String kernel) {
        cluster.await(
                "the special resource is ready with " + kernel,
                NodeScenario.BUILD,
                () -> NodeScenario.isReady(cluster, NAME) && runsFor(cluster, kernel));
    }

    private static boolean runsFor(RealCluster cluster, String kernel) {
        // A tag holds no plus sign.
        Pattern tag = Pattern.compile(":v" + kernel.replaceAll("[^A-Za-z0-9.]", "[-_]") + "-");
        return cluster.client().apps().daemonSets().inNamespace(NAME).list().getItems().stream()
                        .filter(set -> set.getSpec().getTemplate().getSpec().getContainers().stream()
                                .anyMatch(container ->
                                        tag.matcher(container.getImage()).find()))
                        .filter(set -> Integer.valueOf(1).equals(set.getStatus().getNumberReady()))
                        .count()
                == 2;
    }

    private static void assertLoaded(Machine node, String kernel) {
        assertThat(node.kernel()).isEqualTo(kernel);
        assertThat(node.modules()).containsAll(MODULES);
        assertThat(node.kernelLog()).contains("simple-kmod: hello on " + kernel);
        assertThat(node.read("/proc/simple-procfs-kmod")).isEqualTo("simple-procfs-kmod answers\n");
    }

    private static void assertBuilt(RealCluster cluster, int builds) {
        List<Job> jobs =
                cluster.client().batch().v1().jobs().inNamespace(NAME).list().getItems();
        assertThat(jobs)
                .hasSize(builds)
                .allMatch(job -> Integer.valueOf(1).equals(job.getStatus().getSucceeded()));
    }

    private static Map<String, String> labels(RealCluster cluster, Machine node) {
        return cluster.client()
                .nodes()
                .withName(node.name())
                .get()
                .getMetadata()
                .getLabels();
    }
}
