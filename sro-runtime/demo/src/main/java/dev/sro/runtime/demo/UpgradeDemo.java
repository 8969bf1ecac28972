package dev.sro.runtime.demo;

import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.UpgradeStatus;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.server.Gvr;
import dev.sro.testkit.sim.Behavior;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Upgrades: six nodes boot one after the other into a new kernel, and the driver fails on one of them; a new driver comes to two nodes
 * at a time; the next one fails on a canary, halts, and is rolled back. Confined to one thread.
 */
final class UpgradeDemo {

    static final String NAME = "accelerator";

    static final int PHASES = 5;

    private static final int NODES = 6;
    private static final String BROKEN = "worker-2";
    private static final String CANARY = "worker-5";
    private static final String NEW_KERNEL = "5.14.0-427.11.1.el9_4.x86_64";
    private static final String STATE = "sro.dev/" + NAME + ".driver-upgrade-state";

    private static final String RESOURCE = """
        apiVersion: sro.openshift.io/v1beta1
        kind: SpecialResource
        metadata: {name: %s}
        spec:
          namespace: %s
          plugin: {name: %s}
          set: {apiVersion: sro.openshift.io/v1beta1, kind: Values, version: "%s"}
          upgradePolicy:
            autoUpgrade: true
            maxParallelUpgrades: 2
            maxUnavailable: 50%%
            deadlines: {restartSeconds: 120}
            waves:
            - {name: canary, nodeSelector: {example.com/canary: "true"}, haltOnFailures: 1}
            rollback: {automatic: true}
        """;

    private final SroSandbox sandbox;
    private final DemoStage stage;

    UpgradeDemo(SroSandbox sandbox, DemoView view, Pacer pacer, Clock wall) {
        this.sandbox = sandbox;
        this.stage = new DemoStage(sandbox, view, pacer, wall, NAME, PHASES, Duration.ofHours(2));
    }

    DemoStage stage() {
        return stage;
    }

    void install() {
        NodeProfile profile = NodeProfile.of(OsRelease.RHEL_9).withResource(DemoDriver.RESOURCE, "1");
        sandbox.nodes().createMany("worker-", NODES, profile);
        sandbox.nodes().label(CANARY, "example.com/canary", "true");
        stage.run("install", "driver 1 comes to six nodes", () -> {
            apply("1");
            stage.until(() -> rests("1"));
            return List.of(DemoStage.check(
                    drivers().values().stream().allMatch("1"::equals), "six nodes have driver 1", "" + drivers()));
        });
    }

    /** One node after the other, as a cluster's own upgrade does it. */
    void kernel() {
        stage.run("kernel", "the nodes boot one after the other into " + NEW_KERNEL, () -> {
            Behavior crash = Behavior.crashLoop().image("*driver:*").node(BROKEN);
            sandbox.simulation().behaviors().add(crash);
            for (int i = 0; i < NODES; i++) {
                String node = "worker-" + i;
                sandbox.nodes().reboot(node, NEW_KERNEL);
                if (!node.equals(BROKEN)) {
                    stage.until(() -> validated().contains(node) && runs(node, NEW_KERNEL));
                }
            }
            Set<String> without = new TreeSet<>(drivers().keySet());
            without.removeAll(validated());
            sandbox.simulation().behaviors().remove(crash);
            // A pod that crashes is started again ever later.
            stage.until(() -> validated().contains(BROKEN));
            return List.of(
                    DemoStage.check(
                            without.equals(Set.of(BROKEN)),
                            "the driver fails on " + BROKEN + ", and every other node goes on",
                            "not validated were " + without),
                    DemoStage.check(
                            validated().size() == NODES,
                            "once it is mended, " + BROKEN + " comes too",
                            "validated are " + validated()));
        });
    }

    /** Two nodes at a time, and only who uses the device has to go. */
    void driver() {
        stage.run("driver", "driver 2 comes to the nodes, two at a time, the canary first", () -> {
            pod("training", "worker-1", true);
            pod("web", "worker-1", false);
            boolean[] first = {true};
            int[] most = new int[1];
            apply("2");
            stage.until(() -> {
                most[0] = Math.max(most[0], cordoned().size());
                Map<String, String> now = drivers();
                first[0] &= "2".equals(now.get(CANARY)) || !now.containsValue("2");
                return rests("2");
            });
            return List.of(
                    DemoStage.check(first[0], "the canary is first", "it was not"),
                    DemoStage.check(most[0] == 2, "two nodes at a time", "there were " + most[0]),
                    DemoStage.check(
                            !there("training") && there("web"),
                            "the pod that used the device had to go, its neighbour stayed",
                            "training: " + there("training") + ", web: " + there("web")));
        });
    }

