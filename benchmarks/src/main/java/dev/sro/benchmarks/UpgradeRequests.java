package dev.sro.benchmarks;

import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.server.Recording;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * Which requests an upgrade of the driver of a whole cluster costs, node by node with cordon, validation and uncordon: counted in the
 * embedded cluster, so that equal arguments give equal counts. Prints what there was of each kind, and of those that concern
 * one node the most, the least and the mean.
 *
 * <p>Arguments: nodes, kernels, nodes that may be upgraded at once.
 */
public final class UpgradeRequests {

    private static final Duration LONG = Duration.ofHours(100);

    private final SroSandbox sandbox = SroSandbox.create(new UpgradePlugin());
    private final String policy;
    private final int nodes;

    private UpgradeRequests(int nodes, int kernels, int parallel) {
        this.nodes = nodes / kernels * kernels;
        this.policy = "{autoUpgrade: true, maxParallelUpgrades: " + parallel + ", maxUnavailable: 100%}";
        for (int i = 0; i < kernels; i++) {
            NodeProfile profile = NodeProfile.of(OsRelease.UBUNTU_22)
                    .withKernel("5.15.0-" + (91 + i) + "-generic")
                    .withLabel("example.com/device", "true")
                    .withResource("example.com/gpu", "8");
            sandbox.nodes().createMany("k" + i + "-", nodes / kernels, profile);
        }
        sandbox.run(Duration.ofMinutes(1));
    }

    /** Upgrades once. */
    public static void main(String[] args) {
        UpgradeRequests run =
                new UpgradeRequests(Integer.parseInt(args[0]), Integer.parseInt(args[1]), Integer.parseInt(args[2]));
        try (run.sandbox) {
            run.measure();
        }
    }

    private void measure() {
        sandbox.apply(UpgradePlugin.resource("1", policy));
        until("ready", () -> sandbox.isReady("fleet"));
        sandbox.run(Duration.ofMinutes(1));
        Recording recording = sandbox.cluster().recording();
        recording.start();
        Instant begin = sandbox.cluster().clock().instant();
        sandbox.apply(UpgradePlugin.resource("2", policy));
        until("upgraded", this::isDone);
        Duration virtual = Duration.between(begin, sandbox.cluster().clock().instant());
        recording.stop();

        Map<String, Integer> all = new TreeMap<>();
        Map<String, Integer> byNode = new HashMap<>();
        recording.entries(entry -> entry.userAgent().equals("sro")).forEach(entry -> {
            all.merge(entry.verb() + " " + entry.resource(), 1, Integer::sum);
            if (entry.resource().equals("nodes") && entry.isWrite()) {
                byNode.merge(entry.name(), 1, Integer::sum);
            }
        });
        System.out.printf("upgrade of %d nodes in %s of the cluster's time: %s%n", nodes, virtual, all);
        System.out.printf(
                "writes to a node: %d to %d, %.3f in the mean, on %d nodes; deletions of pods: %.3f per node%n",
                Collections.min(byNode.values()),
                Collections.max(byNode.values()),
                byNode.values().stream().mapToInt(Integer::intValue).sum() / (double) nodes,
                byNode.size(),
                all.getOrDefault("delete pods", 0) / (double) nodes);
        System.out.printf("status: %d bytes%n", statusBytes());
    }

    private boolean isDone() {
        return sandbox.isReady("fleet")
                && sandbox.get("fleet")
                        .map(SpecialResource::getStatus)
                        .map(SpecialResourceStatus::getUpgrade)
                        .filter(upgrade -> "Done".equals(upgrade.getState()))
                        .isPresent();
    }

    private int statusBytes() {
        return sandbox.get("fleet")
                .map(SpecialResource::getStatus)
                .map(status -> sandbox.client().getKubernetesSerialization().asJson(status))
                .map(json -> json.getBytes(StandardCharsets.UTF_8).length)
                .orElse(0);
    }

    private void until(String what, BooleanSupplier condition) {
        if (!sandbox.runUntil(LONG, condition)) {
            throw new IllegalStateException("not " + what + ": " + sandbox.state("fleet"));
        }
    }
}
