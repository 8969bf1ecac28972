package dev.sro.core.slicing;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Writes a fleet file: JSON, a line for each device and each instance. Values that are the default are left out. */
final class SnapshotWriter {
    private final StringBuilder text = new StringBuilder();

    private SnapshotWriter() {}

    static String write(SliceSnapshot snapshot) {
        Map<String, List<SliceClaim>> claims = new HashMap<>();
        for (SliceClaim claim : snapshot.claims()) {
            claims.computeIfAbsent(claim.device(), device -> new ArrayList<>()).add(claim);
        }
        SnapshotWriter writer = new SnapshotWriter();
        writer.text.append("{\"schema\": ").append(quoted(SliceSnapshot.SCHEMA)).append(",\n");
        writer.text.append(" \"stateHash\": ").append(quoted(hash(snapshot))).append(",\n \"devices\": [");
        String comma = "\n";
        for (SliceDevice device : snapshot.devices()) {
            writer.text.append(comma);
            writer.device(device, claims.getOrDefault(device.id(), List.of()));
            comma = ",\n";
        }
        return writer.text.append("\n]}\n").toString();
    }

    static String hash(SliceSnapshot snapshot) {
        return String.format("%016x", snapshot.stateHash());
    }

    private void device(SliceDevice device, List<SliceClaim> claims) {
        text.append("  {\"name\": ").append(quoted(device.id()));
        field("model", device.model().key());
        field("node", device.node());
        field("topologyGroup", device.topologyGroup());
        if (!device.labels().isEmpty()) {
            String comma = "";
            text.append(", \"labels\": {");
            for (Map.Entry<String, String> label : new TreeMap<>(device.labels()).entrySet()) {
                text.append(comma).append(quoted(label.getKey())).append(": ").append(quoted(label.getValue()));
                comma = ", ";
            }
            text.append('}');
        }
        flag("cordoned", device.cordoned());
        if (!claims.isEmpty()) {
            text.append(", \"instances\": [");
            String comma = "\n";
            for (SliceClaim claim : claims) {
                text.append(comma);
                instance(claim);
                comma = ",\n";
            }
            text.append(']');
        }
        text.append('}');
    }

    private void instance(SliceClaim claim) {
        text.append("    {\"claim\": ").append(quoted(claim.id()));
        field("profile", claim.profile());
        text.append(", \"start\": ").append(claim.start());
        flag("foreign", claim.foreign());
        flag("pinned", claim.pinned());
        if (claim.disruptionCost() != 1) {
            text.append(", \"disruptionCost\": ").append(claim.disruptionCost());
        }
        field("reservedUntil", claim.reservedUntil().map(Instant::toString).orElse(""));
        text.append('}');
    }

    private void field(String name, String value) {
        if (!value.isEmpty()) {
            text.append(", \"").append(name).append("\": ").append(quoted(value));
        }
    }

    private void flag(String name, boolean value) {
        if (value) {
            text.append(", \"").append(name).append("\": true");
        }
    }

    /** A JSON string (RFC 8259). Beyond what that asks for, what YAML counts as a line break or refuses is escaped. */
    private static String quoted(String value) {
        StringBuilder quoted = new StringBuilder(value.length() + 2).append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (!unsafe(c)) {
                quoted.append(c);
            } else {
                quoted.append(String.format("\\u%04x", (int) c));
            }
        }
        return quoted.append('"').toString();
    }

    private static boolean unsafe(char c) {
        boolean control = c < ' ' || (c >= 0x7f && c < 0xa0);
        return control || Character.isSurrogate(c) || c == '\u2028' || c == '\u2029' || c == '\ufeff' || c >= '\ufffe';
    }
}
