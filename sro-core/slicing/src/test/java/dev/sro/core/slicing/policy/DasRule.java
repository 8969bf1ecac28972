package dev.sro.core.slicing.policy;

import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.catalogue.SliceProfile;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The placement rule of the Dynamic Accelerator Slicer (DAS, openshift/instaslice-operator) on one node, to the letter: slices one after
 * the other, each on the first GPU that has room, at the first start of the table; a GPU on which another pod's slice is being staged is
 * passed over; if one slice finds no place, none is taken. DAS counts eight slots on every GPU, also on those with four, and knows
 * neither engines nor maximum counts. Stateless.
 *
 * <p>What {@link Policies#dasCompatible()} is held to, which is the same preference for an allocator that never places what hardware
 * refuses.
 */
final class DasRule {
    private static final int SLOTS = 8;

    private DasRule() {}

    /**
     * A GPU as DAS sees it.
     *
     * @param occupied taken slots as a bit mask, slices that are staged, created or in use
     * @param stagedByOther whether one of them is only staged, by another pod
     */
    record Gpu(int occupied, boolean stagedByOther) {}

    /** A slice: the place of its GPU in the list, its profile and its first slot. */
    record Slot(int gpu, String profile, int start) {}

    /**
     * What the filter does.
     *
     * @param schedulable whether all slices found a place
     * @param slots the places in the order of the request; empty if not schedulable
     * @param score share of free slots of the node in percent, rounded down, after placement
     */
    record Verdict(boolean schedulable, List<Slot> slots, int score) {}

    /**
     * Filters one node for a pod that asks for {@code profiles}.
     *
     * @throws IllegalArgumentException if the table has no such profile
     */
    static Verdict filter(DeviceModel table, List<Gpu> gpus, List<String> profiles) {
        int[] occupied = gpus.stream().mapToInt(Gpu::occupied).toArray();
        List<Slot> slots = new ArrayList<>();
        for (String name : profiles) {
            SliceProfile profile = table.profile(name)
                    .orElseThrow(() -> new IllegalArgumentException(
                            "profile " + name + ": " + table.key() + " has none of this name"));
            Slot slot = first(gpus, occupied, profile);
            if (slot == null) {
                return new Verdict(
                        false,
                        List.of(),
                        score(gpus.stream().mapToInt(Gpu::occupied).toArray()));
            }
            occupied[slot.gpu] |= window(profile, slot.start);
            slots.add(slot);
        }
        return new Verdict(true, slots, score(occupied));
    }

    private static @Nullable Slot first(List<Gpu> gpus, int[] occupied, SliceProfile profile) {
        for (int gpu = 0; gpu < occupied.length; gpu++) {
            if (gpus.get(gpu).stagedByOther) {
                continue;
            }
            for (int start : profile.starts()) {
                if ((occupied[gpu] & window(profile, start)) == 0) {
                    return new Slot(gpu, profile.name(), start);
                }
            }
        }
        return null;
    }

    private static int window(SliceProfile profile, int start) {
        return ((1 << profile.size()) - 1) << start;
    }

    private static int score(int[] occupied) {
        int free = 0;
        for (int mask : occupied) {
            free += SLOTS - Integer.bitCount(mask);
        }
        return occupied.length == 0 ? 0 : 100 * free / (SLOTS * occupied.length);
    }
}
