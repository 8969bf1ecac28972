package dev.sro.runtime.demo;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.client.codec.Fabric8Codec;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.server.Gvr;
import dev.sro.testkit.server.Recording;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The life of a special resource: six nodes, two kernels; a third kernel on one node; a node goes; the special resource
 * goes. Each phase is checked, by what is in the cluster and by what SRO asked the API server. Confined to one thread.
 */
final class Demo {

    static final String NAME = "simple-kmod";

    /** The label that an administrator put on the nodes with the device. */
    static final String DEVICE = "example.com/simple-device";

    /** Alone in its pool: when it moves on, the pool is retired. */
    private static final String UPGRADED = "worker-1";

    private static final String DELETED = "worker-4";

    private static final String THIRD_KERNEL = "5.14.0-427.11.1.el9_4.x86_64";

    /** Of the cluster's time; far more than any phase needs. */
    private static final Duration LIMIT = Duration.ofMinutes(10);

    private static final int PHASES = 4;

    private final SroSandbox sandbox;
    private final DemoStage stage;

    Demo(SroSandbox sandbox, DemoView view, Pacer pacer, Clock wall) {
        this.sandbox = sandbox;
        this.stage = new DemoStage(sandbox, view, pacer, wall, NAME, PHASES, LIMIT);
    }

    DemoStage stage() {
        return stage;
    }

    /** Six nodes: two without the device; four with it, on two kernels; on one of them NFD is missing. */
    void addNodes() {
        NodeProfile rhel = NodeProfile.of(OsRelease.RHEL_9);
        NodeProfile ubuntu = NodeProfile.of(OsRelease.UBUNTU_22);
        sandbox.nodes().create("control-plane-0", ubuntu.withRole("control-plane"));
        sandbox.nodes().taint("control-plane-0", "node-role.kubernetes.io/control-plane", "", "NoSchedule");
        sandbox.nodes().create("worker-0", ubuntu);
        sandbox.nodes().create(UPGRADED, rhel.withLabel(DEVICE, "true"));
        sandbox.nodes().create("worker-2", ubuntu.withLabel(DEVICE, "true"));
        sandbox.nodes().create("worker-3", ubuntu.withLabel(DEVICE, "true").withoutNfd());
        sandbox.nodes().create(DELETED, ubuntu.withLabel(DEVICE, "true"));
    }

    /** From nothing to Ready on four nodes. */
    void install(String specialResource) {
        stage.run("install", "a SpecialResource for the four of six nodes with the device, on two kernels", () -> {
            sandbox.apply(specialResource);
            stage.until(() -> sandbox.isReady(NAME));
            Set<String> validated = labelled(MetadataKeys.stateLabel(NAME, "2000"));
            Set<String> touched = labelled(MetadataKeys.STATE_LABEL_PREFIX);
            return List.of(
                    DemoStage.check(
                            validated.equals(Set.of("worker-1", "worker-2", "worker-3", "worker-4")),
                            "the device is validated on the four nodes that have it",
                            "validated are " + validated),
                    DemoStage.check(
                            touched.equals(validated),
                            "the two other nodes are left alone",
                            "labels of ours are on " + touched));
        });
    }

    /** The rolling upgrade that everyone fears. */
    void upgrade() {
        Set<String> before = names(pool(UPGRADED));
        String title = UPGRADED + " reboots into a third kernel, " + THIRD_KERNEL;
        stage.run("upgrade", title, () -> {
            sandbox.nodes().reboot(UPGRADED, THIRD_KERNEL);
            stage.until(() -> pool(UPGRADED).contains(THIRD_KERNEL)
                    && sandbox.isReady(NAME)
                    && before.stream().noneMatch(names()::contains));
            Set<String> allowed = new TreeSet<>(before);
            allowed.addAll(names(pool(UPGRADED)));
            allowed.add(UPGRADED);
            allowed.add(NAME);
            Set<String> others = stage.writes().stream()
                    .map(Recording.Entry::name)
                    .filter(name -> !allowed.contains(name))
                    .collect(Collectors.toCollection(TreeSet::new));
            boolean validated = labelled(MetadataKeys.stateLabel(NAME, "2000")).contains(UPGRADED);
            return List.of(
                    DemoStage.check(validated, "the device is validated on the new kernel", "it is not"),
                    DemoStage.check(
                            others.isEmpty(), "only that node's pool changed: zero writes to others", "also " + others),
                    DemoStage.check(
                            before.stream().noneMatch(names()::contains),
                            before.size() + " objects of the old pool are retired",
                            "left of the old pool: " + before));
        });
    }

    /** A node goes; nothing of it is missed. */
    void deleteNode() {
        stage.run("node-deleted", DELETED + " is deleted", () -> {
            sandbox.nodes().delete(DELETED);
            stage.until(() -> sandbox.cluster().api().podsOnNode(DELETED).isEmpty()
                    && sandbox.isReady(NAME)
                    && stage.plan().pools().stream()
                            .noneMatch(pool -> pool.nodes().contains(DELETED)));
            Set<String> written =
                    stage.writes().stream().map(Recording.Entry::name).collect(Collectors.toCollection(TreeSet::new));
            written.remove(NAME);
            return List.of(DemoStage.check(
                    written.isEmpty(),
                    "nothing is written but the status of the special resource",
                    "written are " + written));
        });
    }

    /** The special resource goes, and everything with it. */
    void deleteResource() {
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

    private String pool(String node) {
        return stage.plan().pools().stream()
                .filter(pool -> pool.nodes().contains(node))
                .map(pool -> pool.name())
                .findFirst()
                .orElse("");
    }

    /** Names of SRO's objects in this pool. */
    private Set<String> names(String pool) {
        return objects().stream()
                .filter(object ->
                        object.annotation(MetadataKeys.POOL).orElse("").equals(pool))
                .map(object -> object.ref().name())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private Set<String> names() {
        return objects().stream().map(object -> object.ref().name()).collect(Collectors.toSet());
    }

    private List<KubeObject> objects() {
        Fabric8Codec codec = new Fabric8Codec(sandbox.client().getKubernetesSerialization());
        List<KubeObject> objects = new ArrayList<>();
        for (Gvr type : List.of(Gvr.JOBS, Gvr.BUILDCONFIGS, Gvr.DAEMONSETS)) {
            if (sandbox.cluster().api().resources().find(type).isPresent()) {
                sandbox.cluster().api().list(type).forEach(object -> objects.add(KubeObject.of(codec.toTree(object))));
            }
        }
        return objects;
    }

    /** Nodes with a label whose key begins like this. */
    private Set<String> labelled(String prefix) {
        Set<String> nodes = new TreeSet<>();
        sandbox.cluster()
                .api()
                .list(Gvr.NODES)
                .forEach(node -> node.at("/metadata/labels").fieldNames().forEachRemaining(label -> {
                    if (label.startsWith(prefix)) {
                        nodes.add(node.at("/metadata/name").asText());
                    }
                }));
        return nodes;
    }
}
