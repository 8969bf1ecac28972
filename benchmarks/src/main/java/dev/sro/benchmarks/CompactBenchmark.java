package dev.sro.benchmarks;

import dev.sro.core.slicing.defrag.Compaction;
import dev.sro.core.slicing.defrag.Defragmenter;
import dev.sro.core.slicing.defrag.Disruption;
import dev.sro.core.slicing.fleet.ModelFleet;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.pack.Feasibility;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Moves that free all devices that can be freed, in a legal order, on a fragmented fleet. Prints what the plan costs and what no plan can go below.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 1)
@Measurement(iterations = 3)
@Fork(1)
public class CompactBenchmark {
    /** Number of devices. */
    @Param({"100", "1000", "10000", "100000", "1000000"})
    public int devices;

    /**
     * How it came about: "churn" by arrivals and departures at 85 % load under the standard policy, "random" by drawing the layout of
     * each device from all that there are.
     */
    @Param({"churn", "random"})
    public String kind = "churn";

    private final Defragmenter planner = Defragmenter.of(Feasibility.of(SliceWorld.A100));
    private ModelFleet fleet = SliceWorld.fleet(1);
    private Compaction last = planner.compact(fleet, Disruption.equal(), 0);

    /** Fills the fleet. */
    @Setup(Level.Trial)
    public void fill() {
        SplittableRandom random = new SplittableRandom(42);
        fleet = SliceWorld.fleet(devices);
        if (kind.equals("churn")) {
            SliceWorld.load(fleet, new long[devices * 7 + 1], random, 0.85);
            return;
        }
        Geometry geometry = SliceWorld.A100;
        for (int device = 0; device < devices; device++) {
            long placements = geometry.placementsOf(random.nextInt(geometry.layouts()));
            for (long rest = placements; rest != 0; rest &= rest - 1) {
                fleet.occupy(device, Long.numberOfTrailingZeros(rest));
            }
        }
    }

    /** Plans; changes nothing. */
    @Benchmark
    public Compaction compact() {
        last = planner.compact(fleet, Disruption.equal(), Long.MAX_VALUE);
        return last;
    }

    /** Says how good the plan is. */
    @TearDown(Level.Trial)
    public void report() {
        System.out.println(devices + " devices, " + kind + ": " + last.devicesBefore() + " in use, "
                + last.devicesAfter() + " after, " + last.fewest() + " proved fewest, " + last.cost()
                + " moves, at least " + last.bound() + " needed, " + last.stopFirst() + " stopped together");
    }
}
