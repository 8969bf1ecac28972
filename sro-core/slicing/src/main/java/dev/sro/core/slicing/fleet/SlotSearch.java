package dev.sro.core.slicing.fleet;

import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.policy.PolicyTable;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds the slot that a policy prefers among the devices of an index: through bitmaps of the ranks that have devices, or, where there are
 * few devices, by looking through them. Not thread-safe; {@link #decide} alone changes nothing and may run beside itself.
 */
final class SlotSearch {
    private final OccupancyIndex index;
    /** Not null if there are few devices. */
    private final @Nullable ScanIndex few;

    private final int words;
    /** Ranks of occupancies that have devices, per profile; some that had may still be marked, see {@link #best}. */
    private final long[] available;

    private final boolean[] marked;
    private PolicyTable policy;

    SlotSearch(OccupancyIndex index, PolicyTable policy) {
        Geometry geometry = policy.geometry();
        this.index = index;
        this.words = policy.words();
        this.few = index instanceof ScanIndex scan ? scan : null;
        this.available = new long[geometry.profiles() * words];
        this.marked = new boolean[geometry.occupancies()];
        this.policy = policy;
        follow(policy);
    }

    PolicyTable policy() {
        return policy;
    }

    /** Searches by another table from now on. Looks at every occupancy. */
    void follow(PolicyTable other) {
        policy = other;
        if (few != null) {
            return;
        }
        Arrays.fill(available, 0);
        for (int occupancy = 0; occupancy < marked.length; occupancy++) {
            marked[occupancy] = index.occupied(occupancy);
            if (marked[occupancy]) {
                policy.mark(available, occupancy, true);
            }
        }
    }

    /** Takes note that an occupancy has a device. What became empty stays marked: in most cases it is filled again before anybody asks. */
    void entered(int occupancy) {
        if (few == null && !marked[occupancy]) {
            marked[occupancy] = true;
            policy.mark(available, occupancy, true);
        }
    }

    /** The slot that a slice of {@code profile} would take; {@link ModelFleet#NO_SLOT} if it fits nowhere. */
    long decide(int profile) {
        return few != null ? few.decide(policy, profile) : slot(profile, best(profile, false));
    }

    /** As {@link #decide}, and forgets on the way what became empty. */
    long decideAndForget(int profile) {
        return few != null ? few.decide(policy, profile) : slot(profile, best(profile, true));
    }

    private long slot(int profile, int choice) {
        if (choice == PolicyTable.NO_CHOICE) {
            return ModelFleet.NO_SLOT;
        }
        return choice > 0
                ? ModelFleet.slot(index.first(choice & 0xFFFF), choice >>> 16)
                : lowestAmongEquals(profile, choice & 0xFFFF);
    }

    private int best(int profile, boolean forget) {
        int end = (profile + 1) * words;
        for (int word = profile * words; word < end; word++) {
            for (long bits = available[word]; bits != 0; bits &= bits - 1) {
                int choice = policy.choice((word << 6) + Long.numberOfTrailingZeros(bits));
                int occupancy = choice & 0xFFFF;
                if (index.occupied(occupancy)) {
                    return choice;
                }
                if (forget) {
                    marked[occupancy] = false;
                    policy.mark(available, occupancy, false);
                }
            }
        }
        return PolicyTable.NO_CHOICE;
    }

    // The lowest device of all occupancies that are as good as the first.
    private long lowestAmongEquals(int profile, int first) {
        int rank = policy.rank(first, profile);
        int end = policy.tieEnd(profile, rank);
        int occupancy = first;
        int device = index.first(first);
        for (int other = nextAvailable(profile, rank + 1, end); other < end; ) {
            int candidate = policy.occupancyAt(profile, other);
            int lowest = index.first(candidate);
            if (lowest < device) {
                device = lowest;
                occupancy = candidate;
            }
            other = nextAvailable(profile, other + 1, end);
        }
        return ModelFleet.slot(device, policy.placement(occupancy, profile));
    }

    private int nextAvailable(int profile, int from, int end) {
        if (from >= end) {
            return end;
        }
        int word = from >>> 6;
        long bits = available[profile * words + word] & -1L << from;
        while (bits == 0) {
            if (++word << 6 >= end) {
                return end;
            }
            bits = available[profile * words + word];
        }
        return (word << 6) + Long.numberOfTrailingZeros(bits);
    }
}
