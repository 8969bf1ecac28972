package dev.sro.core.recipe.chart;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A file of a chart. Immutable.
 *
 * @see Chart
 */
public final class ChartFile {

    private final String path;
    private final byte[] content;

    /**
     * @param path below the folder of the chart, with slashes, such as {@code templates/0000-build.yaml}
     * @param content what is in it; copied
     */
    public ChartFile(String path, byte[] content) {
        this.path = path;
        this.content = content.clone();
    }

    /** Where it is, below the folder of its chart. */
    public String path() {
        return path;
    }

    /** A copy of what is in it. */
    public byte[] bytes() {
        return content.clone();
    }

    /** What is in it as UTF-8; what is not UTF-8 becomes U+FFFD. */
    public String text() {
        return new String(content, StandardCharsets.UTF_8);
    }

    /** How many bytes it has. */
    public int size() {
        return content.length;
    }

    /** The last part of the path. */
    public String name() {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ChartFile file && file.path.equals(path) && Arrays.equals(file.content, content);
    }

    @Override
    public int hashCode() {
        return path.hashCode() * 31 + Arrays.hashCode(content);
    }

    @Override
    public String toString() {
        return path;
    }
}
