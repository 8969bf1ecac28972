package dev.sro.benchmarks;

import dev.sro.core.facts.NodeProjector;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.plan.Plan;
import io.fabric8.kubernetes.api.model.Node;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What nodes cost. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class NodeBenchmark {

    private static final int NODES = 15_000;
    private static final int KERNELS = 3;

    private final World large = new World(NODES, KERNELS, 10);
    private final Node heartbeat = World.node(0, KERNELS);
    private final ObservedNode known =
            NodeProjector.project(World.node(0, KERNELS)).orElseThrow();

    /** An event that does not matter: the node is projected, compared, and that is all. */
    @Benchmark
    public boolean eventThatDoesNotMatter() {
        return NodeProjector.project(heartbeat).filter(known::equals).isPresent();
    }

    /** The first plan of a new engine for 15,000 nodes on 3 kernels. */
    @Benchmark
    public Optional<Plan> coldPlanForFifteenThousandNodes() {
        return large.engine().plan("bench");
    }
}
