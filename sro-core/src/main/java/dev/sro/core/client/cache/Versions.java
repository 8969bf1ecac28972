package dev.sro.core.client.cache;

import org.jspecify.annotations.Nullable;

/**
 * Compares resourceVersions. They are numbers on every API server in use, and comparable by contract since Kubernetes
 * 1.35. Stateless.
 */
final class Versions {

    private Versions() {}

    /** Whether {@code a} is older than {@code b}; false when that cannot be told. */
    static boolean isOlder(@Nullable String a, @Nullable String b) {
        long left = number(a);
        long right = number(b);
        return left >= 0 && right >= 0 && left < right;
    }

    private static long number(@Nullable String version) {
        if (version == null || version.isEmpty()) {
            return -1;
        }
        try {
            return Long.parseLong(version);
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
