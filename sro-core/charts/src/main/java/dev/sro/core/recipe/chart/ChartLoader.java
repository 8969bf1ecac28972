package dev.sro.core.recipe.chart;

import java.nio.file.Path;

/** Makes charts of archives and directories, by the rules of Helm 3. Keeps no state; thread-safe. */
public final class ChartLoader {

    private final ChartLimits limits;

    /** With Helm's limits. */
    public ChartLoader() {
        this(ChartLimits.DEFAULT);
    }

    /**
     * @param limits how large a chart may be
     */
    public ChartLoader(ChartLimits limits) {
        this.limits = limits;
    }

    /** How large a chart may be. */
    public ChartLimits limits() {
        return limits;
    }

    /**
     * The chart in a packaged archive.
     *
     * @param source what messages call it, such as a URL without credentials
     * @param archive a gzipped tar archive with one folder
     * @throws ChartException {@code UnsafeChart} if it is too large, has links or paths that lead out; {@code InvalidChart} if
     *     it is no archive or breaks a rule for charts; {@code ChartDependencyMissing}
     */
    public Chart fromArchive(String source, byte[] archive) {
        return new ChartAssembler(limits).assemble(source, FileCollector.ofArchive(source, archive, limits));
    }

    /**
     * The chart in a directory, without what its .helmignore leaves out.
     *
     * @param source what messages call it
     * @param directory the one with Chart.yaml
     * @throws ChartException as {@link #fromArchive}, and {@code ChartNotReadable} if it cannot be read
     */
    public Chart fromDirectory(String source, Path directory) {
        return new ChartAssembler(limits).assemble(source, FileCollector.ofDirectory(source, directory, limits));
    }
}
