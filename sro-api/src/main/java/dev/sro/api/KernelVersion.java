package dev.sro.api;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A kernel release ({@code uname -r}), kept as it is and in the form that fits a label.
 *
 * @param raw the string that the kernel reports, for example {@code 6.1.0+}
 * @since 0.1.0
 */
public record KernelVersion(String raw) implements Comparable<KernelVersion> {

    /** Characters that Node Feature Discovery keeps in a label value; it replaces all others by an underscore. */
    private static final Pattern NOT_LABEL = Pattern.compile("[^-A-Za-z0-9_.]");

    private static final int MAX_LABEL = 63;

    private static final Pattern TRIM = Pattern.compile("^[-_.]+|[-_.]+$");

    /** Three dotted numbers, then optionally a dash and a build number. */
    private static final Pattern PATCH = Pattern.compile("^(\\d+\\.\\d+\\.\\d+)(-\\d+)?.*$");

    /** Checks that there is a version at all. */
    public KernelVersion {
        if (raw.isBlank()) {
            throw new IllegalArgumentException("KernelVersion: the kernel version is empty");
        }
    }

    /**
     * The value of NFD's label {@code feature.node.kubernetes.io/kernel-version.full}: every character outside
     * {@code [-A-Za-z0-9_.]} becomes an underscore, then leading and trailing {@code -_.} go.
     */
    public String normalized() {
        return TRIM.matcher(NOT_LABEL.matcher(raw).replaceAll("_")).replaceAll("");
    }

    /**
     * {@link #normalized()} as a label can hold it. Linux allows 64 characters, Kubernetes 63 (of a label value): a longer
     * one, for which NFD writes no label, is cut and gets a hash of all of it.
     */
    public String labelValue() {
        String whole = normalized();
        if (whole.length() <= MAX_LABEL) {
            return whole;
        }
        // The language specifies this hash, so it is the same in every process.
        String hash = String.format("-%08x", raw.hashCode());
        return whole.substring(0, MAX_LABEL - hash.length()) + hash;
    }

    /**
     * Version, patch level and first build number: {@code 4.18.0-305} of
     * {@code 4.18.0-305.45.1.el8_4.x86_64}.
     *
     * @throws InvalidRecipeException if the string has no three dotted numbers at its start; where a plugin is asked about a pool and lets
     *     it pass, that is a problem of this pool alone
     */
    public String patch() {
        Matcher matcher = PATCH.matcher(raw);
        if (!matcher.matches()) {
            throw new InvalidRecipeException(
                    "kernel \"" + raw + "\" does not begin with three numbers, as 4.18.0-305 does, so"
                            + " there is no patch level to choose by; narrow spec.nodeSelector to nodes with other kernels");
        }
        String build = matcher.group(2);
        return build == null ? matcher.group(1) : matcher.group(1) + build;
    }

    @Override
    public int compareTo(KernelVersion other) {
        return raw.compareTo(other.raw);
    }

    @Override
    public String toString() {
        return raw;
    }
}
