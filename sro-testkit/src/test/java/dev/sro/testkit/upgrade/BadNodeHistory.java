package dev.sro.testkit.upgrade;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sro.api.operation.UpgradeStrategy;
import dev.sro.core.upgrade.machine.UpgradePhase;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.server.Recording;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;

/**
 * A random history of an upgrade on the embedded cluster, with one bad node: a policy, a new driver, what happens to nodes, the operator,
 * requests and the special resource meanwhile. Then the faults stop, and the bad node stays bad until the others were looked at.
 * Equal seeds give equal histories.
 */
final class BadNodeHistory implements AutoCloseable {

    private static final List<BadNode> KINDS = List.of(BadNode.values());
    private static final int FEWEST_NODES = 3;
    private static final int MORE_NODES = 10;
    private static final Duration READY = Duration.ofHours(1);
    private static final Duration MENDED = Duration.ofMinutes(40);
    private static final int ASKED = 4;
    private static final Duration SETTLED = Duration.ofMinutes(30);
    private static final Duration QUIET = Duration.ofHours(1);
    private static final String REQUESTED = "sro.dev/gpu.driver-upgrade-requested";

    final List<String> log = new ArrayList<>();
    final SroSandbox sandbox;
    final BadNode kind;
    private final BadNodePolicy policy;
    private final BudgetWatch budget;
    private final Random random;
    private final BadNodeEvents events;
    private final String bad;
    private final boolean boots;
    private final List<String> findings = new ArrayList<>();
    private final Map<String, String> booted = new TreeMap<>();
    private PoolLook look = PoolLook.NOTHING;
    private boolean mended;
    private String version = "1";
    private String resume = "";

    BadNodeHistory(long seed, KubernetesSerialization serialization) {
        random = new Random(seed * 0x9E3779B97F4A7C15L);
        int nodes = FEWEST_NODES + random.nextInt(MORE_NODES);
        kind = KINDS.get(random.nextInt(KINDS.size()));
        boots = kind.needsReboot() || random.nextInt(4) == 0;
        policy = BadNodePolicy.draw(random, nodes);
        budget = new BudgetWatch(policy);
        bad = "node-" + random.nextInt(nodes);
        log.add("seed " + seed + ": " + nodes + " nodes, " + bad + " is " + kind + (boots ? ", boots" : "") + ", "
                + policy.yaml(""));
        sandbox = SroSandbox.create(
                EmbeddedCluster.builder().seed(seed).serialization(serialization),
                new GpuPlugin(
                        "gpu",
                        UpgradeStrategy.builder()
                                .validateBefore(List.of("2000-validation"))
                                .build()));
        events = new BadNodeEvents(this, random, bad);
        for (int i = 0; i < nodes; i++) {
            createNode("node-" + i);
        }
        sandbox.nodes().create("bystander", NodeProfile.of(OsRelease.RHEL_9));
    }

    /** What is wrong, one line each; empty if nothing is. */
    List<String> live() {
        apply("1");
        if (!sandbox.runUntil(READY, () -> looked() && converged())) {
            return List.of("the first driver does not come: " + story());
        }
        begin();
        upgrade("2");
        int steps = 3 + random.nextInt(8);
        for (int i = 0; i < steps; i++) {
            pass(pause());
            events.step();
        }
        events.end();
        pass(Duration.ofSeconds(1));
        whileItIsBad();
        afterItIsMended();
        findings.addAll(budget.findings());
        return findings;
    }

    private void begin() {
        kind.begin(sandbox, bad);
        if (random.nextBoolean()) {
            NodeUsers.create(sandbox, "trainer", goodNode(), Map.of("app", "trainer"), true, List.of());
        }
        pass(Duration.ofSeconds(3));
    }

    String goodNode() {
        List<String> good =
                look.nodes().keySet().stream().filter(name -> !name.equals(bad)).toList();
        return good.get(random.nextInt(good.size()));
    }

    void createNode(String name) {
        NodeProfile profile = UpgradeWorld.PROFILE;
        int number = Integer.parseInt(name.replaceFirst(".*-", ""));
        sandbox.nodes().create(name, number < policy.canaries() ? profile.withLabel("canary", "true") : profile);
    }

    void upgrade(String next) {
        apply(boots && !next.equals("1") ? "boot-" + next : next);
    }

    private void apply(String next) {
        version = next;
        log.add("driver " + next);
        apply();
    }

    private void apply() {
        sandbox.apply("""
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: gpu}
            spec:
              namespace: gpu
              plugin: {name: gpu}
              nodeSelector: {example.com/device: "true"}
              set: {apiVersion: sro.openshift.io/v1beta1, kind: Values, version: "%1$s", digest: "%1$s"}
              upgradePolicy: %2$s
            """.formatted(version, policy.yaml(resume)));
    }

    private Duration pause() {
        return switch (random.nextInt(4)) {
            case 0 -> Duration.ofMillis(random.nextInt(3_000));
            case 1, 2 -> Duration.ofMillis(random.nextInt(60_000));
            default -> Duration.ofSeconds(random.nextInt(900));
        };
    }

