package dev.sro.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A kind of PCI device on a node, as the labels of Node Feature Discovery tell it. Which of the numbers a label has is a
 * setting of NFD ({@code deviceLabelFields}), so those that it has not are empty: match what is there. Immutable.
 *
 * @param deviceClass four hexadecimal digits, lower case, for example {@code 0302}; empty when the label has none
 * @param vendor four hexadecimal digits, lower case, for example {@code 10de}; empty when the label has none
 * @param device four hexadecimal digits, lower case; empty when the label has none
 * @since 0.1.0
 */
public record PciDevice(String deviceClass, String vendor, String device) {

    /** {@code pci-<fields>.present}; fields that follow the third are subsystem numbers. */
    private static final Pattern LABEL =
            Pattern.compile("feature\\.node\\.kubernetes\\.io/pci-([0-9a-f]{4}(?:_[0-9a-f]{4})*)\\.present");

    /** Checks the form of the numbers. */
    public PciDevice {
        number("deviceClass", deviceClass);
        number("vendor", vendor);
        number("device", device);
    }

    private static void number(String field, String value) {
        Checks.require(
                value.matches("([0-9a-f]{4})?"),
                "PciDevice." + field,
                "\"" + value + "\" must be four hexadecimal digits in lower case, or empty");
    }

    /**
     * The devices that the labels of a node tell of, sorted by label: the forms {@code pci-<vendor>.present},
     * {@code pci-<class>_<vendor>.present} and {@code pci-<class>_<vendor>_<device>[_…].present}, where the value is
     * {@code "true"}.
     *
     * @param labels of the node
     */
    public static List<PciDevice> of(Map<String, String> labels) {
        List<PciDevice> devices = new ArrayList<>();
        labels.entrySet().stream()
                .filter(label -> "true".equals(label.getValue()))
                .map(Map.Entry::getKey)
                .sorted()
                .forEach(key -> {
                    Matcher matcher = LABEL.matcher(key);
                    if (matcher.matches()) {
                        devices.add(ofFields(matcher.group(1).split("_", -1)));
                    }
                });
        return List.copyOf(devices);
    }

    private static PciDevice ofFields(String[] fields) {
        return fields.length == 1
                ? new PciDevice("", fields[0], "")
                : new PciDevice(fields[0], fields[1], fields.length > 2 ? fields[2] : "");
    }

    /** Whether the vendor is this one. */
    public boolean isOf(String wantedVendor) {
        return vendor.equals(wantedVendor);
    }
}
