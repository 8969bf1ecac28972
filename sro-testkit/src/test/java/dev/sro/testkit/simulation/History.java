package dev.sro.testkit.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.core.plugin.Plugins;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.operator.KmodPlugin;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.server.ApiRequest;
import dev.sro.testkit.server.ApiServer;
import dev.sro.testkit.server.DeleteOptions;
import dev.sro.testkit.server.Faults;
import dev.sro.testkit.server.Gvr;
import dev.sro.testkit.server.Recording;
import dev.sro.testkit.sim.Behavior;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One random history: nodes come, go, reboot and change kernels; operands fail or are deleted; requests fail in every way,
 * and answers get lost; watches end, and what happened in between is forgotten (410); the process dies at any write;
 * somebody writes fields of his own. Then the faults stop. Equal seeds give equal histories.
 */
final class History implements AutoCloseable {

    /** An annotation that is not ours. */
    static final String FOREIGN = "example.com/note";

    static final Duration LONG = Duration.ofHours(2);

    private static final int MAX_NODES = 5;
    static final List<String> KERNELS =
            List.of("5.14.0-427.50.1.el9_4.x86_64", "5.14.0-427.11.1.el9_4.x86_64", "5.14.0-362.8.1.el9_3.x86_64");

    private static final Gvr SPECIAL_RESOURCES = new Gvr("sro.openshift.io", "v1beta1", "specialresources");

    /** Null for all types: the API server restarts. */
    private static final List<@Nullable Gvr> WATCHED = Collections.unmodifiableList(
            Arrays.asList(null, Gvr.NODES, Gvr.PODS, Gvr.DAEMONSETS, Gvr.JOBS, SPECIAL_RESOURCES));

    /** Real time: far more than a client needs to watch again, which it does after milliseconds. */
    private static final long WATCH_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Random random;
    private final List<String> log = new ArrayList<>();
    private final SroSandbox sandbox;
    private final Map<String, String> kernels = new TreeMap<>();
    private final Map<String, Boolean> hasDevice = new TreeMap<>();
    private int created;
    private int doomIn = -1;
    private boolean doomAfter;
    private @Nullable Doom doom;

    History(long seed, KubernetesSerialization serialization) {
        random = new Random(seed);
        log.add("seed " + seed);
        sandbox = SroSandbox.create(
                        EmbeddedCluster.builder().seed(seed).serialization(serialization), Plugins.of(new KmodPlugin()))
                .writer(writer -> {
                    doom = new Doom(writer, doomIn, doomAfter);
                    return doom;
                });
        sandbox.simulation().registry().onlyPushed("registry.example/kmod:*");
        sandbox.cluster().recording().start();
        restart();
    }

    /** A history without faults that ends with these nodes. */
    static History calm(
            Map<String, String> kernels, Map<String, Boolean> hasDevice, KubernetesSerialization serialization) {
        History history = new History(0, serialization);
        kernels.forEach((name, kernel) -> history.create(name, kernel, hasDevice.getOrDefault(name, false)));
        history.sandbox.apply(KmodPlugin.RESOURCE);
        return history;
    }

    SroSandbox sandbox() {
        return sandbox;
    }

    Map<String, String> kernels() {
        return kernels;
    }

    Map<String, Boolean> hasDevice() {
        return hasDevice;
    }

    List<String> log() {
        return log;
    }

    /** Lives through it, up to and without the calm at its end. */
    void live() {
        int nodes = 1 + random.nextInt(MAX_NODES - 1);
        for (int i = 0; i < nodes; i++) {
            createAny();
        }
        sandbox.apply(KmodPlugin.RESOURCE);
        int steps = 5 + random.nextInt(12);
        for (int i = 0; i < steps; i++) {
            step();
            pass(Duration.ofMillis(random.nextInt(20_000)));
        }
    }

    /** All faults stop, and a live operator is left alone until nothing happens any more. */
    boolean calmDown() {
        log.add("calm");
        sandbox.cluster().faults().clear();
        sandbox.simulation().behaviors().clear();
        kernels.keySet().forEach(sandbox.nodes()::uncordon);
        deletePodsThatAreNotReady();
        doomIn = -1;
        restart();
        boolean ready = sandbox.runUntil(LONG, () -> sandbox.isReady("kmod"));
        sandbox.run(Duration.ofMinutes(15));
        return ready && sandbox.isReady("kmod");
    }

