package dev.sro.core.model;

import java.nio.charset.StandardCharsets;

/** The FNV-1a hash with 64 bits, as SRO has always used it for names. Stateless. */
public final class Fnv1a64 {

    /** Offset basis and prime of the published algorithm (Fowler, Noll, Vo). */
    private static final long OFFSET = 0xcbf29ce484222325L;

    private static final long PRIME = 0x100000001b3L;

    private Fnv1a64() {}

    /** Hash of the UTF-8 bytes. */
    public static long hash(String text) {
        long hash = OFFSET;
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (b & 0xff)) * PRIME;
        }
        return hash;
    }

    /** Lower-case hexadecimal, without padding: a hash with leading zeros is shorter. */
    public static String hex(String text) {
        return Long.toHexString(hash(text));
    }
}
