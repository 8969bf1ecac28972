package dev.sro.benchmarks;

import dev.sro.core.slicing.fleet.ModelFleet;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The slot-packing allocator on fleets of A100s at 85 % load (mix "skew-small"): deciding, and the pair of releasing a random slice and
 * allocating another.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class SliceBenchmark {
    private static final int DRAWS = 1 << 16;

    /** Number of devices. */
    @Param({"1", "100", "10000", "100000", "1000000"})
    public int devices;

    private ModelFleet fleet = SliceWorld.fleet(1);
    private byte[] profiles = {};
    private int at;
    private long[] live = {};
    private int count;
    private int head;
    private int tail;

    /** A fleet that has reached its load by random arrivals and departures. */
    @Setup(Level.Trial)
    public void fill() {
        fleet = SliceWorld.fleet(devices);
        SplittableRandom random = new SplittableRandom(42);
        profiles = SliceWorld.draws(random, DRAWS);
        live = new long[devices * 7 + 1];
        count = SliceWorld.load(fleet, live, random, 0.85);
        head = 0;
        tail = count;
        for (int i = count - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            long slot = live[i];
            live[i] = live[other];
            live[other] = slot;
        }
    }

    /** Where would the next slice go? Changes nothing. */
    @Benchmark
    public long decide() {
        at = (at + 1) & (DRAWS - 1);
        return fleet.decide(profiles[at]);
    }

    /** Releases a slice that was chosen at random long before and allocates one: two operations. */
    @Benchmark
    public long churn() {
        at = (at + 1) & (DRAWS - 1);
        if (count > 0) {
            // A ring, so that reading it costs next to nothing: its order was shuffled.
            fleet.release(live[head]);
            head = head + 1 == live.length ? 0 : head + 1;
            count--;
        }
        long slot = fleet.allocate(profiles[at]);
        if (slot != ModelFleet.NO_SLOT) {
            live[tail] = slot;
            tail = tail + 1 == live.length ? 0 : tail + 1;
            count++;
        }
        return slot;
    }
}
