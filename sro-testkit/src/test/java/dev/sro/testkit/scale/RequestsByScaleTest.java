package dev.sro.testkit.scale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.Reach;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.api.resource.SpecialResource;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.server.Recording;
import dev.sro.testkit.sim.Behavior;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two states, three kernels, and nodes that reboot into a new one wave by wave. */
class RequestsByScaleTest {

    /** Four hundred in the slow group; five thousand were upgraded on one commit: {@code -Dsro.scale.nodes=5000}. */
    private static final int MANY = Integer.getInteger("sro.scale.nodes", 250);

    /** A thousand in the slow group; fifteen thousand were started anew on one commit: {@code -Dsro.scale.restarted=15000}. */
    private static final int MANY_RESTARTED = Integer.getInteger("sro.scale.restarted", 600);

    private static final int STATES = 2;
    private static final int KERNELS = 3;
    /** A DaemonSet for each state and kernel. */
    private static final int OBJECTS = STATES * KERNELS;
    /** A node is labelled when its pool is known, and when each state is ready on it. */
    private static final int PATCHES_PER_NODE = 1 + STATES;

    private static final Duration LONG = Duration.ofHours(10);
    private static final int STATUS_LIMIT = 32 * 1024;

    private static final String RESOURCE = """
        apiVersion: sro.openshift.io/v1beta1
        kind: SpecialResource
        metadata: {name: fleet}
        spec:
          namespace: fleet
          plugin: {name: fleet}
          nodeSelector: {example.com/device: "true"}
        """;

    private final SroSandbox sandbox = SroSandbox.create(new Fleet());
    private final List<List<String>> pools = new ArrayList<>();

    @AfterEach
    void close() {
        sandbox.close();
    }

    @Test
    void aRollOutIsOnePatchPerNodeAndStepAndTwoRequestsPerObject() {
        rollsOut(30);
    }

    @Test
    void aRollingUpgradeCostsWhatItsNodesCost() {
        upgrades(30, 5);
    }

    @Test
    @Tag("slow")
    void aRollingUpgradeOfManyNodesCostsWhatItsNodesCost() {
        upgrades(MANY, MANY / 20);
    }

    @Test
    void aRestartReadsInPagesAndWritesNothing() {
        restarts(30);
    }

    @Test
    @Tag("slow")
    void aRestartWithManyNodesReadsInPagesAndWritesNothing() {
        restarts(MANY_RESTARTED);
    }

    @Test
    void whatConcernsNobodyCostsNoRequest() {
        rollsOut(30);
        sandbox.nodes().create("stranger", profile(0).withLabel("example.com/device", "false"));
        sandbox.run(Duration.ofMinutes(1));

        Map<String, Integer> requests = during(() -> {
            pools.get(0).forEach(node -> sandbox.nodes().label(node, "example.com/note", "x"));
            sandbox.nodes().reboot("stranger", "9.9.9-other");
            sandbox.run(Duration.ofHours(2));
        });

        assertThat(requests).isEmpty();
    }

    @Test
    void aNodeWithANewKernelTouchesNothingOfTheOthers() {
        rollsOut(30);
        String node = pools.get(0).get(0);

        Map<String, Integer> requests = during(() -> {
            sandbox.nodes().reboot(node, "5.15.0-500-generic");
            sandbox.run(Duration.ofMinutes(2));
            ready();
        });

        assertThat(requests).containsEntry("patch daemonsets.apps", STATES).doesNotContainKey("delete daemonsets.apps");
        assertThat(writes(entry -> entry.resource().startsWith("nodes")))
                .allMatch(write -> write.name().equals(node));
        assertThat(requests.getOrDefault("patch nodes", 0)).isLessThanOrEqualTo(PATCHES_PER_NODE + 1);
    }

