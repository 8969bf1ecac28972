package dev.sro.benchmarks;

import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.pack.Feasibility;
import dev.sro.core.slicing.pack.Packer;
import dev.sro.core.slicing.pack.Packing;
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

/** The offline plan: the fewest devices for counts per profile, and where each instance goes. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class PackBenchmark {
    /** Device model; "A100" is the one of the other benchmarks. */
    @Param({"A100", "A100-40GB", "RTXPRO6000-96GB"})
    public String model = "A100";

    /** About this many devices are needed. */
    @Param({"100", "10000", "1000000"})
    public int devices;

    private Packer packer = Packer.of(Feasibility.of(SliceWorld.A100));
    private long[] counts = {};

    /** Random counts that need about the wanted number of devices. */
    @Setup(Level.Trial)
    public void draw() {
        Geometry geometry = model.equals("A100")
                ? SliceWorld.A100
                : Geometry.of(Catalogue.builtin().model(model));
        Feasibility feasibility = Feasibility.of(geometry);
        packer = Packer.of(feasibility);
        SplittableRandom random = new SplittableRandom(42);
        long[] shares = new long[geometry.profiles()];
        for (int profile = 0; profile < shares.length; profile++) {
            shares[profile] = random.nextInt(1_000_000);
        }
        long needed = feasibility.minDevices(shares);
        counts = new long[shares.length];
        for (int profile = 0; profile < shares.length; profile++) {
            counts[profile] = shares[profile] * devices / needed;
        }
    }

    /** The plan as groups of devices with equal contents. */
    @Benchmark
    public Packing plan() {
        return packer.pack(counts);
    }

    /** The plan and the layout of every single device. */
    @Benchmark
    public char[] planAndLayoutOfEveryDevice() {
        Packing packing = packer.pack(counts);
        char[] layouts = new char[(int) packing.devices()];
        int at = 0;
        for (Packing.Group group : packing.groups()) {
            for (long device = 0; device < group.devices(); device++) {
                layouts[at++] = (char) group.layout();
            }
        }
        return layouts;
    }
}
