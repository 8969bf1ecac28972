package dev.sro.core.slicing.catalogue;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A PCI device id in any of its spellings: {@code 0x20B0}, {@code 20b0}, {@code 10de:20b0}, and NVML's
 * {@code 0x20B010DE} with the vendor behind.
 *
 * @param vendor {@code 0x} and four digits, or empty
 * @param device {@code 0x} and four digits
 */
public record PciId(String vendor, String device) {
    static final Pattern CANONICAL = Pattern.compile("0x[0-9a-f]{4}");

    private static final Pattern PAIR = Pattern.compile("(?:0x)?([0-9a-f]{4}):(?:0x)?([0-9a-f]{4})");
    private static final Pattern NVML = Pattern.compile("(?:0x)?([0-9a-f]{4})([0-9a-f]{4})");
    private static final Pattern DEVICE = Pattern.compile("(?:0x)?([0-9a-f]{4})");

    /** Whether both are the same device; a vendor that is not said agrees with any. */
    public boolean agrees(PciId other) {
        return device.equals(other.device)
                && (vendor.isEmpty() || other.vendor.isEmpty() || vendor.equals(other.vendor));
    }

    /** Reads any of the spellings; empty if the text is none. */
    public static Optional<PciId> parse(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        Matcher pair = PAIR.matcher(lower);
        if (pair.matches()) {
            return Optional.of(new PciId("0x" + pair.group(1), "0x" + pair.group(2)));
        }
        Matcher nvml = NVML.matcher(lower);
        if (nvml.matches()) {
            return Optional.of(new PciId("0x" + nvml.group(2), "0x" + nvml.group(1)));
        }
        Matcher device = DEVICE.matcher(lower);
        return device.matches() ? Optional.of(new PciId("", "0x" + device.group(1))) : Optional.empty();
    }
}
