package dev.sro.core.slicing;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;

/**
 * A digest of devices and claims that does not depend on the order in which claims came. It is written into files: what goes into
 * it, and how, is part of the file format.
 */
final class StateHash {
    private static final String SEPARATOR = "\n";

    /** Offset basis and prime of FNV-1a with 64 bits, as its authors (Fowler, Noll, Vo) published them. */
    private static final long OFFSET = 0xcbf29ce484222325L;

    private static final long PRIME = 0x100000001b3L;

    private StateHash() {}

    static long compute(List<SliceDevice> devices, Collection<SliceClaim> claims) {
        long hash = 0;
        for (SliceDevice device : devices) {
            // Age decides between equals, so the order of devices is part of the state.
            hash = hash * 31 + spread(text(device));
        }
        for (SliceClaim claim : claims) {
            hash ^= spread(text(claim));
        }
        return hash;
    }

    private static String text(SliceDevice device) {
        return String.join(
                SEPARATOR,
                device.id(),
                device.model().key(),
                device.node(),
                device.topologyGroup(),
                new TreeMap<>(device.labels()).toString(),
                "" + device.cordoned());
    }

    private static String text(SliceClaim claim) {
        return String.join(
                SEPARATOR,
                claim.id(),
                claim.device(),
                claim.profile(),
                "" + claim.start(),
                "" + claim.foreign(),
                "" + claim.pinned(),
                "" + claim.disruptionCost(),
                claim.reservedUntil().map(Instant::toString).orElse(""));
    }

    private static long spread(String text) {
        long value = OFFSET;
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            value = (value ^ (b & 0xff)) * PRIME;
        }
        value = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
        value = (value ^ value >>> 27) * 0x94D049BB133111EBL;
        return value ^ value >>> 31;
    }
}