    /** What a container does is decided when it starts, so the ones that misbehave are started anew. */
    private void deletePodsThatAreNotReady() {
        for (ObjectNode pod : sandbox.cluster().api().list(Gvr.PODS)) {
            boolean ready = false;
            for (JsonNode condition : pod.at("/status/conditions")) {
                ready |= condition.at("/type").asText().equals("Ready")
                        && condition.at("/status").asText().equals("True");
            }
            if (!ready && pod.at("/metadata/ownerReferences/0/kind").asText().equals("DaemonSet")) {
                sandbox.client()
                        .pods()
                        .inNamespace(pod.at("/metadata/namespace").asText())
                        .withName(pod.at("/metadata/name").asText())
                        .delete();
            }
        }
    }

    private void step() {
        switch (random.nextInt(15)) {
            case 0, 1 -> createAny();
            case 2 -> delete();
            case 3, 4 -> reboot();
            case 5 -> device();
            case 6 -> cordon();
            case 7 -> behave();
            case 8, 9 -> fault();
            case 10 -> die();
            case 11, 12 -> dropWatches();
            case 13 -> deleteOperand();
            default -> foreignWrite();
        }
    }

    private void createAny() {
        if (kernels.size() < MAX_NODES) {
            create("n" + created++, kernel(), random.nextInt(4) > 0);
        }
    }

    private String kernel() {
        return KERNELS.get(random.nextInt(KERNELS.size()));
    }

    private @Nullable String anyNode() {
        List<String> names = new ArrayList<>(kernels.keySet());
        return names.isEmpty() ? null : names.get(random.nextInt(names.size()));
    }

    private void create(String name, String kernel, boolean device) {
        log.add("create " + name + " " + kernel + " device=" + device);
        NodeProfile profile = NodeProfile.of(OsRelease.RHEL_9).withKernel(kernel);
        profile = name.hashCode() % 2 == 0 ? profile.withoutNfd() : profile;
        sandbox.nodes().create(name, device ? profile.withLabel("example.com/device", "true") : profile);
        kernels.put(name, kernel);
        hasDevice.put(name, device);
    }

    private void delete() {
        String name = anyNode();
        if (name != null) {
            log.add("delete " + name);
            sandbox.nodes().delete(name);
            kernels.remove(name);
            hasDevice.remove(name);
        }
    }

    private void reboot() {
        String name = anyNode();
        if (name != null) {
            String kernel = kernel();
            log.add("reboot " + name + " into " + kernel);
            sandbox.nodes().reboot(name, kernel);
            kernels.put(name, kernel);
        }
    }

    private void device() {
        String name = anyNode();
        if (name != null) {
            boolean device = !hasDevice.getOrDefault(name, false);
            log.add("device of " + name + " = " + device);
            sandbox.nodes().label(name, "example.com/device", device ? "true" : null);
            hasDevice.put(name, device);
        }
    }

    private void cordon() {
        String name = anyNode();
        if (name != null) {
            log.add("cordon or uncordon " + name);
            if (random.nextBoolean()) {
                sandbox.nodes().cordon(name);
            } else {
                sandbox.nodes().uncordon(name);
            }
        }
    }

    private void behave() {
        int which = random.nextInt(4);
        log.add("operands misbehave " + which);
        sandbox.simulation()
                .behaviors()
                .add(
                        switch (which) {
                            case 0 -> Behavior.crashLoop().image("registry.example/kmod:*");
                            case 1 -> Behavior.pullError("registry is away").image("registry.example/validate:*");
                            case 2 -> Behavior.neverReady().image("registry.example/kmod:*");
                            default ->
                                Behavior.fail(1, Duration.ofSeconds(2))
                                        .image("registry.example/builder:*")
                                        .times(2);
                        });
    }

