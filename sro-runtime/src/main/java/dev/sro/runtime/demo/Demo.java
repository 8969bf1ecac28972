package dev.sro.runtime.demo;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.client.Fabric8Codec;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.Marks;
import dev.sro.core.plan.Plan;
import dev.sro.runtime.demo.PhaseResult.Check;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.server.Gvr;
import dev.sro.testkit.server.Recording;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
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

    /** How often a cluster that lives on is looked at. */
    private static final Duration TICK = Duration.ofMillis(100);

    private static final int PHASES = 4;

    private final SroSandbox sandbox;
    private final DemoView view;
    private final Pacer pacer;
    private final Clock wall;
    private final Instant start;
    private final List<PhaseResult> results = new ArrayList<>();

    Demo(SroSandbox sandbox, DemoView view, Pacer pacer, Clock wall) {
        this.sandbox = sandbox;
        this.view = view;
        this.pacer = pacer;
        this.wall = wall;
        this.start = sandbox.cluster().clock().instant();
    }

    List<PhaseResult> results() {
        return results;
    }

    boolean ok() {
        return results.stream().allMatch(PhaseResult::ok);
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
        run("install", "a SpecialResource for the four of six nodes with the device, on two kernels", () -> {
            sandbox.apply(specialResource);
            until(() -> sandbox.isReady(NAME));
            Set<String> validated = labelled(Marks.stateLabel(NAME, "2000"));
            Set<String> touched = labelled(Marks.STATE_LABEL_PREFIX);
            return List.of(
                    check(
                            validated.equals(Set.of("worker-1", "worker-2", "worker-3", "worker-4")),
                            "the device is validated on the four nodes that have it",
                            "validated are " + validated),
                    check(
                            touched.equals(validated),
                            "the two other nodes are left alone",
                            "labels of ours are on " + touched));
        });
    }

    /** The rolling upgrade that everyone fears. */
    void upgrade() {
        Set<String> before = names(pool(UPGRADED));
        String title = UPGRADED + " reboots into a third kernel, " + THIRD_KERNEL;
        run("upgrade", title, () -> {
            sandbox.nodes().reboot(UPGRADED, THIRD_KERNEL);
            until(() -> pool(UPGRADED).contains(THIRD_KERNEL)
                    && sandbox.isReady(NAME)
                    && before.stream().noneMatch(names()::contains));
            Set<String> allowed = new TreeSet<>(before);
            allowed.addAll(names(pool(UPGRADED)));
            allowed.add(UPGRADED);
            allowed.add(NAME);
            Set<String> others = writes().stream()
                    .map(Recording.Entry::name)
                    .filter(name -> !allowed.contains(name))
                    .collect(Collectors.toCollection(TreeSet::new));
            boolean validated = labelled(Marks.stateLabel(NAME, "2000")).contains(UPGRADED);
            return List.of(
                    check(validated, "the device is validated on the new kernel", "it is not"),
                    check(others.isEmpty(), "only that node's pool changed: zero writes to others", "also " + others),
                    check(
                            before.stream().noneMatch(names()::contains),
                            before.size() + " objects of the old pool are retired",
                            "left of the old pool: " + before));
        });
    }

    /** A node goes; nothing of it is missed. */
    void deleteNode() {
        run("node-deleted", DELETED + " is deleted", () -> {
            sandbox.nodes().delete(DELETED);
            until(() -> sandbox.cluster().api().podsOnNode(DELETED).isEmpty()
                    && sandbox.isReady(NAME)
                    && plan().pools().stream().noneMatch(pool -> pool.nodes().contains(DELETED)));
            Set<String> written =
                    writes().stream().map(Recording.Entry::name).collect(Collectors.toCollection(TreeSet::new));
            written.remove(NAME);
            return List.of(check(
                    written.isEmpty(),
                    "nothing is written but the status of the special resource",
                    "written are " + written));
        });
    }

    /** The special resource goes, and everything with it. */
    void deleteResource() {
        run("deleted", "the SpecialResource is deleted", () -> {
            sandbox.client().resources(SpecialResource.class).withName(NAME).delete();
            until(() -> sandbox.get(NAME).isEmpty() && left().isEmpty());
            return List.of(check(
                    left().isEmpty(),
                    "nothing is left behind: no object, no namespace, no mark on a node",
                    "" + left()));
        });
    }

    /** Lets the cluster live in step with our time, until the thread is interrupted. */
    void liveOn() {
        Pacer ours = Pacer.times(1);
        while (!Thread.currentThread().isInterrupted()) {
            show();
            ours.pass(TICK);
            sandbox.run(TICK);
        }
    }

    /** Shows the end. */
    void finish() {
        view.summary(results);
    }

    private List<String> left() {
        return Leftovers.find(sandbox.cluster().api(), NAME);
    }

    private static Check check(boolean ok, String text, String detail) {
        return new Check(ok, text, detail);
    }

    private void run(String name, String title, Supplier<List<Check>> body) {
        Phase phase = new Phase(results.size() + 1, PHASES, name, title);
        view.begins(phase);
        sandbox.cluster().recording().start();
        Instant wallStart = wall.instant();
        Instant clusterStart = sandbox.cluster().clock().instant();
        List<Check> checks = body.get();
        PhaseResult result = PhaseResult.of(
                phase,
                requests(),
                Duration.between(clusterStart, sandbox.cluster().clock().instant()),
                Duration.between(wallStart, wall.instant()),
                checks);
        results.add(result);
        view.ended(result);
    }

    /** Lets time pass until the condition holds; the view follows. */
    void until(BooleanSupplier condition) {
        boolean reached = sandbox.runUntil(LIMIT, () -> {
            show();
            if (condition.getAsBoolean()) {
                return true;
            }
            pace();
            return false;
        });
        if (!reached) {
            throw new DemoFailedException(
                    "not done after " + LIMIT.toMinutes() + " minutes of the cluster's time; there are "
                            + names() + "; not ready are "
                            + Change.all(plan()).values().stream()
                                    .filter(change -> !change.kind().equals("Ready"))
                                    .map(Change::message)
                                    .distinct()
                                    .toList());
        }
    }

    private void show() {
        sandbox.plan(NAME)
                .ifPresent(plan -> view.update(
                        Duration.between(start, sandbox.cluster().clock().instant()), plan));
    }

    private void pace() {
        Instant now = sandbox.cluster().clock().instant();
        sandbox.cluster()
                .clock()
                .nextDue()
                .map(due -> Duration.between(now, due))
                .filter(wait -> !wait.isNegative())
                .ifPresent(pacer::pass);
    }

    private Plan plan() {
        return sandbox.plan(NAME).orElseThrow(() -> new DemoFailedException("the SpecialResource is gone"));
    }

    private String pool(String node) {
        return plan().pools().stream()
                .filter(pool -> pool.nodes().contains(node))
                .map(pool -> pool.name())
                .findFirst()
                .orElse("");
    }

    /** Names of SRO's objects in this pool. */
    private Set<String> names(String pool) {
        return objects().stream()
                .filter(object -> object.annotation(Marks.POOL).orElse("").equals(pool))
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

    private List<Recording.Entry> requests() {
        return sandbox.cluster().recording().entries(entry -> entry.userAgent().equals(Marks.FIELD_MANAGER));
    }

    private List<Recording.Entry> writes() {
        return requests().stream().filter(PhaseResult::isChange).toList();
    }
}
