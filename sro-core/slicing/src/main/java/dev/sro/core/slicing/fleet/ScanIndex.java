package dev.sro.core.slicing.fleet;

import dev.sro.core.slicing.policy.PolicyTable;
import java.util.Arrays;

/** The index of very small fleets: none. Looking through all devices takes less time than keeping sets of them. */
final class ScanIndex extends OccupancyIndex {
    /** Most devices. */
    static final int MOST = 32;

    private final char[] occupancies;

    ScanIndex(int devices) {
        occupancies = new char[devices];
        Arrays.fill(occupancies, (char) ABSENT);
    }

    private ScanIndex(ScanIndex other) {
        occupancies = other.occupancies.clone();
    }

    @Override
    ScanIndex copy() {
        return new ScanIndex(this);
    }

    @Override
    int get(int device) {
        return occupancies[device];
    }

    @Override
    void move(int device, int from, int to) {
        occupancies[device] = (char) to;
    }

    /** The slot that a policy prefers for a slice of {@code profile}; {@link ModelFleet#NO_SLOT} if it fits nowhere. */
    long decide(PolicyTable policy, int profile) {
        int least = PolicyTable.NONE;
        int best = -1;
        for (int device = 0; device < occupancies.length; device++) {
            int occupancy = occupancies[device];
            int order = occupancy == ABSENT ? PolicyTable.NONE : policy.order(occupancy, profile);
            if (order < least) {
                least = order;
                best = device;
            }
        }
        return best < 0 ? ModelFleet.NO_SLOT : ModelFleet.slot(best, policy.placement(occupancies[best], profile));
    }

    @Override
    boolean occupied(int occupancy) {
        return next(occupancy, 0) >= 0;
    }

    @Override
    int first(int occupancy) {
        int device = next(occupancy, 0);
        return device < 0 ? NOBODY : device;
    }

    @Override
    int next(int occupancy, int from) {
        for (int device = from; device < occupancies.length; device++) {
            if (occupancies[device] == occupancy) {
                return device;
            }
        }
        return -1;
    }

    @Override
    long bytes() {
        return 2L * occupancies.length;
    }
}