    private void fault() {
        int which = random.nextInt(9);
        log.add("requests fail " + which);
        sandbox.cluster().faults().clear();
        Faults.Rule rule = sandbox.cluster()
                .faults()
                .rule()
                .verbs("get", "patch", "delete")
                .when(History::isOperator)
                .chance(0.1 + 0.9 * random.nextDouble());
        switch (which) {
            case 0 -> rule.tooManyRequests(Duration.ofSeconds(1 + random.nextInt(10)));
            case 1 -> rule.internalError();
            case 2 -> rule.unavailable();
            case 3 -> rule.conflict();
            case 4 -> rule.forbidden();
            case 5 -> rule.timeout();
            case 6 -> rule.connectionReset();
            default -> rule.loseAnswer();
        }
    }

    private static boolean isOperator(ApiRequest request) {
        return request.userAgent().equals("sro");
    }

    private void die() {
        doomIn = random.nextInt(8);
        doomAfter = random.nextBoolean();
        log.add("restart; the process dies at write " + doomIn + (doomAfter ? " after it" : " before it"));
        restart();
    }

    private void restart() {
        sandbox.kill();
        try {
            sandbox.start();
        } catch (KubernetesClientException e) {
            log.add("cannot start");
        }
    }

    /** Watches end, things happen that nobody sees, and some of it is forgotten before the client watches again. */
    private void dropWatches() {
        Gvr type = WATCHED.get(random.nextInt(WATCHED.size()));
        boolean forget = random.nextInt(3) > 0;
        int refusals = random.nextInt(3);
        log.add("watches end: " + (type == null ? "all" : type.plural()) + (forget ? ", history is forgotten" : "")
                + ", refused " + refusals + " times");
        ApiServer server = sandbox.cluster().server();
        int open = server.openWatches(null);
        server.dropWatches(type);
        int unseen = random.nextInt(4);
        for (int i = 0; i < unseen; i++) {
            switch (random.nextInt(5)) {
                case 0 -> createAny();
                case 1 -> delete();
                case 2 -> reboot();
                case 3 -> device();
                default -> deleteOperand();
            }
        }
        if (forget) {
            server.forgetHistory(type);
        }
        Faults.Rule refuse = sandbox.cluster()
                .faults()
                .rule()
                .verbs("list", "watch")
                .when(History::isOperator)
                .times(refusals);
        refuse.unavailable();
        watchAgain(open);
        refuse.remove();
    }

    /** The client waits in real time before it watches again, and longer each time. */
    private void watchAgain(int watches) {
        long deadline = System.nanoTime() + WATCH_AGAIN_NANOS;
        sandbox.cluster().settle();
        while (sandbox.cluster().server().openWatches(null) < watches) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("the operator does not watch again\n" + log);
            }
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(200));
            sandbox.cluster().settle();
        }
    }

    private void deleteOperand() {
        Gvr type = random.nextInt(3) == 0 ? Gvr.JOBS : Gvr.DAEMONSETS;
        List<ObjectNode> operands = sandbox.cluster().api().list(type);
        if (!operands.isEmpty()) {
            ObjectNode operand = operands.get(random.nextInt(operands.size()));
            String name = operand.at("/metadata/name").asText();
            log.add("somebody deletes " + name);
            sandbox.cluster()
                    .api()
                    .delete(type, operand.at("/metadata/namespace").asText(), name, DeleteOptions.DEFAULT);
        }
    }

    private void foreignWrite() {
        log.add("somebody annotates all DaemonSets");
        sandbox.cluster()
                .api()
                .list(Gvr.DAEMONSETS)
                .forEach(ds -> sandbox.cluster()
                        .api()
                        .as("somebody")
                        .update(
                                Gvr.DAEMONSETS,
                                ds.at("/metadata/namespace").asText(),
                                ds.at("/metadata/name").asText(),
                                null,
                                object -> {
                                    object.withObject("/metadata/annotations").put(FOREIGN, "mine");
                                    return object;
                                }));
    }

    /** Lets time pass; a process that died is started again. */
    private void pass(Duration time) {
        sandbox.run(time);
        if (!sandbox.isRunning() || (doom != null && doom.isDead())) {
            log.add("is started again");
            doomIn = -1;
            restart();
        }
    }

    /** Requests of the operator, lists and watches apart. */
    List<Recording.Entry> requests() {
        return sandbox.cluster()
                .recording()
                .entries(e -> e.userAgent().equals("sro")
                        && !e.verb().equals("watch")
                        && !e.verb().equals("list")
                        && !e.resource().startsWith("/"));
    }

    @Override
    public void close() {
        sandbox.close();
    }
}
