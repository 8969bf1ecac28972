package dev.sro.core.slicing.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.sro.core.slicing.fixture.Models;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.policy.Policies;
import dev.sro.core.slicing.policy.PolicyTable;
import java.lang.management.ManagementFactory;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Allocating and releasing makes no garbage while the load stays as it is, the judgements of the learning policy included. */
class FleetGarbageTest {
    private static final int DEVICES = 100;
    private static final int PAIRS = 40_000;

    /** What the virtual machine itself may do in the thread, such as linking a class. */
    private static final long SOME_BYTES_OF_THE_JVM = 16_384;

    private final Geometry geometry = Geometry.of(Models.a100());
    private final ModelFleet fleet = new ModelFleet(PolicyTable.of(geometry, Policies.standard()), DEVICES);
    private final SplittableRandom random = new SplittableRandom(7);
    private final long[] live = new long[DEVICES * 8];
    private int count;

    @Test
    void pairsOfReleaseAndAllocateMakeNoGarbage() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        while (count < DEVICES * 2) {
            allocate();
        }
        long least = Long.MAX_VALUE;
        // A load that is drawn at random may be learned anew once or twice: one of the rounds has none of it.
        for (int round = 0; round < 6; round++) {
            long before = threads.getThreadAllocatedBytes(thread);
            for (int pair = 0; pair < PAIRS; pair++) {
                release();
                allocate();
            }
            least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
        }
        assertThat(least).as("bytes for %d pairs", PAIRS).isLessThan(SOME_BYTES_OF_THE_JVM);
    }

    private void release() {
        if (count > 0) {
            int pick = random.nextInt(count);
            fleet.release(live[pick]);
            live[pick] = live[--count];
        }
    }

    private void allocate() {
        long slot = fleet.allocate(random.nextInt(geometry.profiles()));
        if (slot != ModelFleet.NO_SLOT) {
            live[count++] = slot;
        }
    }
}
