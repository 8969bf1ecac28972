package dev.sro.benchmarks;

import dev.sro.core.engine.Engine;
import dev.sro.core.plan.Plan;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A plan for 144 objects in each of 10 pools, all as desired: what a reconcile costs when nothing is to be done. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class PlanBenchmark {

    private static final int NODES = 100;
    private static final int POOLS = 10;
    private static final int OBJECTS = 144;

    private final World world = new World(NODES, POOLS, OBJECTS);
    private final Engine engine = world.engine();

    /** Lets everything exist that is wanted. */
    @Setup
    public void converge() {
        for (int i = 0; i < 3; i++) {
            engine.plan("bench").ifPresent(world::takeOver);
        }
        Plan plan = engine.plan("bench").orElseThrow();
        if (!plan.converged() || world.size() != OBJECTS * POOLS + 1) {
            throw new IllegalStateException("not converged: " + plan.writes().size() + " writes, " + world.size());
        }
    }

    /** The engine has planned this before: what an event costs that concerns the special resource and changes nothing. */
    @Benchmark
    public Optional<Plan> nothingToDo() {
        return engine.plan("bench");
    }

    /** A new engine: resolves, renders and compares everything, as after a restart. */
    @Benchmark
    public Optional<Plan> nothingToDoAfterRestart() {
        return world.engine().plan("bench");
    }
}
