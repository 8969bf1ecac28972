package dev.sro.testkit.server;

import java.util.SplittableRandom;
import java.util.UUID;

/** Uids, name suffixes and addresses, in a sequence that a seed fixes. Guarded by the store's lock. */
final class Ids {
    private static final String SUFFIX_LETTERS = "bcdfghjklmnpqrstvwxz2456789";
    private static final int SUFFIX_LENGTH = 5;
    private static final int MAX_BASE = 63 - SUFFIX_LENGTH;

    private final SplittableRandom random;
    private int address;
    private int nodePort = 30000;

    Ids(long seed) {
        random = new SplittableRandom(seed);
    }

    String uid() {
        long high = (random.nextLong() & ~0xF000L) | 0x4000L;
        long low = (random.nextLong() & 0x3FFFFFFFFFFFFFFFL) | 0x8000000000000000L;
        return new UUID(high, low).toString();
    }

    String suffix() {
        StringBuilder text = new StringBuilder(SUFFIX_LENGTH);
        for (int i = 0; i < SUFFIX_LENGTH; i++) {
            text.append(SUFFIX_LETTERS.charAt(random.nextInt(SUFFIX_LETTERS.length())));
        }
        return text.toString();
    }

    /** A name for generateName: the base cut so that names fit a label, and five characters. */
    String name(String base) {
        return (base.length() > MAX_BASE ? base.substring(0, MAX_BASE) : base) + suffix();
    }

    /** The next cluster IP of the service network 10.96.0.0/16. */
    String clusterIp() {
        address++;
        return "10.96." + (1 + address / 250) + "." + (1 + address % 250);
    }

    int nodePort() {
        return nodePort++;
    }
}
