package dev.sro.core.plugin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The digests that files of a plugin directory must have, from the file {@link #NAME} in it, as {@code sha256sum} writes them. A
 * directory need not have one, and not all files need be in it. Immutable.
 */
final class DigestList {

    /** The file in the plugin directory. */
    static final String NAME = "PLUGINS.sha256";

    /** Two spaces, or a space and the asterisk of {@code sha256sum --binary}. */
    private static final Pattern LINE = Pattern.compile("([0-9A-Fa-f]{64}) [ *](?:\\./)?(\\S.*)");

    private final Map<String, String> digests;

    private DigestList(Map<String, String> digests) {
        this.digests = digests;
    }

    /**
     * Reads the list of a directory; an empty one if there is none.
     *
     * @throws IOException if there is one and it cannot be read: nobody knows then which files may be loaded
     */
    static DigestList of(Path directory) throws IOException {
        try {
            return read(directory.resolve(NAME));
        } catch (NoSuchFileException none) {
            return new DigestList(Map.of());
        }
    }

    /** A list that is there. */
    static DigestList read(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        Map<String, String> digests = new HashMap<>();
        for (int i = 0; i < lines.size(); i++) {
            Matcher line = LINE.matcher(lines.get(i));
            if (line.matches()) {
                digests.put(line.group(2), line.group(1).toLowerCase(Locale.ROOT));
            } else if (!lines.get(i).isBlank()) {
                throw new IOException(file.getFileName() + " line " + (i + 1)
                        + " is not a digest and a file name, as sha256sum writes them");
            }
        }
        return new DigestList(digests);
    }

    /** All digests, in small letters. */
    Set<String> digests() {
        return Set.copyOf(digests.values());
    }

    /** Whether there is a list, and this file is not in it. */
    boolean isMissing(String file) {
        return !digests.isEmpty() && !digests.containsKey(file);
    }

    /**
     * Checks one file.
     *
     * @throws PluginRejectedException if the list has another digest for it
     */
    void require(String file, String sha256) throws PluginRejectedException {
        String listed = digests.get(file);
        if (listed != null && !listed.equals(sha256)) {
            throw new PluginRejectedException(PluginRejection.of(
                    file,
                    PluginRejectionCodes.DIGEST_MISMATCH,
                    "its SHA-256 digest is " + sha256 + ", and " + NAME + " says " + listed,
                    "put back the file that belongs there; if you replaced it on purpose, correct its line in "
                            + NAME));
        }
    }
}
