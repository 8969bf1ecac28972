package dev.sro.benchmarks;

import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.pack.Feasibility;
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
 * Whether any arrangement of a fleet could carry given counts: the certificate that goes with every refusal. "A100" is the model of the
 * other benchmarks; the two others come from the catalogue, with media profiles and, on the RTX PRO 6000, with engines that bind.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class FeasibilityBenchmark {
    private static final int DRAWS = 1 << 10;

    /** Device model. */
    @Param({"A100", "A100-40GB", "RTXPRO6000-96GB"})
    public String model = "A100";

    /** Number of devices. */
    @Param({"1", "10000", "1000000"})
    public int devices;

    private Feasibility feasibility = Feasibility.of(SliceWorld.A100);
    private long[] counts = {};
    private int profiles;
    private int at;

    /** As many slices of each profile as the devices carry if all get an equal share of them. */
    @Setup(Level.Trial)
    public void fill() {
        if (!model.equals("A100")) {
            feasibility = Feasibility.of(Geometry.of(Catalogue.builtin().model(model)));
        }
        profiles = feasibility.geometry().profiles();
        counts = new long[profiles];
        boolean more = true;
        for (long step = Math.max(1, devices / 64); step > 0; step = more ? step : step / 2) {
            more = false;
            for (int profile = 0; profile < profiles; profile++) {
                counts[profile] += step;
                boolean fits = feasibility.feasible(counts, devices);
                counts[profile] -= fits ? 0 : step;
                more |= fits;
            }
        }
    }

    private int next() {
        at = (at + 1) & (DRAWS - 1);
        return at % profiles;
    }

    /** Could one more be admitted? The fleet is full, so every inequality that binds is reached. */
    @Benchmark
    public boolean oneMore() {
        return feasibility.feasibleWithOneMore(counts, next(), devices);
    }

    /** Could all that runs be on one device less? */
    @Benchmark
    public boolean oneDeviceLess() {
        return feasibility.feasible(counts, devices - 1);
    }

    /** The fewest devices that carry what runs. */
    @Benchmark
    public long fewestDevices() {
        return feasibility.minDevices(counts);
    }
}
