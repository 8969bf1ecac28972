package dev.sro.testkit.upgrade;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.server.ApiRequest;
import dev.sro.testkit.server.Faults;
import dev.sro.testkit.server.Gvr;
import dev.sro.testkit.simulation.Doom;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** What happens meanwhile: to good nodes, to the operator, to its requests, and by the hand of whoever wants another driver. */
final class BadNodeEvents {

    private static final int FEWEST_NODES = 3;

    private final BadNodeHistory history;
    private final SroSandbox sandbox;
    private final Random random;
    private final String bad;
    private int created = 100;
    private int version = 2;
    private int doomIn = -1;
    private boolean doomAfter;
    private @Nullable Doom doom;

    BadNodeEvents(BadNodeHistory history, Random random, String bad) {
        this.history = history;
        this.sandbox = history.sandbox;
        this.random = random;
        this.bad = bad;
        sandbox.writer(writer -> {
            doom = new Doom(writer, doomIn, doomAfter);
            return doom;
        });
        restart();
    }

    void step() {
        switch (random.nextInt(12)) {
            case 0, 1 -> reboot();
            case 2 -> create();
            case 3 -> delete();
            case 4, 5 -> die();
            case 6, 7, 8 -> fault();
            case 9 -> flap();
            case 10 -> upgradeAgain();
            default -> back();
        }
    }

    private void reboot() {
        String node = history.goodNode();
        history.log.add("reboot " + node);
        sandbox.nodes().reboot(node);
    }

    private void create() {
        String node = "node-" + created++;
        history.log.add("create " + node);
        history.createNode(node);
    }

    private void delete() {
        if (history.nodes() > FEWEST_NODES) {
            String node = history.goodNode();
            history.log.add("delete " + node);
            sandbox.nodes().delete(node);
        }
    }

    /** For a moment, its kubelet does not answer. */
    private void flap() {
        String node = history.goodNode();
        history.log.add("flap " + node);
        sandbox.nodes().notReady(node);
        history.pass(Duration.ofSeconds(1 + random.nextInt(60)));
        sandbox.nodes().ready(node);
    }

    private void upgradeAgain() {
        version++;
        history.upgrade(Integer.toString(version));
    }

    private void back() {
        history.upgrade("1");
    }

    private void fault() {
        int which = random.nextInt(8);
        history.log.add("requests fail " + which);
        Faults.Rule rule = sandbox.cluster()
                .faults()
                .rule()
                .verbs("get", "create", "update", "patch", "delete")
                .when(BadNodeEvents::isOperator)
                .chance(0.1 + 0.9 * random.nextDouble())
                .times(1 + random.nextInt(20));
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
        doomIn = random.nextInt(6);
        doomAfter = random.nextBoolean();
        history.log.add("restart; the process dies at write " + doomIn + (doomAfter ? " after it" : " before it"));
        start();
        doomIn = -1;
    }

    /** Whether the process did not die yet. */
    boolean lives() {
        return sandbox.isRunning() && (doom == null || !doom.isDead());
    }

    void restart() {
        doomIn = -1;
        start();
    }

    private void start() {
        sandbox.kill();
        try {
            sandbox.start();
        } catch (KubernetesClientException e) {
            history.log.add("cannot start");
        }
    }

    /** Requests do not fail any more, and the process that runs does not die. */
    void end() {
        history.log.add("faults stop");
        sandbox.cluster().faults().clear();
        restart();
    }

    /** What a container does is decided when it starts, so the ones that misbehave are started anew. */
    void deletePodsThatAreNotReady() {
        for (ObjectNode pod : sandbox.cluster().api().list(Gvr.PODS)) {
            if (!PoolLook.ready(pod)
                    && pod.at("/spec/nodeName").asText().equals(bad)
                    && pod.at("/metadata/ownerReferences/0/kind").asText().equals("DaemonSet")) {
                sandbox.client()
                        .pods()
                        .inNamespace(pod.at("/metadata/namespace").asText())
                        .withName(pod.at("/metadata/name").asText())
                        .delete();
            }
        }
    }
}
