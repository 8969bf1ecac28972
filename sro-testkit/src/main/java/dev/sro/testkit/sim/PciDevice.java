package dev.sro.testkit.sim;

import java.util.ArrayList;
import java.util.List;

/**
 * A PCI device in a simulated node, as NFD sees it.
 *
 * @param classId four hexadecimal digits, for instance {@code 0302} (3D controller)
 * @param vendorId four hexadecimal digits, for instance {@code 10de}
 * @param deviceId four hexadecimal digits, for instance {@code 2330}
 * @param sriovCapable whether it can have virtual functions
 */
public record PciDevice(String classId, String vendorId, String deviceId, boolean sriovCapable) {
    /** The name that NFD makes of the configured fields ({@code class}, {@code vendor}, {@code device}): {@code 0302_10de}. */
    String labelName(List<String> fields) {
        List<String> parts = new ArrayList<>();
        for (String field : fields) {
            parts.add(
                    switch (field) {
                        case "class" -> classId;
                        case "vendor" -> vendorId;
                        case "device" -> deviceId;
                        default -> throw new IllegalArgumentException("not a field of a PCI device label: " + field);
                    });
        }
        return String.join("_", parts);
    }
}
