package dev.sro.runtime.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.core.plugin.PluginHost;
import dev.sro.runtime.Cli;
import dev.sro.runtime.PluginDirectory;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.server.Gvr;
import dev.sro.testkit.sim.Behavior;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import dev.sro.testkit.sim.SimGpus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes with a GPU and an Onload adapter join a cluster where both vendors' plugins run, and leave it. */
class NodesComeAndGoScenarioTest {

    private static final Duration LONG = Duration.ofMinutes(20);

    private static final NodeProfile BOTH =
            SimGpus.node(OsRelease.UBUNTU_22).withPci("0200", "1924", "0b03").withResource("amd.com/onload", "100");

    /** Which pods a node gets, and the label without which they must not be there. */
    private static final Map<String, String> WAITS =
            Map.of("nvidia-driver-daemonset", "sro.dev/capability-network-driver");

    private static final String MODULES = "/run/sro/barriers/onload/modules";
    private static final String FILES = "/run/sro/barriers/onload/files";

    /** Which pods wait for which file on their node, without which they must not get ready. */
    private static final Map<String, String> WAITS_FOR_FILES =
            Map.of("onload-user", MODULES, "onload-device-plugin", FILES);

    @TempDir
    private Path plugins;

    @Test
    void aNewNodeGoesThroughTheStatesInOrderAndOneThatLeavesIsForgotten() {
        Cli.plugin(plugins, "sro-plugins-nvidia", "nvidia-gpu");
        Cli.plugin(plugins, "sro-plugins-solarflare", "solarflare-onload");
        try (PluginHost host = PluginDirectory.open(plugins);
                SroSandbox sandbox =
                        SroSandbox.create(EmbeddedCluster.builder().controller(SimGpus.operands(8)), host.current())) {
            sandbox.simulation()
                    .behaviors()
                    .add(Behavior.leavesFile(MODULES).workload("onload-driver-load*"))
                    .add(Behavior.leavesFile(FILES).container("user-files"))
                    .add(Behavior.waitsForFiles(MODULES).container("wait-for-modules"))
                    .add(Behavior.waitsForFiles(MODULES, FILES).container("wait-for-driver"));
            sandbox.nodes().create("stays", BOTH);
            sandbox.run(Duration.ofMinutes(2));
            sandbox.apply(NetworkBeforeGpuScenarioTest.ONLOAD);
            sandbox.apply(NetworkBeforeGpuScenarioTest.GPU);
            ready(sandbox);
            Map<String, String> before = objects(sandbox);

            // Of a kernel of its own, so that it has objects of its own, too.
            sandbox.nodes().create("newcomer", BOTH.withKernel("5.15.0-92-generic"));
            List<String> early = new ArrayList<>();
            assertThat(sandbox.runUntil(LONG, () -> {
                        early.addAll(early(sandbox, "newcomer"));
                        return served(sandbox, "newcomer");
                    }))
                    .as(() -> sandbox.state("gpu") + " " + sandbox.state("onload"))
                    .isTrue();
            assertThat(early).isEmpty();
            ready(sandbox);
            assertThat(objects(sandbox)).hasSizeGreaterThan(before.size());

            sandbox.nodes().delete("newcomer");
            sandbox.run(Duration.ofHours(1));

            ready(sandbox);
            Map<String, String> after = objects(sandbox);
            assertThat(after.keySet()).isEqualTo(before.keySet());
            assertThat(after)
                    .as("objects that name it")
                    .noneSatisfy((name, text) -> assertThat(text).contains("newcomer"));
            assertThat(after).noneSatisfy((name, text) -> assertThat(text).contains("5.15.0-92"));

            // The same name is another machine.
            sandbox.nodes().create("newcomer", BOTH);
            sandbox.run(Duration.ofSeconds(2));
            assertThat(served(sandbox, "newcomer")).isFalse();
            assertThat(sandbox.runUntil(LONG, () -> served(sandbox, "newcomer")))
                    .isTrue();
        }
    }

    private static void ready(SroSandbox sandbox) {
        assertThat(sandbox.runUntil(LONG, () -> sandbox.isReady("gpu") && sandbox.isReady("onload")))
                .as(() -> sandbox.state("gpu") + " " + sandbox.state("onload"))
                .isTrue();
        sandbox.run(Duration.ofMinutes(2));
    }

    private static ObjectNode labels(SroSandbox sandbox, String node) {
        return (ObjectNode) sandbox.nodes().get(node).at("/metadata/labels");
    }

    /** The last states of both. */
    private static boolean served(SroSandbox sandbox, String node) {
        return labels(sandbox, node)
                        .path("specialresource.openshift.io/state-onload-2000")
                        .asText()
                        .equals("Ready")
                && labels(sandbox, node)
                        .path("specialresource.openshift.io/state-gpu-6000")
                        .asText()
                        .equals("Ready");
    }

    /** Pods on a node that does not have yet what they wait for. */
    private static List<String> early(SroSandbox sandbox, String node) {
        List<String> early = new ArrayList<>();
        sandbox.cluster()
                .api()
                .list(Gvr.PODS)
                .forEach(pod -> WAITS.forEach((prefix, label) -> {
                    boolean its = pod.at("/spec/nodeName").asText().equals(node)
                            && pod.at("/metadata/name").asText().startsWith(prefix);
                    if (its && !labels(sandbox, node).has(label)) {
                        early.add(pod.at("/metadata/name").asText() + " before " + label);
                    }
                }));
        sandbox.cluster()
                .api()
                .list(Gvr.PODS)
                .forEach(pod -> WAITS_FOR_FILES.forEach((prefix, file) -> {
                    boolean its = pod.at("/spec/nodeName").asText().equals(node)
                            && pod.at("/metadata/name").asText().startsWith(prefix)
                            && pod.at("/status/containerStatuses/0/ready").asBoolean();
                    if (its && !sandbox.simulation().files().exists(node, file)) {
                        early.add(pod.at("/metadata/name").asText() + " before " + file);
                    }
                }));
        return early;
    }

    /** What the cluster holds that SRO wrote, with pods but without Events and Leases, which are history. */
    private static Map<String, String> objects(SroSandbox sandbox) {
        Map<String, String> texts = new TreeMap<>();
        for (Gvr type : List.of(
                Gvr.NODES,
                Gvr.CONFIGMAPS,
                Gvr.DAEMONSETS,
                Gvr.JOBS,
                Gvr.SECRETS,
                Gvr.SERVICEACCOUNTS,
                new Gvr("sro.openshift.io", "v1beta1", "specialresources"))) {
            sandbox.cluster().api().list(type).forEach(object -> {
                String name = object.at("/metadata/namespace").asText() + "/"
                        + object.at("/metadata/name").asText();
                texts.put(type.plural() + " " + name, object.toString());
            });
        }
        return texts;
    }
}
