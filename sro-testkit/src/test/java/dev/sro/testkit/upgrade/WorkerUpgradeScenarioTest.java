package dev.sro.testkit.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.NodeFacts;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.Reach;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.api.operation.DriverSet;
import dev.sro.api.operation.PodUse;
import dev.sro.api.operation.UpgradeAction;
import dev.sro.api.operation.UpgradePolicy;
import dev.sro.api.operation.UpgradeStrategy;
import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.testkit.load.WorkerRecipe;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.sim.Behavior;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Upgrades of drivers that worker pods load: nobody unloads what is in use, and never more nodes than the policy says. */
final class WorkerUpgradeScenarioTest {

    private static final Duration LONG = Duration.ofHours(2);
    private static final String STATE = "sro.dev/gpu.driver-upgrade-state";
    private static final String AUTO = "{autoUpgrade: true, maxParallelUpgrades: 1, maxUnavailable: 100%}";

    /** With the state that the engine makes of a load plan. */
    private static final class LoadingPlugin implements AcceleratorPlugin, UpgradePolicy {
        @Override
        public PluginDescriptor descriptor() {
            return PluginDescriptor.of("gpu", "1.0.0", "Example");
        }

        @Override
        public StateGraph states(RecipeContext context) {
            String config = WorkerRecipe.config(context.config().get("streams"));
            return StateGraph.chain(State.builder()
                    .id("0500-driver-load")
                    .reach(Reach.nodeByNode())
                    .addManifests(ManifestTemplate.text(
                            "load.yaml", WorkerRecipe.manifest(config, config.endsWith("3") ? "broken" : "1")))
                    .build());
        }

        @Override
        public boolean usesDevice(PodUse pod) {
            return pod.resources().containsKey("example.com/gpu");
        }

        /** Of tens users do not mind. */
        @Override
        public UpgradeAction upgradeAction(DriverSet running, DriverSet desired, NodeFacts node) {
            return desired.version().endsWith("0") ? UpgradeAction.RESTART_ONLY : UpgradeAction.FULL;
        }

        @Override
        public UpgradeStrategy upgradeStrategy(RecipeContext context) {
            return UpgradeStrategy.builder().build();
        }
    }

    private final SroSandbox sandbox = SroSandbox.create(new LoadingPlugin());

    @AfterEach
    void close() {
        sandbox.close();
    }

    private void resource(int streams, String policy) {
        sandbox.apply("""
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: gpu}
            spec:
              namespace: gpu
              plugin: {name: gpu, config: {streams: "%d"}}
              nodeSelector: {example.com/device: "true"}
              upgradePolicy: %s
            """.formatted(streams, policy));
    }

    private void ready(int nodes, String policy) {
        sandbox.simulation()
                .behaviors()
                .add(Behavior.succeedAfter(Duration.ofSeconds(20)).container("driver-load"));
        sandbox.nodes().createMany("node-", nodes, UpgradeWorld.PROFILE);
        resource(1, policy);
        until(1);
        sandbox.run(Duration.ofMinutes(1));
        sandbox.cluster().recording().start();
    }

    private void until(int streams) {
        assertThat(sandbox.runUntil(LONG, () -> isThrough(streams)))
                .as(() -> story())
                .isTrue();
    }

    private boolean isThrough(int streams) {
        return isDone()
                && loaded().values().stream().allMatch(String.valueOf(streams)::equals)
                && workers().isEmpty();
    }

    private boolean isDone() {
        SpecialResource resource = sandbox.get("gpu").orElseThrow();
        SpecialResourceStatus status = resource.getStatus();
        return status != null
                && resource.getMetadata().getGeneration().equals(status.getObservedGeneration())
                && state().equals("Done");
    }

    private String state() {
        return sandbox.get("gpu")
                .map(SpecialResource::getStatus)
                .flatMap(status -> Optional.ofNullable(status.getUpgrade()))
                .flatMap(upgrade -> Optional.ofNullable(upgrade.getState()))
                .orElse("");
    }

    private String story() {
        return phases() + " " + loaded() + " " + works() + " " + sandbox.state("gpu");
    }

    private List<Node> nodes() {
        return sandbox.client().nodes().list().getItems();
    }

    private Map<String, String> phases() {
        Map<String, String> phases = new TreeMap<>();
        nodes().forEach(node -> phases.put(
                node.getMetadata().getName(),
                node.getMetadata().getLabels().getOrDefault(STATE, "")
                        + (Boolean.TRUE.equals(node.getSpec().getUnschedulable()) ? " cordoned" : "")));
        return phases;
    }

    private Map<String, String> loaded() {
        Map<String, String> loaded = new TreeMap<>();
        nodes().forEach(node -> loaded.put(
                node.getMetadata().getName(),
                WorkerRecipe.loaded(node.getMetadata().getLabels().getOrDefault(WorkerRecipe.LOADED, ""))));
        return loaded;
    }

    private List<Pod> workers() {
        return WorkerRecipe.workers(sandbox, "gpu");
    }

    /** What works where, for example {@code node-0 unload 1}. */
    private Set<String> works() {
        TreeSet<String> works = new TreeSet<>();
        for (Pod pod : workers()) {
            String work = WorkerRecipe.work(pod).replaceFirst("\\.0+", " ");
            works.add(pod.getSpec().getNodeName() + " " + work.substring(0, work.indexOf('.')));
        }
        return works;
    }

