package dev.sro.testkit.sim;

import java.util.BitSet;

/** Pod addresses of 10.244.0.0/16, the lowest free one first. */
final class IpPool {
    private static final int SIZE = 1 << 16;
    private final BitSet used = new BitSet();

    /** The lowest free address. With more pods than addresses, addresses repeat. */
    String take() {
        int free = used.nextClearBit(1);
        used.set(free % SIZE);
        return "10.244." + (free >> 8 & 255) + "." + (free & 255);
    }

    void give(String ip) {
        String[] parts = ip.split("\\.", -1);
        used.clear(Integer.parseInt(parts[2]) << 8 | Integer.parseInt(parts[3]));
    }
}
