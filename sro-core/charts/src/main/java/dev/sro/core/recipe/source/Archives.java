package dev.sro.core.recipe.source;

import dev.sro.api.Problem;
import dev.sro.api.resource.ChartReference;
import dev.sro.core.model.Code;
import dev.sro.core.model.Digests;
import dev.sro.core.recipe.chart.Chart;
import dev.sro.core.recipe.chart.ChartException;
import dev.sro.core.recipe.chart.ChartLoader;
import java.util.Locale;

/** Checks that what came is what was asked for. Stateless. */
final class Archives {

    private static final String ALGORITHM = "sha256:";

    private Archives() {}

    /**
     * The digest without its algorithm, in small letters.
     *
     * @param digest with or without {@code sha256:}; may be empty
     */
    static String plain(String digest) {
        String small = digest.trim().toLowerCase(Locale.ROOT);
        return small.startsWith(ALGORITHM) ? small.substring(ALGORITHM.length()) : small;
    }

    /**
     * Checks the digest where there is one.
     *
     * @param from where the bytes came from, without credentials
     * @param digest what they should have; empty when not known
     */
    static void checkDigest(String from, byte[] bytes, String digest) {
        String wanted = plain(digest);
        if (!wanted.isEmpty() && !wanted.equals(Digests.sha256(bytes))) {
            throw new ChartException(Problem.platform(
                    "ChartDigestMismatch",
                    from + " has SHA-256 " + Digests.sha256(bytes) + ", but " + wanted
                            + " was announced. Somebody changed it, or"
                            + " the index is out of date: publish the chart under a new version"));
        }
    }

    /** The chart in an archive, with its digest checked. */
    static Chart open(ChartLoader loader, ChartReference reference, String from, byte[] archive, String digest) {
        checkDigest(from, archive, digest);
        return check(reference, from, loader.fromArchive(from, archive));
    }

    /** The chart, if it has the name and a version that were asked for. */
    static Chart check(ChartReference reference, String from, Chart chart) {
        if (!chart.name().equals(reference.getName())) {
            throw new ChartException(Problem.user(
                    Code.CHART_NOT_FOUND.text(),
                    "spec.chart.name: \"" + reference.getName() + "\", but the chart at " + from + " is "
                            + chart.label()));
        }
        String wanted = reference.getVersion();
        String version = chart.metadata().version();
        boolean fits = wanted.isEmpty()
                || wanted.equals(version)
                || ChartVersion.parse(version)
                        .filter(VersionConstraint.of(wanted)::admits)
                        .isPresent();
        if (!fits) {
            throw new ChartException(Problem.user(
                    Code.CHART_NOT_FOUND.text(),
                    "spec.chart.version: \"" + wanted + "\", but the chart at " + from + " is " + chart.label()));
        }
        return chart;
    }
}
