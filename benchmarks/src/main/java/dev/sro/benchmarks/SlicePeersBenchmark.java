package dev.sro.benchmarks;

import dev.sro.core.slicing.fleet.ModelFleet;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.pack.Feasibility;
import dev.sro.core.slicing.policy.Fragmentation;
import dev.sro.core.slicing.policy.Policies;
import dev.sro.core.slicing.policy.PolicyTable;
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
 * One decision by SRO and by the algorithms that others use, on the very same fleet at 85 % load. The others are written as plain scans
 * over an array of masks, with their scores in a table: without the objects, locks and requests to an API server that they have in
 * their own homes.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class SlicePeersBenchmark {
    private static final int DRAWS = 1 << 12;
    private static final int NODE = 8;
    private static final Geometry A100 = SliceWorld.A100;

    /** Number of devices. */
    @Param({"100", "10000", "1000000"})
    public int devices;

    private ModelFleet standard = SliceWorld.fleet(1);
    private ModelFleet leastFragmentation = standard;
    private final Feasibility feasibility = Feasibility.of(A100);
    private final long[] counts = new long[A100.profiles()];
    private byte[] profiles = {};
    private int[] masks = {};
    private final int[] scores = new int[256];
    private int at;

    /** A fleet that has reached its load by random arrivals and departures. */
    @Setup(Level.Trial)
    public void fill() {
        SplittableRandom random = new SplittableRandom(42);
        standard = SliceWorld.fleet(devices);
        SliceWorld.load(standard, new long[devices * 7 + 1], random, 0.85);
        leastFragmentation = standard.copy(PolicyTable.of(A100, Policies.minimumFragmentation()));
        profiles = SliceWorld.draws(random, DRAWS);
        masks = new int[devices];
        for (int device = 0; device < devices; device++) {
            masks[device] = A100.maskOf(standard.occupancyOf(device));
        }
        for (int occupancy = 0; occupancy < A100.occupancies(); occupancy++) {
            scores[A100.maskOf(occupancy)] = Fragmentation.measure(A100, occupancy);
        }
        for (int profile = 0; profile < counts.length; profile++) {
            counts[profile] = standard.live(profile);
        }
    }

    private int next() {
        at = (at + 1) & (DRAWS - 1);
        return profiles[at];
    }

    /** SRO, standard policy. */
    @Benchmark
    public long sro() {
        return standard.decide(next());
    }

    /** SRO, minimum fragmentation: the same choice as {@link #scanForLeastFragmentation}. */
    @Benchmark
    public long sroLeastFragmentation() {
        return leastFragmentation.decide(next());
    }

    /** Whether any rearrangement could admit one more. */
    @Benchmark
    public boolean certificate() {
        return feasibility.feasibleWithOneMore(counts, next(), devices);
    }

    /** First device with a free window: DRA's allocator, device plugins. */
    @Benchmark
    public long scanForFirstFit() {
        int profile = next();
        for (int device = 0; device < masks.length; device++) {
            int placement = firstFree(masks[device], profile);
            if (placement >= 0) {
                return ModelFleet.slot(device, placement);
            }
        }
        return ModelFleet.NO_SLOT;
    }

    /** Every window of every device, the least increase of fragmentation: MFI. */
    @Benchmark
    public long scanForLeastFragmentation() {
        int profile = next();
        int least = Integer.MAX_VALUE;
        long best = ModelFleet.NO_SLOT;
        for (int device = 0; device < masks.length; device++) {
            int mask = masks[device];
            for (int placement = A100.firstPlacement(profile);
                    placement < A100.firstPlacement(profile + 1);
                    placement++) {
                int window = A100.windowOf(placement);
                if ((mask & window) == 0 && scores[mask | window] - scores[mask] < least) {
                    least = scores[mask | window] - scores[mask];
                    best = ModelFleet.slot(device, placement);
                }
            }
        }
        return best;
    }

    /** Emptiest node, first device, first start: DAS. */
    @Benchmark
    public long scanAsDas() {
        int profile = next();
        int most = -1;
        long best = ModelFleet.NO_SLOT;
        for (int node = 0; node < masks.length; node += NODE) {
            int free = 0;
            long slot = ModelFleet.NO_SLOT;
            for (int device = node; device < Math.min(node + NODE, masks.length); device++) {
                free += 8 - Integer.bitCount(masks[device]);
                int placement = slot == ModelFleet.NO_SLOT ? firstFree(masks[device], profile) : -1;
                slot = placement >= 0 ? ModelFleet.slot(device, placement) : slot;
            }
            if (slot != ModelFleet.NO_SLOT && free > most) {
                most = free;
                best = slot;
            }
        }
        return best;
    }

    private static int firstFree(int mask, int profile) {
        for (int placement = A100.firstPlacement(profile); placement < A100.firstPlacement(profile + 1); placement++) {
            if ((mask & A100.windowOf(placement)) == 0) {
                return placement;
            }
        }
        return -1;
    }
}
