package dev.sro.benchmarks;

import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.server.Recording;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which requests the operator makes for a cluster of a given size, from the first node to a rolling upgrade of all: counted in
 * the embedded cluster, so that equal arguments give equal counts. Prints one line per step.
 *
 * <p>Arguments: nodes, kernels, states, nodes per wave of the upgrade.
 */
public final class Requests {

    private static final Duration LONG = Duration.ofHours(10);

    private final SroSandbox sandbox;
    private final List<List<String>> pools = new ArrayList<>();
    private final int nodes;
    private final int wave;

    private Requests(int nodes, int kernels, int states, int wave) {
        this.nodes = nodes;
        this.wave = wave;
        this.sandbox = SroSandbox.create(new FleetPlugin(states));
        for (int i = 0; i < kernels; i++) {
            pools.add(sandbox.nodes()
                    .createMany("k" + i + "-", nodes / kernels, profile("5.15.0-" + (91 + i) + "-generic")));
        }
        sandbox.run(Duration.ofMinutes(1));
    }

    private static NodeProfile profile(String kernel) {
        return NodeProfile.of(OsRelease.UBUNTU_22).withKernel(kernel).withLabel("example.com/device", "true");
    }

    /** Runs all steps. */
    public static void main(String[] args) {
        Requests run = new Requests(
                Integer.parseInt(args[0]),
                Integer.parseInt(args[1]),
                Integer.parseInt(args[2]),
                Integer.parseInt(args[3]));
        try (run.sandbox) {
            run.all();
        }
    }

    private void all() {
        step("roll-out to all nodes", () -> {
            sandbox.apply(FleetPlugin.RESOURCE);
            ready();
        });
        step("an hour in which nothing happens", () -> sandbox.run(Duration.ofHours(1)));
        step("a label that does not matter, on 100 nodes", () -> {
            pools.get(0)
                    .subList(0, Math.min(100, pools.get(0).size()))
                    .forEach(node -> sandbox.nodes().label(node, "example.com/note", "x"));
            sandbox.run(Duration.ofMinutes(1));
        });
        step("restart", () -> {
            sandbox.kill();
            sandbox.start();
            sandbox.run(Duration.ofMinutes(1));
        });
        step("a new node", () -> {
            sandbox.nodes().create("late", profile("5.15.0-91-generic"));
            sandbox.run(Duration.ofMinutes(2));
            ready();
        });
        step("one node reboots into a new kernel", () -> {
            sandbox.nodes().reboot("late", "5.15.0-150-generic");
            sandbox.run(Duration.ofMinutes(2));
            ready();
        });
        sandbox.nodes().delete("late");
        sandbox.run(Duration.ofMinutes(2));
        step("rolling upgrade of all nodes, " + wave + " at a time", this::upgrade);
    }

    private void upgrade() {
        for (int pool = 0; pool < pools.size(); pool++) {
            String kernel = "5.15.0-" + (191 + pool) + "-generic";
            List<String> names = pools.get(pool);
            for (int from = 0; from < names.size(); from += wave) {
                names.subList(from, Math.min(from + wave, names.size()))
                        .forEach(node -> sandbox.nodes().reboot(node, kernel));
                sandbox.run(Duration.ofMinutes(1));
                ready();
            }
        }
    }

    private void ready() {
        if (!sandbox.runUntil(LONG, () -> sandbox.isReady("fleet"))) {
            throw new IllegalStateException("not ready: " + sandbox.state("fleet"));
        }
    }

    private void step(String what, Runnable body) {
        Recording recording = sandbox.cluster().recording();
        recording.start();
        long before = System.nanoTime();
        body.run();
        long elapsed = System.nanoTime() - before;
        recording.stop();
        Map<String, Integer> counts = new TreeMap<>();
        recording
                .entries(entry -> entry.userAgent().equals("sro"))
                .forEach(entry -> counts.merge(entry.verb() + " " + entry.resource(), 1, Integer::sum));
        System.out.printf("%s: %s (%d nodes, %d ms)%n", what, counts, nodes, elapsed / 1_000_000);
    }
}