    /** The next driver does not work. */
    void rollback() {
        stage.run("rollback", "driver 3 crashes on the canary", () -> {
            sandbox.simulation().behaviors().add(Behavior.crashLoop().image("*driver:3"));
            apply("3");
            Set<String> tried = new TreeSet<>();
            boolean[] halted = new boolean[1];
            stage.until(() -> {
                drivers().forEach((node, version) -> {
                    if (version.equals("3")) {
                        tried.add(node);
                    }
                });
                UpgradeStatus status = status();
                halted[0] |= "Halted".equals(status.getState())
                        || (status.getWanted() != null && !status.getWanted().equals(status.getTarget()));
                return halted[0] && rests("2");
            });
            return List.of(
                    DemoStage.check(
                            tried.equals(Set.of(CANARY)), "no node but the canary had driver 3", "it was on " + tried),
                    DemoStage.check(halted[0], "the roll-out halted and was taken back by itself", "it did not"),
                    DemoStage.check(
                            validated().size() == NODES && cordoned().isEmpty(),
                            "six nodes work with driver 2",
                            "validated are " + validated() + ", cordoned are " + cordoned()));
        });
    }

    void delete() {
        stage.run("deleted", "the SpecialResource is deleted", () -> {
            sandbox.client().resources(SpecialResource.class).withName(NAME).delete();
            stage.until(() -> sandbox.get(NAME).isEmpty() && left().isEmpty());
            return List.of(DemoStage.check(
                    left().isEmpty(),
                    "nothing is left behind: no object, no namespace, no mark on a node",
                    "" + left()));
        });
    }

    private List<String> left() {
        return RemainingObjects.find(sandbox.cluster().api(), NAME);
    }

    private void apply(String version) {
        sandbox.apply(RESOURCE.formatted(NAME, NAME, DemoDriver.NAME, version));
    }

    private UpgradeStatus status() {
        return sandbox.get(NAME)
                .map(SpecialResource::getStatus)
                .map(status -> status.getUpgrade() == null ? new UpgradeStatus() : status.getUpgrade())
                .orElseGet(UpgradeStatus::new);
    }

    /** Whether all nodes have this driver and work, and nothing is under way. */
    private boolean rests(String version) {
        return "Done".equals(status().getState())
                && sandbox.isReady(NAME)
                && drivers().size() == NODES
                && drivers().values().stream().allMatch(version::equals);
    }

    private boolean runs(String node, String kernel) {
        return sandbox.nodes()
                .get(node)
                .at("/status/nodeInfo/kernelVersion")
                .asText()
                .equals(kernel);
    }

    private Map<String, String> drivers() {
        Map<String, String> drivers = new TreeMap<>();
        sandbox.cluster().api().list(Gvr.PODS).forEach(pod -> {
            if (pod.at("/metadata/name").asText().startsWith(NAME + "-driver")) {
                drivers.put(
                        pod.at("/spec/nodeName").asText(),
                        pod.at("/spec/containers/0/image").asText().replaceFirst(".*:", ""));
            }
        });
        return drivers;
    }

    private Set<String> validated() {
        Set<String> nodes = new TreeSet<>();
        sandbox.cluster().api().list(Gvr.NODES).forEach(node -> {
            if (node.at("/metadata/labels").has("specialresource.openshift.io/state-" + NAME + "-2000")) {
                nodes.add(node.at("/metadata/name").asText());
            }
        });
        return nodes;
    }

    private Set<String> cordoned() {
        Set<String> nodes = new TreeSet<>();
        sandbox.cluster().api().list(Gvr.NODES).forEach(node -> {
            boolean ours = !node.at("/metadata/labels").path(STATE).asText().isEmpty();
            if (ours && node.at("/spec/unschedulable").asBoolean()) {
                nodes.add(node.at("/metadata/name").asText());
            }
        });
        return nodes;
    }

    private void pod(String name, String node, boolean device) {
        sandbox.client()
                .load(new java.io.ByteArrayInputStream(
                        """
                        apiVersion: apps/v1
                        kind: StatefulSet
                        metadata: {name: %1$s, namespace: default}
                        spec:
                          serviceName: %1$s
                          selector: {matchLabels: {app: %1$s}}
                          template:
                            metadata: {labels: {app: %1$s}}
                            spec:
                              nodeSelector: {kubernetes.io/hostname: %2$s}
                              containers:
                              - name: main
                                image: registry.example/%1$s:1
                                resources: {limits: {%3$s}}
                        """.formatted(name, node, device ? DemoDriver.RESOURCE + ": 1" : "")
                                .getBytes(java.nio.charset.StandardCharsets.UTF_8)))
                .create();
        uids.put(name, "");
        stage.until(() -> !uid(name).isEmpty());
        uids.put(name, uid(name));
    }

    private final Map<String, String> uids = new TreeMap<>();

    private String uid(String name) {
        return sandbox.cluster()
                .api()
                .get(Gvr.PODS, "default", name + "-0")
                .filter(pod -> pod.at("/status/phase").asText().equals("Running"))
                .map(pod -> pod.at("/metadata/uid").asText())
                .orElse("");
    }

    /** Whether it is the same pod as in the beginning. */
    private boolean there(String name) {
        return uid(name).equals(uids.get(name));
    }
}
