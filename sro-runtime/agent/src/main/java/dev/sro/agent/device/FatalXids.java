package dev.sro.agent.device;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The error reports after which a GPU takes nothing new; the data file beside this class has the source. Immutable. */
public final class FatalXids {
    /** How the meaning of those ends that a reset helps. */
    public static final String RESET = "needs a reset";

    private static final int PARTS = 3;

    private final Map<Integer, String> meanings = new TreeMap<>();

    private FatalXids() {}

    /** Those of the data file. */
    public static FatalXids load() {
        FatalXids xids = new FatalXids();
        for (String line : text().split("\n")) {
            String[] parts = line.split(",", PARTS);
            if (!line.startsWith("#") && parts.length == PARTS) {
                String todo = parts[1].strip().equals("reset") ? RESET : "needs a restart of the node";
                xids.meanings.put(Integer.parseInt(parts[0].strip()), parts[2].strip() + "; " + todo);
            }
        }
        return xids;
    }

    private static String text() {
        try (InputStream in = FatalXids.class.getResourceAsStream("fatal-xids.csv")) {
            if (in == null) {
                throw new IllegalStateException("fatal-xids.csv is not in the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What it means, and what to do first; empty if the GPU goes on. */
    public Optional<String> meaning(int xid) {
        return Optional.ofNullable(meanings.get(xid));
    }
}
