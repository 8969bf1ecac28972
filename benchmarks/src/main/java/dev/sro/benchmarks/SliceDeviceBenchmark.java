package dev.sro.benchmarks;

import dev.sro.core.slicing.fleet.SlicedDevice;
import dev.sro.core.slicing.policy.Policies;
import dev.sro.core.slicing.policy.PolicyTable;
import java.util.SplittableRandom;
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

/** The allocator of a single device: requests of the mix "skew-small". */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class SliceDeviceBenchmark {
    private static final int DRAWS = 1 << 16;

    private final SlicedDevice device = new SlicedDevice(PolicyTable.of(SliceWorld.A100, Policies.standard()));
    private final byte[] profiles = SliceWorld.draws(new SplittableRandom(42), DRAWS);
    private int at;
    private int held = -1;

    /** Where would the next slice go? Changes nothing. */
    @Benchmark
    public int decide() {
        at = (at + 1) & (DRAWS - 1);
        return device.decide(profiles[at]);
    }

    /** Gives the latest slice back, if there is one, and takes another: up to two operations. */
    @Benchmark
    public int churn() {
        at = (at + 1) & (DRAWS - 1);
        if (held >= 0) {
            device.release(held);
        }
        held = device.allocate(profiles[at]);
        return held;
    }
}
