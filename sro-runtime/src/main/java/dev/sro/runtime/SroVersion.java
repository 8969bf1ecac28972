package dev.sro.runtime;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine;

/** The version that this program was built as. Stateless. */
public final class SroVersion implements CommandLine.IVersionProvider {

    /** For example {@code 0.1.0}. */
    public static String current() {
        try (InputStream in = SroVersion.class.getResourceAsStream("version.properties")) {
            Properties properties = new Properties();
            if (in != null) {
                properties.load(in);
            }
            return properties.getProperty("version", "0.0.0");
        } catch (IOException e) {
            throw new UncheckedIOException("version.properties cannot be read", e);
        }
    }

    @Override
    public String[] getVersion() {
        return new String[] {"sro " + current()};
    }
}
