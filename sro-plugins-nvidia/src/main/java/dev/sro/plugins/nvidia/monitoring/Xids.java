package dev.sro.plugins.nvidia.monitoring;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Which XID asks for what, by NVIDIA's <a href="https://docs.nvidia.com/deploy/xid-errors/analyzing-xid-catalog.html">catalogue</a>
 * ("Resolution Bucket (Immediate Action)"). An XID is an error report of the driver; its meaning is the same in all versions.
 * Immutable.
 */
final class Xids {

    private static final int PARTS = 3;

    /** What to do first. */
    enum Kind {
        /** A program did something wrong or lost its work; the GPU goes on. */
        APPLICATION,
        /** The GPU has to be drained and reset. */
        RESET,
        /** The node has to be drained, restarted and, if it comes again, looked at. */
        HARDWARE,
        /** Nothing. */
        NOTE
    }

    private final Map<Integer, Kind> kinds = new TreeMap<>();

    private Xids() {}

    /** Those of the data file beside this class. */
    static Xids load() {
        Xids xids = new Xids();
        for (String line : Resources.text("xids.csv").split("\n")) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            String[] parts = line.split(",", PARTS);
            if (parts.length != PARTS
                    || xids.kinds.put(
                                    Integer.parseInt(parts[0].strip()),
                                    Kind.valueOf(parts[1].strip().toUpperCase(Locale.ROOT)))
                            != null) {
                throw new IllegalStateException("xids.csv: wrong or double line: " + line);
            }
        }
        return xids;
    }

    /** Those of one kind. */
    List<Integer> of(Kind kind) {
        List<Integer> codes = new ArrayList<>();
        kinds.forEach((code, itsKind) -> {
            if (itsKind == kind) {
                codes.add(code);
            }
        });
        return codes;
    }

    /** A regular expression of those of one kind. */
    String pattern(Kind kind) {
        return of(kind).stream().map(String::valueOf).collect(Collectors.joining("|"));
    }

    /** A regular expression of all that are known, and of none, which is 0. */
    String known() {
        return "0|" + kinds.keySet().stream().map(String::valueOf).collect(Collectors.joining("|"));
    }
}
