package dev.sro.core.recipe.chart;

/**
 * How large a chart may be: what is beyond is refused before it is in memory. Immutable.
 *
 * @param compressedBytes of the archive
 * @param totalBytes of all files together, charts inside of it included
 * @param fileBytes of one file
 * @param files how many there may be, charts inside of it included
 * @param depth how deep charts may lie in charts
 */
public record ChartLimits(int compressedBytes, long totalBytes, int fileBytes, int files, int depth) {

    /**
     * Helm's own limits for the sizes (100 MiB for a chart, 5 MiB for a file, in its {@code pkg/chart/loader}); far
     * above any known chart for the others.
     */
    public static final ChartLimits DEFAULT = new ChartLimits(32 << 20, 100L << 20, 5 << 20, 10_000, 16);
}
