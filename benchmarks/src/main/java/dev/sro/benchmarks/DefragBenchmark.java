package dev.sro.benchmarks;

import dev.sro.core.slicing.defrag.AdmissionPlan;
import dev.sro.core.slicing.defrag.Defragmenter;
import dev.sro.core.slicing.defrag.Disruption;
import dev.sro.core.slicing.fleet.ModelFleet;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.pack.Feasibility;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
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
 * The fewest moves that admit a whole-device slice where none is free. Every device carries a layout drawn at random from all that
 * have at least so many instances, so that exactly so many have to move, and devices differ as much as they can.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class DefragBenchmark {
    private static final Geometry A100 = SliceWorld.A100;

    /** Number of devices. */
    @Param({"100", "10000", "1000000"})
    public int devices;

    /** Instances on the emptiest device. */
    @Param({"1", "2", "3"})
    public int moves;

    private final Defragmenter planner = Defragmenter.of(Feasibility.of(A100));
    private ModelFleet fleet = SliceWorld.fleet(1);

    /** Fills the fleet. */
    @Setup(Level.Trial)
    public void fill() {
        int[] layouts = IntStream.range(0, A100.layouts())
                .filter(layout -> Long.bitCount(A100.placementsOf(layout)) >= moves)
                .filter(layout -> moves > 1 || A100.maskOf(A100.occupancyOf(layout)) != 0xFF)
                .toArray();
        SplittableRandom random = new SplittableRandom(42);
        fleet = SliceWorld.fleet(devices);
        for (int device = 0; device < devices; device++) {
            int layout = layouts[random.nextInt(layouts.length)];
            for (long rest = A100.placementsOf(layout); rest != 0; rest &= rest - 1) {
                fleet.occupy(device, Long.numberOfTrailingZeros(rest));
            }
        }
        AdmissionPlan plan = admit();
        if (plan.moves().size() != moves || !plan.minimal()) {
            throw new IllegalStateException("not the plan that was meant: " + plan);
        }
    }

    /** Plans; changes nothing. */
    @Benchmark
    public AdmissionPlan admit() {
        return planner.admit(fleet, Disruption.equal(), A100.profiles() - 1, 3);
    }
}
