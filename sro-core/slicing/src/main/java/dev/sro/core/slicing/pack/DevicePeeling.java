package dev.sro.core.slicing.pack;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Takes whole devices off a multiset, as many equal ones at a time as the inequalities allow for the rest. With the
 * integer decomposition property there is always a next one, and the number of steps depends on the model alone.
 */
final class DevicePeeling {
    /** Steps of the exhaustive search that looks for a packing where the inequalities do not suffice. */
    private static final int BUDGET = 200_000;

    /** Devices up to which that search is tried: its depth. */
    private static final int SEARCHABLE = 200;

    private final Multisets sets;
    private final ProfileBlock block;
    private final long[] rest;
    private final List<Packing.Group> groups = new ArrayList<>();
    private final List<int[]> candidates = new ArrayList<>();
    private final List<Integer> layouts = new ArrayList<>();
    private long lowerBound;
    private int budget = BUDGET;

    DevicePeeling(Multisets sets, ProfileBlock block, long[] counts) {
        this.sets = sets;
        this.block = block;
        this.rest = counts.clone();
        for (int p = 0; p < rest.length; p++) {
            rest[p] = block.columnOf[p] == ProfileBlock.ABSENT ? 0 : rest[p];
        }
        for (int i = sets.counts.length - 1; i > 0; i--) {
            if (belongs(sets.counts[i])) {
                candidates.add(sets.counts[i]);
                layouts.add(sets.layouts[i]);
            }
        }
    }

    List<Packing.Group> groups() {
        return groups;
    }

    long lowerBound() {
        return lowerBound;
    }

    void run() {
        lowerBound = devices();
        long left = lowerBound;
        while (left > 0 || !empty()) {
            long taken = step(left);
            if (taken == 0) {
                boolean searched = left <= SEARCHABLE;
                budget = BUDGET;
                if (searched && search(left, new HashSet<>())) {
                    return;
                }
                // A search that ended, and before which nothing was taken off, is a proof.
                lowerBound += searched && budget >= 0 && groups.isEmpty() && left == lowerBound ? 1 : 0;
                left++;
            }
            left -= taken;
        }
    }

    private boolean belongs(int[] set) {
        for (int p = 0; p < set.length; p++) {
            if (set[p] > 0 && block.columnOf[p] == ProfileBlock.ABSENT) {
                return false;
            }
        }
        return true;
    }

    private boolean empty() {
        for (long count : rest) {
            if (count > 0) {
                return false;
            }
        }
        return true;
    }

    private long load(int row) {
        long sum = 0;
        for (int p = 0; p < rest.length; p++) {
            sum += block.rows[row][p] * rest[p];
        }
        return sum;
    }

    private long devices() {
        long most = 0;
        for (int f = 0; f < block.bounds.length; f++) {
            most = Math.max(most, (load(f) + block.bounds[f] - 1) / block.bounds[f]);
        }
        return most;
    }

    private long[] slack(long devices) {
        long[] slack = new long[block.bounds.length];
        for (int f = 0; f < slack.length; f++) {
            slack[f] = block.bounds[f] * devices - load(f);
        }
        return slack;
    }

    /** Takes the multiset that can be taken most often; returns how many devices it filled, 0 if none can be filled. */
    private long step(long devices) {
        if (empty()) {
            return devices;
        }
        long[] slack = slack(devices);
        long most = 0;
        int best = -1;
        for (int i = 0; i < candidates.size(); i++) {
            long times = times(candidates.get(i), slack, devices);
            if (times > most) {
                most = times;
                best = i;
            }
        }
        if (best >= 0) {
            take(best, most);
        }
        return most;
    }

    private long times(int[] set, long[] slack, long devices) {
        long times = devices;
        for (int p = 0; p < set.length && times > 0; p++) {
            times = set[p] == 0 ? times : Math.min(times, rest[p] / set[p]);
        }
        for (int f = 0; f < slack.length && times > 0; f++) {
            long lost = block.bounds[f];
            for (int p = 0; p < set.length; p++) {
                lost -= block.rows[f][p] * set[p];
            }
            times = lost == 0 ? times : Math.min(times, slack[f] / lost);
        }
        return times;
    }

    private void take(int candidate, long devices) {
        int[] set = candidates.get(candidate);
        for (int p = 0; p < set.length; p++) {
            rest[p] -= set[p] * devices;
        }
        if (devices > 0) {
            groups.add(new Packing.Group(layouts.get(candidate), devices));
        }
    }

    // Device by device: each takes a multiset with the first profile that is left, of which nothing more can be added.
    private boolean search(long devices, Set<List<Long>> failed) {
        if (empty()) {
            return true;
        }
        List<Long> key = new ArrayList<>(rest.length + 1);
        for (long count : rest) {
            key.add(count);
        }
        key.add(devices);
        if (devices < devices() || --budget < 0 || failed.contains(key)) {
            return false;
        }
        int first = 0;
        while (rest[first] == 0) {
            first++;
        }
        for (int i = 0; i < candidates.size(); i++) {
            int[] set = candidates.get(i);
            if (set[first] > 0 && filling(set)) {
                take(i, 1);
                if (search(devices - 1, failed)) {
                    return true;
                }
                take(i, -1);
                groups.remove(groups.size() - 1);
            }
        }
        failed.add(key);
        return false;
    }

    private boolean filling(int[] set) {
        for (int p = 0; p < set.length; p++) {
            if (set[p] > rest[p]) {
                return false;
            }
        }
        for (int p = 0; p < set.length; p++) {
            int[] more = set.clone();
            more[p]++;
            if (set[p] < rest[p] && sets.contains(more)) {
                return false;
            }
        }
        return true;
    }
}
