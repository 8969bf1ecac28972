package dev.sro.runtime.operator;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.SpecialResource;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.node.Machine;
import dev.sro.testkit.node.NodeCluster;
import dev.sro.testkit.node.RealNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A driver that does not compile, and one that the kernel does not take, on a real node: who looks at the special resource reads what
 * compiler and kernel said, mended sources are built and loaded, and a driver that fails is taken away without a trace.
 */
@RealNode
class FaultyDriverNodeTest {
    private static final String SOURCE = "simple-kmod.c";

    @TempDir
    private Path folder;

    @AfterEach
    void giveLogBack() {
        HttpCluster.giveLogBack();
    }

    @Test
    void whatIsWrongIsSaidAndMendedAndLeavesNothing(NodeCluster nodes) throws Exception {
        String kernel = nodes.kernels().get(0);
        RealCluster cluster = nodes.namespace("faulty-driver");
        OperatorSettings settings = SimpleKmodScenario.settings(cluster, folder);
        SimpleKmodScenario.label(nodes);
        Machine node = nodes.add(kernel);
        NodeScenario.say("the node is ready with " + kernel + ", by " + nodes.acceleration());
        List<String> before = node.find(NodeScenario.PLACES);
        Map<String, String> good = SimpleKmodScenario.sources();
        String source = requireNonNull(good.get(SOURCE));
        assertThat(source).contains("return 0;");

        try (OperatorRun operator = OperatorRun.start(settings, ClusterSettings.logs())) {
            assertThat(operator.port()).as("its probes").isPresent();

            apply(nodes, cluster, "broken", source.replace("return 0;", "return missing_name;"));
            awaitWords(cluster, "simple-kmod.c", "missing_name");
            NodeScenario.say("told what the compiler said");
            assertThat(node.modules()).doesNotContainAnyElementsOf(SimpleKmodScenario.MODULES);

            apply(nodes, cluster, "mended", source);
            awaitReady(cluster);
            assertThat(node.modules()).containsAll(SimpleKmodScenario.MODULES);
            NodeScenario.say("mended, built and loaded");

            apply(nodes, cluster, "refused", source.replace("return 0;", "return -ENODEV;"));
            awaitWords(cluster, "simple_kmod", "No such device");
            NodeScenario.say("told what the kernel said");
            assertThat(node.kernelLog()).contains("simple-kmod: goodbye");

            SimpleKmodScenario.remove(cluster);
            NodeScenario.say("removed");
        }
        assertThat(node.modules()).doesNotContainAnyElementsOf(SimpleKmodScenario.MODULES);
        assertThat(node.find(NodeScenario.PLACES)).as("files on the node").isEqualTo(before);
    }

    private static void apply(NodeCluster nodes, RealCluster cluster, String repository, String source)
            throws Exception {
        Map<String, String> sources = SimpleKmodScenario.sources();
        sources.put(SOURCE, source);
        SimpleKmodScenario.apply(cluster, nodes.git().publish(repository, sources), nodes.registry());
    }

    private static void awaitReady(RealCluster cluster) {
        cluster.await("it is ready", NodeScenario.BUILD, () -> NodeScenario.isReady(cluster, SimpleKmodScenario.NAME));
    }

    /** Until the status has all of these words. */
    private static void awaitWords(RealCluster cluster, String... words) {
        cluster.await(
                "the status says " + List.of(words),
                NodeScenario.BUILD,
                () -> List.of(words).stream().allMatch(status(cluster)::contains));
    }

    private static String status(RealCluster cluster) {
        return cluster.client()
                .getKubernetesSerialization()
                .asJson(cluster.client()
                        .resources(SpecialResource.class)
                        .withName(SimpleKmodScenario.NAME)
                        .get()
                        .getStatus());
    }
}
