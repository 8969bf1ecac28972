package dev.sro.benchmarks;

import dev.sro.core.slicing.fleet.ModelFleet;
import dev.sro.core.slicing.geometry.Geometry;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/**
 * Nanoseconds of processor time that the thread takes for a pair of releasing a random slice and allocating another, on fleets of A100s at
 * 85 % load: SRO's allocator, and a plain first-fit scan over an array of masks beside it. Processor time leaves out what other work takes
 * of a shared machine, but not what it does to caches and clock. The median of nine, with the least and the most.
 */
public final class SliceCpuTime {
    private static final int ROUNDS = 9;
    private static final int DRAWS = 1 << 16;
    private static final Geometry A100 = SliceWorld.A100;

    private final SplittableRandom random = new SplittableRandom(42);
    private final byte[] profiles = SliceWorld.draws(random, DRAWS);
    private final ThreadMXBean clock = ManagementFactory.getThreadMXBean();
    private final ModelFleet fleet;
    private final int[] masks;
    private final long[] live;
    private int count;
    private int head;
    private int tail;
    private int at;

    private SliceCpuTime(int devices) {
        fleet = SliceWorld.fleet(devices);
        live = new long[devices * 7 + 1];
        count = SliceWorld.load(fleet, live, random, 0.85);
        tail = count;
        for (int i = count - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            long slot = live[i];
            live[i] = live[other];
            live[other] = slot;
        }
        masks = new int[devices];
        for (int device = 0; device < devices; device++) {
            masks[device] = A100.maskOf(fleet.occupancyOf(device));
        }
    }

    /** Prints a table; arguments are numbers of devices. */
    public static void main(String[] args) {
        int[] sizes = args.length == 0
                ? new int[] {1, 4, 16, 64, 100, 1000, 10_000, 1_000_000}
                : Arrays.stream(args).mapToInt(Integer::parseInt).toArray();
        System.out.println("| devices | allocator | first-fit scan |\n|---|---|---|");
        for (int devices : sizes) {
            System.out.printf(
                    Locale.ROOT,
                    "| %,d | %s | %s |%n",
                    devices,
                    new SliceCpuTime(devices).measure(true),
                    devices > 10_000 ? "" : new SliceCpuTime(devices).measure(false));
        }
    }

    private String measure(boolean allocator) {
        LongSupplier pair = allocator ? this::allocatorPair : this::scanPair;
        int pairs = allocator ? 2_000_000 : Math.max(20_000, 200_000_000 / (100 + masks.length));
        double[] nanos = new double[ROUNDS];
        long sink = run(pair, pairs) + run(pair, pairs);
        for (int round = 0; round < ROUNDS; round++) {
            long started = clock.getCurrentThreadCpuTime();
            sink += run(pair, pairs);
            nanos[round] = (double) (clock.getCurrentThreadCpuTime() - started) / pairs;
        }
        Arrays.sort(nanos);
        return String.format(
                Locale.ROOT,
                "%.0f ns (%.0f to %.0f)%s",
                nanos[ROUNDS / 2],
                nanos[0],
                nanos[ROUNDS - 1],
                sink == 0 ? " " : "");
    }

    private static long run(LongSupplier pair, int pairs) {
        long sink = 0;
        for (int i = 0; i < pairs; i++) {
            sink += pair.getAsLong();
        }
        return sink;
    }

    private long allocatorPair() {
        if (count > 0) {
            fleet.release(next());
        }
        return keep(fleet.allocate(draw()));
    }

    private long scanPair() {
        if (count > 0) {
            long gone = next();
            masks[ModelFleet.device(gone)] &= ~A100.windowOf(ModelFleet.placement(gone));
        }
        return keep(scan(draw()));
    }

    private long scan(int profile) {
        for (int device = 0; device < masks.length; device++) {
            for (int placement = A100.firstPlacement(profile);
                    placement < A100.firstPlacement(profile + 1);
                    placement++) {
                if ((masks[device] & A100.windowOf(placement)) == 0) {
                    masks[device] |= A100.windowOf(placement);
                    return ModelFleet.slot(device, placement);
                }
            }
        }
        return ModelFleet.NO_SLOT;
    }

    private int draw() {
        at = (at + 1) & (DRAWS - 1);
        return profiles[at];
    }

    private long next() {
        long slot = live[head];
        head = head + 1 == live.length ? 0 : head + 1;
        count--;
        return slot;
    }

    private long keep(long slot) {
        if (slot != ModelFleet.NO_SLOT) {
            live[tail] = slot;
            tail = tail + 1 == live.length ? 0 : tail + 1;
            count++;
        }
        return slot;
    }
}