    @Test
    void aStatusIsSmallWhateverFails() {
        sandbox.simulation().behaviors().add(Behavior.crashLoop().image("registry.example/*"));
        for (int kernel = 0; kernel < 30; kernel++) {
            sandbox.nodes().create("k" + kernel, profile(kernel));
        }
        sandbox.apply(RESOURCE);
        sandbox.run(Duration.ofMinutes(2));

        SpecialResource resource = sandbox.get("fleet").orElseThrow();
        String status = sandbox.client().getKubernetesSerialization().asJson(resource.getStatus());
        assertThat(status).contains("ContainerFailed");
        assertThat(status.getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(STATUS_LIMIT);
    }

    private void rollsOut(int nodes) {
        for (int kernel = 0; kernel < KERNELS; kernel++) {
            pools.add(sandbox.nodes().createMany("k" + kernel + "-", nodes / KERNELS, profile(kernel)));
        }
        sandbox.run(Duration.ofMinutes(1));

        Map<String, Integer> requests = during(() -> {
            sandbox.apply(RESOURCE);
            ready();
        });

        assertThat(requests)
                .containsEntry("patch nodes", size() * PATCHES_PER_NODE)
                .containsEntry("patch daemonsets.apps", OBJECTS)
                .containsEntry("get daemonsets.apps", OBJECTS)
                .doesNotContainKey("get nodes");
    }

    private void upgrades(int nodes, int wave) {
        rollsOut(nodes);
        int waves = 0;
        List<Map<String, Integer>> perWave = new ArrayList<>();
        for (int kernel = 0; kernel < KERNELS; kernel++) {
            List<String> names = pools.get(kernel);
            String next = "5.15.0-" + (900 + kernel) + "-generic";
            for (int from = 0; from < names.size(); from += wave) {
                List<String> rebooting = names.subList(from, Math.min(from + wave, names.size()));
                perWave.add(during(() -> {
                    rebooting.forEach(node -> sandbox.nodes().reboot(node, next));
                    sandbox.run(Duration.ofMinutes(1));
                    ready();
                }));
                assertThat(writes(entry -> entry.resource().equals("nodes")))
                        .allMatch(write -> rebooting.contains(write.name()));
                waves++;
            }
        }

        Map<String, Integer> all = new TreeMap<>();
        perWave.forEach(requests -> requests.forEach((what, count) -> all.merge(what, count, Integer::sum)));
        assertThat(all)
                .containsEntry("patch nodes", size() * PATCHES_PER_NODE)
                .containsEntry("patch daemonsets.apps", OBJECTS)
                .containsEntry("get daemonsets.apps", OBJECTS)
                .containsEntry("delete daemonsets.apps", OBJECTS)
                .doesNotContainKeys("get nodes", "list nodes", "get pods", "list pods");
        assertThat(all.get("patch specialresources.sro.openshift.io/status"))
                .as("status writes follow the waves, not the nodes")
                .isLessThan(waves * 10);
    }

    private void restarts(int nodes) {
        rollsOut(nodes);

        Map<String, Integer> requests = during(() -> {
            sandbox.kill();
            sandbox.start();
            sandbox.run(Duration.ofMinutes(1));
        });

        assertThat(writes(entry -> true)).isEmpty();
        assertThat(requests)
                .containsEntry("list nodes", pages(size()))
                .containsEntry("list pods", pages(size() * STATES));
        assertThat(sandbox.isReady("fleet")).isTrue();
    }

    private static int pages(int objects) {
        return (objects + 499) / 500;
    }

    private int size() {
        return pools.stream().mapToInt(List::size).sum();
    }

    private void ready() {
        assertThat(sandbox.runUntil(LONG, () -> sandbox.isReady("fleet")))
                .as(sandbox.state("fleet"))
                .isTrue();
    }

    private Map<String, Integer> during(Runnable body) {
        Recording recording = sandbox.cluster().recording();
        recording.start();
        body.run();
        recording.stop();
        Map<String, Integer> counts = new TreeMap<>();
        recording
                .entries(RequestsByScaleTest::isOperators)
                .forEach(entry -> counts.merge(entry.verb() + " " + entry.resource(), 1, Integer::sum));
        return counts;
    }

    private List<Recording.Entry> writes(Predicate<Recording.Entry> which) {
        return sandbox.cluster()
                .recording()
                .entries(entry -> isOperators(entry) && entry.isWrite() && which.test(entry));
    }

    private static boolean isOperators(Recording.Entry entry) {
        return entry.userAgent().equals("sro");
    }

    private static NodeProfile profile(int kernel) {
        return NodeProfile.of(OsRelease.UBUNTU_22)
                .withKernel("5.15.0-" + (100 + kernel) + "-generic")
                .withLabel("example.com/device", "true");
    }

    /** A chain of states, each a kernel-affine DaemonSet that every node has to run. */
    private static final class Fleet implements AcceleratorPlugin {

        private static final String DAEMON_SET = """
            apiVersion: apps/v1
            kind: DaemonSet
            metadata:
              name: ${name}-%1$s
              annotations: {specialresource.openshift.io/kernel-affine: "true"}
            spec:
              template:
                spec:
                  containers:
                  - name: step
                    image: registry.example/step-%1$s:v${kernelNormalizedVersion}
            """;

        @Override
        public PluginDescriptor descriptor() {
            return PluginDescriptor.of("fleet", "1.0.0", "Example");
        }

        @Override
        public StateGraph states(RecipeContext context) {
            State[] chain = new State[STATES];
            for (int i = 0; i < STATES; i++) {
                chain[i] = State.builder()
                        .id("%d000-step".formatted(i))
                        .reach(Reach.nodeByNode())
                        .addManifests(ManifestTemplate.text("step.yaml", DAEMON_SET.formatted(i)))
                        .build();
            }
            return StateGraph.chain(chain);
        }
    }
}
