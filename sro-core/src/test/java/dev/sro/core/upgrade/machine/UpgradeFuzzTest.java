package dev.sro.core.upgrade.machine;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random histories of upgrades: whatever fails, whoever edits what, and wherever the controller ends, no more nodes are taken on than
 * slots allow, no driver's pod is deleted outside of an attempt that has cordoned its node, nobody's cordon is touched, and once the
 * faults stop every node ends with the driver, with nothing left to write.
 *
 * <p>{@code -Dsro.fuzz.seed} and {@code -Dsro.fuzz.count} choose others.
 */
class UpgradeFuzzTest {

    private static final long SEED = Long.getLong("sro.fuzz.seed", 1);

    @Test
    void aThousand() {
        run(SEED, Integer.getInteger("sro.fuzz.count", 1_000));
    }

    /** A million were run: {@code -Dsro.fuzz.many=1000000}. */
    @Test
    @Tag("slow")
    void aHundredThousand() {
        run(10_000_000, Integer.getInteger("sro.fuzz.many", 25_000));
    }

    /** Those that showed a mistake once. */
    @ParameterizedTest
    @ValueSource(longs = {385, 2960, 4275, 10971, 36241, 76611})
    void thoseThatFailedOnce(long seed) {
        run(seed, 1);
    }

    private static void run(long first, int count) {
        LongStream.range(first, first + count).parallel().forEach(UpgradeFuzzTest::one);
    }

    private static void one(long seed) {
        try {
            new UpgradeHistory(seed).live();
        } catch (RuntimeException | Error e) {
            throw new AssertionError("seed " + seed + ": " + e, e);
        }
    }
}
