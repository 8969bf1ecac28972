package dev.sro.benchmarks;

import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.catalogue.SliceProfile;
import dev.sro.core.slicing.fleet.ModelFleet;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.policy.Policies;
import dev.sro.core.slicing.policy.PolicyTable;
import java.util.List;
import java.util.SplittableRandom;

/** Fleets of A100s for the benchmarks of the allocator. */
final class SliceWorld {
    static final Geometry A100 = Geometry.of(DeviceModel.builder()
            .key("A100-40GB")
            .memoryUnits(8)
            .computeSlices(7)
            .addProfiles(profile("1g.5gb", 1, 1, 0, 1, 2, 3, 4, 5, 6))
            .addProfiles(profile("1g.10gb", 1, 2, 0, 2, 4, 6))
            .addProfiles(profile("2g.10gb", 2, 2, 0, 2, 4))
            .addProfiles(profile("3g.20gb", 3, 4, 0, 4))
            .addProfiles(profile("4g.20gb", 4, 4, 0))
            .addProfiles(profile("7g.40gb", 7, 8, 0))
            .build());
    static final PolicyTable TABLE = PolicyTable.of(A100, Policies.standard());

    /** Parts in a hundred of the mix "skew-small". */
    private static final int[] MIX = {30, 25, 20, 10, 10, 5};

    private SliceWorld() {}

    private static SliceProfile profile(String name, int computeSlices, int size, Integer... starts) {
        return SliceProfile.builder()
                .name(name)
                .computeSlices(computeSlices)
                .size(size)
                .starts(List.of(starts))
                .maxInstances(starts.length)
                .build();
    }

    static ModelFleet fleet(int devices) {
        return new ModelFleet(TABLE, devices);
    }

    static byte[] draws(SplittableRandom random, int count) {
        byte[] draws = new byte[count];
        for (int i = 0; i < count; i++) {
            int rest = random.nextInt(100);
            byte profile = 0;
            while (rest >= MIX[profile]) {
                rest -= MIX[profile++];
            }
            draws[i] = profile;
        }
        return draws;
    }

    /** Fills to {@code load} of all units, then replaces everything about three times over; answers live slots. */
    static int load(ModelFleet fleet, long[] live, SplittableRandom random, double load) {
        long target = (long) (8 * load * fleet.devices());
        long units = 0;
        int count = 0;
        for (long step = 0; step < fleet.devices() * 12L; step++) {
            while (units >= target && count > 0) {
                int pick = random.nextInt(count);
                units -= A100.sizeOf(A100.profileOf(ModelFleet.placement(live[pick])));
                fleet.release(live[pick]);
                live[pick] = live[--count];
            }
            byte profile = draws(random, 1)[0];
            long slot = fleet.allocate(profile);
            if (slot != ModelFleet.NO_SLOT) {
                live[count++] = slot;
                units += A100.sizeOf(profile);
            }
        }
        return count;
    }
}
