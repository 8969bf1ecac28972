package dev.sro.core.slicing;

import dev.sro.core.model.Fnv1a64;
import java.util.Collection;
import java.util.List;

/** A digest of devices and claims that does not depend on the order in which claims came. */
final class StateHash {
    private StateHash() {}

    static long of(List<SliceDevice> devices, Collection<SliceClaim> claims) {
        long hash = 0;
        for (SliceDevice device : devices) {
            // Age decides between equals, so the order of devices is part of the state.
            hash = hash * 31 + spread(device.id() + '\n' + device.model().key() + '\n' + device.cordoned());
        }
        for (SliceClaim claim : claims) {
            hash ^= spread(claim.toString());
        }
        return hash;
    }

    private static long spread(String text) {
        long value = Fnv1a64.hash(text);
        value = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
        value = (value ^ value >>> 27) * 0x94D049BB133111EBL;
        return value ^ value >>> 31;
    }
}
