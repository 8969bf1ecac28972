package dev.sro.core.slicing.mig;

import java.util.List;
import java.util.Map;

/** Writes a mig-parted configuration file: block style, names in quotes where YAML needs them. */
final class MigConfigWriter {
    private final StringBuilder text = new StringBuilder();

    private MigConfigWriter() {}

    static String write(MigConfig config) {
        MigConfigWriter writer = new MigConfigWriter();
        writer.text.append("version: ").append(MigConfig.VERSION).append('\n');
        writer.text.append(config.configs().isEmpty() ? "mig-configs: {}\n" : "mig-configs:\n");
        config.configs().forEach(writer::config);
        return writer.text.toString();
    }

    private void config(String name, List<MigEntry> entries) {
        text.append("  ").append(scalar(name)).append(entries.isEmpty() ? ": []\n" : ":\n");
        for (MigEntry entry : entries) {
            text.append("    - ");
            if (!entry.deviceFilter().isEmpty()) {
                text.append("device-filter: ")
                        .append(filter(entry.deviceFilter()))
                        .append("\n      ");
            }
            text.append("devices: ")
                    .append(entry.devices().map(List::toString).orElse("all"))
                    .append("\n      mig-enabled: ")
                    .append(entry.migEnabled())
                    .append('\n');
            if (entry.migEnabled() || !entry.migDevices().isEmpty()) {
                devices(entry.migDevices());
            }
        }
    }

    private void devices(Map<String, Integer> counts) {
        text.append(counts.isEmpty() ? "      mig-devices: {}\n" : "      mig-devices:\n");
        counts.forEach((profile, count) -> text.append("        ")
                .append(quoted(profile))
                .append(": ")
                .append(count)
                .append('\n'));
    }

    private static String filter(List<String> ids) {
        if (ids.size() == 1) {
            return quoted(ids.get(0));
        }
        return "[" + String.join(", ", ids.stream().map(MigConfigWriter::quoted).toList()) + "]";
    }

    private static String scalar(String name) {
        return name.matches("[A-Za-z][A-Za-z0-9._-]*") && !name.matches("(?i)y|n|yes|no|on|off|true|false|null")
                ? name
                : quoted(name);
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