    /** A pod that uses the device, and may be evicted since it has a controller. */
    private void user(String name, String node) {
        String owner = sandbox.client()
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("owner-of-" + name)
                        .withNamespace("default")
                        .endMetadata()
                        .build())
                .create()
                .getMetadata()
                .getUid();
        Pod pod = sandbox.client().getKubernetesSerialization().unmarshal("""
            apiVersion: v1
            kind: Pod
            metadata:
              name: %1$s
              namespace: default
              ownerReferences:
              - {apiVersion: v1, kind: ConfigMap, name: owner-of-%1$s, uid: %2$s, controller: true}
            spec:
              nodeName: %3$s
              containers:
              - {name: main, image: "registry.example/app:1", resources: {limits: {example.com/gpu: 1}}}
            """.formatted(name, owner, node), Pod.class);
        sandbox.client().resource(pod).create();
        sandbox.run(Duration.ofSeconds(3));
        assertThat(isThere(name)).isTrue();
    }

    private boolean isThere(String user) {
        return sandbox.client().pods().inNamespace("default").withName(user).get() != null;
    }

    @Test
    void changesAParameterNodeByNodeAfterItsUsersAreGoneAndIsQuietThen() {
        ready(3, AUTO);
        List<String> users = List.of("node-0", "node-1", "node-2");
        users.forEach(node -> user("user-of-" + node, node));

        assertThat(users).allMatch(node -> isThere("user-of-" + node));
        resource(2, AUTO);
        int[] most = new int[1];
        TreeSet<String> works = new TreeSet<>();
        TreeSet<String> early = new TreeSet<>();
        boolean through = sandbox.runUntil(LONG, () -> {
            Set<String> now = works();
            works.addAll(now);
            most[0] = Math.max(most[0], now.size());
            for (String work : now) {
                String node = work.substring(0, work.indexOf(' '));
                boolean admitted = "pod-restart-required cordoned".equals(phases().get(node));
                // The pod goes when its work is written, which may be when the node is past that.
                if (isThere("user-of-" + node) || (work.contains("unload") && !admitted)) {
                    early.add(work + " while " + phases().get(node));
                }
            }
            return isThrough(2);
        });

        assertThat(through).as(() -> story()).isTrue();
        assertThat(early).isEmpty();
        assertThat(sandbox.cluster().recording().counts()).containsEntry("create pods/eviction", 3L);
        assertThat(most[0]).isEqualTo(1);
        assertThat(works)
                .containsExactly(
                        "node-0 load 2",
                        "node-0 unload 1",
                        "node-1 load 2",
                        "node-1 unload 1",
                        "node-2 load 2",
                        "node-2 unload 1");
        assertThat(phases().values()).containsOnly("upgrade-done");
        sandbox.run(Duration.ofMinutes(1));
        sandbox.cluster().recording().start();
        sandbox.run(Duration.ofHours(2));
        assertThat(sandbox.cluster()
                        .recording()
                        .entries(entry ->
                                entry.userAgent().equals("sro") && !entry.verb().equals("watch")))
                .isEmpty();
    }

    @Test
    void aChangeOfWhichThePluginSaysThatUsersDoNotMindIsLoadedUnderThem() {
        ready(1, AUTO);
        user("trainer", "node-0");

        resource(10, AUTO);
        TreeSet<String> works = new TreeSet<>();
        boolean through = sandbox.runUntil(LONG, () -> {
            works.addAll(works());
            return isThrough(10);
        });

        assertThat(through).as(() -> story()).isTrue();
        assertThat(works).containsExactly("node-0 load 10");
        assertThat(isThere("trainer")).isTrue();
    }

    @Test
    void aNodeThatHasNothingLoadedWaitsForNobody() {
        String held = "{autoUpgrade: true, paused: true}";
        ready(2, AUTO);
        resource(2, held);
        sandbox.nodes().createMany("new-", 1, UpgradeWorld.PROFILE);
        sandbox.nodes().reboot("node-1");
        sandbox.run(Duration.ofMinutes(30));

        assertThat(loaded()).isEqualTo(Map.of("node-0", "1", "node-1", "2", "new-0", "2"));
        assertThat(phases()).containsEntry("new-0", "upgrade-done").containsEntry("node-0", "upgrade-required");

        resource(2, AUTO);
        until(2);
    }

    @Test
    void aCanaryThatCannotLoadBringsTheGoodConfigurationBack() {
        String policy = "{autoUpgrade: true, maxUnavailable: 100%, rollback: {automatic: true},"
                + " waves: [{name: canary, nodeSelector: {canary: \"true\"}, haltOnFailures: 1}]}";
        ready(2, policy);
        sandbox.nodes().label("node-1", "canary", "true");
        sandbox.simulation()
                .behaviors()
                .add(Behavior.crashLoop().image("*gpu:broken").times(13));
        resource(3, policy);

        TreeSet<String> works = new TreeSet<>();
        boolean back = sandbox.runUntil(LONG, () -> {
            works.addAll(works());
            return works.contains("node-1 unload 3") && isThrough(1);
        });

        assertThat(back).as(() -> story()).isTrue();
        assertThat(works).containsExactly("node-1 load 1", "node-1 load 3", "node-1 unload 1", "node-1 unload 3");
        assertThat(phases().values()).containsOnly("upgrade-done");
        resource(2, policy);
        until(2);
    }

    @Test
    void goesOnWhereItWasWhenTheOperatorIsKilled() {
        ready(3, AUTO);
        resource(2, AUTO);
        int[] most = new int[1];
        for (int i = 0; i < 60 && !isThrough(2); i++) {
            sandbox.run(Duration.ofMillis(4700));
            most[0] = Math.max(most[0], works().size());
            sandbox.kill();
            sandbox.run(Duration.ofMillis(300));
            sandbox.start();
        }
        until(2);

        assertThat(most[0]).isEqualTo(1);
        assertThat(phases().values()).containsOnly("upgrade-done");
    }
}
