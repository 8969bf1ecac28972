package dev.sro.plugins.nvidia;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Text files of the plugin's jar. Stateless. */
final class Resources {

    private Resources() {}

    /** The text of a file beside this class. */
    static String text(String path) {
        try (InputStream in = Resources.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException("the jar of the plugin has no file " + path);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + path + " of the plugin's jar", e);
        }
    }
}
