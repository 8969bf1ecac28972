package dev.sro.benchmarks;

import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.time.Duration;

/**
 * What the operator keeps of a cluster: the heap in use with it, less that without it, by the node. The nodes have as many labels as
 * are asked for, and a pod of each state. Prints one line.
 *
 * <p>Arguments: nodes, states, labels.
 */
public final class OperatorMemory {

    private OperatorMemory() {}

    /** Measures once. */
    public static void main(String[] args) throws InterruptedException {
        int nodes = Integer.parseInt(args[0]);
        NodeProfile profile = NodeProfile.of(OsRelease.UBUNTU_22).withLabel("example.com/device", "true");
        for (int i = 0; i < Integer.parseInt(args[2]); i++) {
            profile = profile.withLabel("example.com/feature-" + i, "value-" + i);
        }
        try (SroSandbox sandbox = SroSandbox.create(new FleetPlugin(Integer.parseInt(args[1])))) {
            sandbox.nodes().createMany("n", nodes, profile);
            sandbox.run(Duration.ofMinutes(1));
            sandbox.apply(FleetPlugin.RESOURCE);
            if (!sandbox.runUntil(Duration.ofHours(1), () -> sandbox.isReady("fleet"))) {
                throw new IllegalStateException(sandbox.state("fleet"));
            }
            sandbox.kill();
            // What is under way to the one that is gone holds on to it.
            sandbox.run(Duration.ofMinutes(30));
            long without = Reactions.used();
            sandbox.start();
            sandbox.run(Duration.ofMinutes(1));
            long with = Reactions.used();
            System.out.printf(
                    "operator: %d kB for %d nodes, %d bytes a node%n",
                    (with - without) / 1_000, nodes, (with - without) / nodes);
        }
    }
}
