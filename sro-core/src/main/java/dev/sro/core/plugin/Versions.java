package dev.sro.core.plugin;

import java.util.regex.Pattern;
import org.pf4j.DefaultVersionManager;
import org.pf4j.VersionManager;

/** Semantic versions and ranges, as PF4J reads them, except that a snapshot counts as the release that it becomes. */
final class Versions {

    private static final Pattern SNAPSHOT = Pattern.compile("-SNAPSHOT(\\+.*)?$");
    private static final Pattern PLAIN = Pattern.compile("\\d+\\.\\d+\\.\\d+");
    private static final VersionManager PF4J = new DefaultVersionManager();

    private Versions() {}

    /** The version without {@code -SNAPSHOT}: 2.0.0-SNAPSHOT is less than 2.0.0 for PF4J, but has its contract. */
    static String release(String version) {
        return SNAPSHOT.matcher(version).replaceFirst("");
    }

    static boolean isValid(String version) {
        try {
            PF4J.compareVersions(version, "0.0.0");
            return true;
        } catch (RuntimeException notAVersion) {
            return false;
        }
    }

    static boolean isValidRange(String range) {
        try {
            satisfies("0.0.0", range);
            return true;
        } catch (RuntimeException notARange) {
            return false;
        }
    }

    /** True if the version is in the range; a plain version is a lower bound, as everywhere in PF4J. */
    static boolean satisfies(String version, String range) {
        String trimmed = range.trim();
        String constraint = PLAIN.matcher(trimmed).matches() ? ">=" + trimmed : trimmed;
        return PF4J.checkVersionConstraint(release(version), constraint);
    }

    static int compare(String a, String b) {
        return PF4J.compareVersions(a, b);
    }
}
