package dev.sro.agent.device;

import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a device sits on the PCI bus: the one name of a GPU that neither a reboot nor a change of another GPU alters. Immutable.
 *
 * @param domain 0 to 0xffffffff: NVML has eight digits, virtual machines use them
 * @param bus 0 to 0xff
 * @param device 0 to 0x1f
 * @param function 0 to 7
 */
public record PciAddress(long domain, int bus, int device, int function) implements Comparable<PciAddress> {
    private static final Pattern TEXT =
            Pattern.compile("(?:([0-9a-f]{4,8}):)?([0-9a-f]{2}):([0-9a-f]{2})(?:\\.([0-7]))?");

    private static final Comparator<PciAddress> ORDER = Comparator.comparingLong(PciAddress::domain)
            .thenComparingInt(PciAddress::bus)
            .thenComparingInt(PciAddress::device)
            .thenComparingInt(PciAddress::function);

    private static final int LARGEST_DEVICE = 0x1f;

    /** Refuses what no device can have. */
    public PciAddress {
        if (domain < 0 || bus < 0 || bus > 0xff || device < 0 || device > LARGEST_DEVICE || function < 0) {
            throw new IllegalArgumentException("no PCI address: " + domain + ":" + bus + ":" + device + "." + function);
        }
    }

    /** Reads {@code 0000:3b:00.0}, and NVML's {@code 00000000:3B:00.0}; domain and function may be left out. */
    public static Optional<PciAddress> read(String text) {
        Matcher matcher = TEXT.matcher(text.toLowerCase(Locale.ROOT));
        if (!matcher.matches() || Integer.parseInt(matcher.group(3), 16) > LARGEST_DEVICE) {
            return Optional.empty();
        }
        return Optional.of(new PciAddress(
                matcher.group(1) == null ? 0 : Long.parseLong(matcher.group(1), 16),
                Integer.parseInt(matcher.group(2), 16),
                Integer.parseInt(matcher.group(3), 16),
                matcher.group(4) == null ? 0 : Integer.parseInt(matcher.group(4))));
    }

    /**
     * As {@link #read}.
     *
     * @throws IllegalArgumentException if the text is no PCI address
     */
    public static PciAddress of(String text) {
        return read(text)
                .orElseThrow(() -> new IllegalArgumentException(
                        "\"" + text + "\" is no PCI address; write it as sysfs does, such as 0000:3b:00.0"));
    }

    /** The address in letters, digits and dashes, for names of devices: {@code 0000-3b-00-0}. */
    public String label() {
        return toString().replace(':', '-').replace('.', '-');
    }

    @Override
    public int compareTo(PciAddress other) {
        return ORDER.compare(this, other);
    }

    /** As sysfs writes it: {@code 0000:3b:00.0}. */
    @Override
    public String toString() {
        return hex(domain, 4) + ":" + hex(bus, 2) + ":" + hex(device, 2) + "." + function;
    }

    private static String hex(long value, int digits) {
        String text = Long.toHexString(value);
        return "0".repeat(Math.max(0, digits - text.length())) + text;
    }
}
