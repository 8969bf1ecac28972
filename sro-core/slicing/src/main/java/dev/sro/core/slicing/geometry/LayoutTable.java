package dev.sro.core.slicing.geometry;

import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.catalogue.SliceProfile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Enumerates the legal sets of placements of one device and the steps between them. */
final class LayoutTable {
    final int placements;
    final byte[] profileOf;
    final byte[] startOf;
    final int[] windowOf;
    final int[] firstOf;
    /** Ascending as unsigned numbers, so the empty set comes first. */
    long[] bits = {};

    char[] step = {};

    private final DeviceModel model;
    private final List<String> engines;
    private final int[] rest;
    private long[] found = new long[1024];
    private int count;

    private LayoutTable(DeviceModel model) {
        this.model = model;
        List<SliceProfile> profiles = model.profiles();
        firstOf = new int[profiles.size() + 1];
        for (int i = 0; i < profiles.size(); i++) {
            firstOf[i + 1] = firstOf[i] + profiles.get(i).starts().size();
        }
        placements = firstOf[profiles.size()];
        profileOf = new byte[placements];
        startOf = new byte[placements];
        windowOf = new int[placements];
        for (int i = 0; i < profiles.size(); i++) {
            for (int k = firstOf[i]; k < firstOf[i + 1]; k++) {
                profileOf[k] = (byte) i;
                startOf[k] = profiles.get(i).starts().get(k - firstOf[i]).byteValue();
                windowOf[k] = ((1 << profiles.get(i).size()) - 1) << startOf[k];
            }
        }
        engines = new ArrayList<>(model.engineCapacity().keySet());
        rest = new int[engines.size()];
        for (int i = 0; i < rest.length; i++) {
            rest[i] = model.engineCapacity().getOrDefault(engines.get(i), 0);
        }
    }

    static LayoutTable of(DeviceModel model) {
        LayoutTable table = new LayoutTable(model);
        Map<String, Integer> classes = new HashMap<>(model.classLimits());
        table.enumerate(0, 0L, 0, new int[model.profiles().size()], classes, "");
        table.bits = Arrays.copyOf(table.found, table.count);
        Arrays.sort(table.bits);
        if (table.bits.length <= Geometry.MAX_LAYOUTS) {
            table.connect();
        }
        return table;
    }

    static int find(long[] bits, long set) {
        int at = Arrays.binarySearch(bits, set);
        return at < 0 ? -1 : at;
    }

    // Depth first over placements in ascending order: each set is met exactly once.
    private void enumerate(int from, long set, int mask, int[] counts, Map<String, Integer> classes, String mode) {
        if (count > Geometry.MAX_LAYOUTS) {
            return;
        }
        if (count == found.length) {
            found = Arrays.copyOf(found, 2 * count);
        }
        found[count++] = set;
        for (int k = from; k < placements; k++) {
            SliceProfile profile = model.profiles().get(profileOf[k]);
            if (!fits(k, profile, mask, counts, classes, set == 0 ? profile.mode() : mode)) {
                continue;
            }
            take(profile, counts, classes, profileOf[k], 1);
            enumerate(k + 1, set | 1L << k, mask | windowOf[k], counts, classes, profile.mode());
            take(profile, counts, classes, profileOf[k], -1);
        }
    }

    private boolean fits(
            int placement, SliceProfile profile, int mask, int[] counts, Map<String, Integer> classes, String mode) {
        if ((mask & windowOf[placement]) != 0
                || counts[profileOf[placement]] >= profile.maxInstances()
                || !mode.equals(profile.mode())
                || classes.getOrDefault(profile.limitClass(), 1) <= 0) {
            return false;
        }
        for (int i = 0; i < rest.length; i++) {
            if (profile.engines().getOrDefault(engines.get(i), 0) > rest[i]) {
                return false;
            }
        }
        return true;
    }

    private void take(SliceProfile profile, int[] counts, Map<String, Integer> classes, int index, int sign) {
        counts[index] += sign;
        classes.computeIfPresent(profile.limitClass(), (name, left) -> left - sign);
        for (int i = 0; i < rest.length; i++) {
            rest[i] -= sign * profile.engines().getOrDefault(engines.get(i), 0);
        }
    }

    private void connect() {
        step = new char[bits.length * placements];
        for (int layout = 0; layout < bits.length; layout++) {
            for (int k = 0; k < placements; k++) {
                int after = find(bits, bits[layout] ^ 1L << k);
                step[layout * placements + k] = (char) (after < 0 ? Geometry.ILLEGAL : after);
            }
        }
    }
}
