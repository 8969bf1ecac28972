package dev.sro.plugins.nvidia.monitoring;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The lines of the exporter's file, read as the exporter does. */
final class Counters {

    private static final int PARTS = 3;

    private Counters() {}

    /** Type by field, labels included. */
    static Map<String, String> types() {
        Map<String, String> types = new TreeMap<>();
        for (String line : NvidiaMonitoring.counters().split("\n")) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            String[] parts = line.split(",");
            if (parts.length != PARTS || types.put(parts[0].strip(), parts[1].strip()) != null) {
                throw new AssertionError("wrong or double line: " + line);
            }
        }
        return types;
    }

    /** Names of the metrics that come out of it. */
    static List<String> metrics() {
        return names(false);
    }

    /** Names of the labels that each of them has from it. */
    static List<String> labels() {
        return names(true);
    }

    private static List<String> names(boolean labels) {
        List<String> names = new ArrayList<>();
        types().forEach((name, type) -> {
            if (type.equals("label") == labels) {
                names.add(name);
            }
        });
        return names;
    }
}
