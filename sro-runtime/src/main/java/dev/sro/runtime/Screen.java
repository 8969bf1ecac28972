package dev.sro.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts messages that would fill more than a screen, and puts all of them into a file, which the cut ones name. Confined to one thread.
 */
public final class Screen {

    /** Of a terminal that nobody made smaller. */
    static final int LINES = 24;

    private static final int COLUMNS = 80;

    private final List<String> whole = new ArrayList<>();
    private Path file = Path.of("");

    /** The message, or its beginning and where the rest is. */
    public String cut(String message) {
        List<String> lines = message.strip().lines().toList();
        List<String> shown = new ArrayList<>();
        int left = LINES * COLUMNS;
        for (String line : lines) {
            if (shown.size() == LINES || left <= 0) {
                break;
            }
            shown.add(line.length() <= left ? line : line.substring(0, left) + "…");
            left -= Math.max(COLUMNS, (line.length() + COLUMNS - 1) / COLUMNS * COLUMNS);
        }
        String text = String.join("\n", shown);
        if (text.equals(String.join("\n", lines))) {
            return text;
        }
        return text + "\n… cut here; all of it is in " + written(message);
    }

    private Path written(String message) {
        try {
            if (whole.isEmpty()) {
                file = Files.createTempFile("sro-", ".txt");
            }
            whole.add(message.strip() + "\n");
            return Files.writeString(file, String.join("\n", whole), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