    /** Lets time pass, with everybody who does something by himself. */
    void pass(Duration time) {
        Instant end = sandbox.cluster().clock().instant().plus(time);
        while (sandbox.runUntil(until(end), () -> looked() && !events.lives())) {
            events.restart();
        }
        sandbox.run(until(end));
    }

    private Duration until(Instant end) {
        Duration rest = Duration.between(sandbox.cluster().clock().instant(), end);
        return rest.isNegative() ? Duration.ZERO : rest;
    }

    /** Looks at the budgets, and boots nodes for which that is asked, unless they are bad at it. Always true. */
    private boolean looked() {
        if (look.version() == sandbox.cluster().api().resourceVersion()) {
            return true;
        }
        look = PoolLook.of(sandbox.cluster().api());
        budget.look(look.nodes());
        look.nodes().forEach((name, node) -> {
            if (!node.reboot().isEmpty() && !node.reboot().equals(booted.get(name))) {
                boot(name, node.reboot());
            }
        });
        return true;
    }

    private void boot(String name, String asked) {
        boolean isBad = name.equals(bad) && !mended;
        if (isBad && kind == BadNode.NOBODY_REBOOTS) {
            return;
        }
        booted.put(name, asked);
        if (isBad && kind == BadNode.LOST_IN_REBOOT) {
            sandbox.nodes().notReady(name);
        } else {
            sandbox.nodes().reboot(name);
        }
    }

    private void whileItIsBad() {
        looked();
        int nodes = nodes();
        boolean inWave = Objects.requireNonNull(look.nodes().get(bad)).canary();
        int canaries = (int)
                look.nodes().values().stream().filter(PoolLook.Node::canary).count();
        boolean free = policy.othersGoOn(kind.end, nodes, inWave, canaries - (inWave ? 1 : 0));
        boolean ended = sandbox.runUntil(
                policy.limit(nodes), () -> looked() && (!free || othersAreDone()) && (isGood(bad) || isNamed()));
        if (!ended && free && !othersAreDone()) {
            findings.add("the bad node delays others: " + story());
        }
        if (!isGood(bad) && !isNamed()) {
            findings.add("the status does not name " + bad + " with " + kind.reasons + ": " + story());
        }
        log.add("others " + (othersAreDone() ? "are done" : "wait") + (free ? "" : ", as they may") + "; "
                + look.stuck(bad));
    }

    int nodes() {
        return look.nodes().size();
    }

    private boolean othersAreDone() {
        return look.nodes().keySet().stream().allMatch(name -> name.equals(bad) || isGood(name));
    }

    private boolean isGood(String name) {
        return look.isGood(name, version);
    }

    private boolean isNamed() {
        JsonNode stuck = look.stuck(bad);
        return kind.shows(stuck.path("reason").asText())
                && stuck.path("message").asText().contains(kind.word);
    }

    private void afterItIsMended() {
        log.add("mended");
        mended = true;
        booted.remove(bad);
        kind.end(sandbox, bad);
        events.deletePodsThatAreNotReady();
        boolean ended = false;
        for (int i = 0; i < ASKED && !ended; i++) {
            resume = "mended-" + i;
            apply();
            PoolLook.Node node = look.nodes().get(bad);
            if (node != null && node.phase().equals(UpgradePhase.FAILED.label())) {
                ask(bad);
            }
            ended = sandbox.runUntil(MENDED.plus(policy.limit(nodes())), () -> looked() && converged());
        }
        if (!ended) {
            findings.add("does not converge when " + bad + " is mended: " + story());
            return;
        }
        sandbox.run(SETTLED);
        isQuiet("at rest");
        sandbox.kill();
        sandbox.start();
        isQuiet("a fresh operator");
        looked();
        if (!converged()) {
            findings.add("does not stay as it should: " + story());
        }
    }

    private void ask(String name) {
        sandbox.client()
                .nodes()
                .withName(name)
                .edit(node -> node.edit()
                        .editMetadata()
                        .addToAnnotations(REQUESTED, "true")
                        .endMetadata()
                        .build());
    }

    private void isQuiet(String who) {
        sandbox.cluster().recording().start();
        sandbox.run(QUIET);
        List<Recording.Entry> writes =
                sandbox.cluster().recording().entries(entry -> entry.userAgent().equals("sro") && entry.isWrite());
        sandbox.cluster().recording().stop();
        if (!writes.isEmpty()) {
            findings.add(who + " writes " + writes);
        }
    }

    private boolean converged() {
        return look.isDone()
                && look.upgrade().path("stuck").isEmpty()
                && look.nodes().keySet().stream().allMatch(this::isGood)
                && look.nodes().values().stream().allMatch(node -> node.note().isEmpty());
    }

    private String story() {
        return look.nodes() + " " + look.drivers() + " wanted " + version + " "
                + look.resource().path("status").path("state") + " " + look.upgrade();
    }

    @Override
    public void close() {
        try {
            sandbox.close();
        } catch (KubernetesClientException e) {
            log.add("closed: " + e.getMessage());
        }
    }
}
