package dev.sro.testkit.node;

import java.util.Map;
import java.util.TreeMap;

/** What Node Feature Discovery says of a machine's system and kernel, read in the machine: NFD itself does not run there. Stateless. */
final class NodeFeatures {
    private static final String PREFIX = "feature.node.kubernetes.io/";

    private NodeFeatures() {}

    static Map<String, String> of(Machine machine) {
        return of(machine.kernel(), machine.read("/etc/os-release"));
    }

    /**
     * Labels.
     *
     * @param kernel as {@code uname -r} prints it
     * @param osRelease the text of os-release
     */
    static Map<String, String> of(String kernel, String osRelease) {
        Map<String, String> labels = new TreeMap<>();
        // NFD replaces what a label cannot hold.
        labels.put(PREFIX + "kernel-version.full", kernel.replaceAll("[^-A-Za-z0-9_.]", "_"));
        String[] numbers = kernel.split("[^0-9]+", 4);
        labels.put(PREFIX + "kernel-version.major", numbers[0]);
        labels.put(PREFIX + "kernel-version.minor", numbers[1]);
        labels.put(PREFIX + "kernel-version.revision", numbers.length > 2 ? numbers[2] : "0");
        osRelease.lines().forEach(line -> {
            String[] field = line.split("=", 2);
            if (field.length == 2 && (field[0].equals("ID") || field[0].equals("VERSION_ID"))) {
                String value = field[1].replace("\"", "");
                labels.put(PREFIX + "system-os_release." + field[0], value);
                if (field[0].equals("VERSION_ID")) {
                    String[] version = value.split("\\.");
                    labels.put(PREFIX + "system-os_release.VERSION_ID.major", version[0]);
                    if (version.length > 1) {
                        labels.put(PREFIX + "system-os_release.VERSION_ID.minor", version[1]);
                    }
                }
            }
        });
        return labels;
    }
}
