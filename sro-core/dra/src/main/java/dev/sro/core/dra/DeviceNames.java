package dev.sro.core.dra;

import dev.sro.core.slicing.geometry.Geometry;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/** Names of devices, counter sets, pools and slices: functions of their arguments alone, within the API's limits. Stateless. */
final class DeviceNames {
    /** Longest DNS label, RFC 1123: names of devices, counters and counter sets. */
    private static final int LABEL = 63;

    /** Longest DNS subdomain: names of objects and pools. */
    private static final int SUBDOMAIN = 253;

    private static final int HASH = 10;

    private DeviceNames() {}

    /** The whole GPU, and its counter set. */
    static String gpu(String pciAddress) {
        return "gpu-" + pciAddress.replace(':', '-').replace('.', '-');
    }

    static String placement(String pciAddress, Geometry geometry, int placement) {
        String profile = geometry.profile(geometry.profileOf(placement)).name();
        return label(gpu(pciAddress) + "-" + slug(profile) + "-" + geometry.startOf(placement));
    }

    /** {@code 1g.5gb+me} is {@code 1g-5gb-plus-me}, {@code 1g.24gb-me} is {@code 1g-24gb-no-me}. */
    static String slug(String profile) {
        return profile.toLowerCase(Locale.ROOT)
                .replace("-", "-no-")
                .replace("+", "-plus-")
                .replaceAll("[^a-z0-9-]", "-")
                .replaceAll("^-+|-+$", "");
    }

    /** Unique to the driver, too: schedulers up to 1.36.2 tell pools apart by name alone. */
    static String pool(String node, String driver) {
        return shorten(node + "-" + driver, SUBDOMAIN);
    }

    static String slice(String pool, String part) {
        return shorten(pool, SUBDOMAIN - part.length() - 1) + "-" + part;
    }

    static String label(String text) {
        return shorten(text, LABEL);
    }

    private static String shorten(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        String head = text.substring(0, most - HASH - 1).replaceAll("[.-]+$", "");
        return head + "-" + hash(text);
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, HASH);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
