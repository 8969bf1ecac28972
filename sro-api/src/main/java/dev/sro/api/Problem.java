package dev.sro.api;

import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Why something failed. Immutable.
 *
 * @param code stable CamelCase word, documented in docs/reference/problems.md; used as condition and event reason
 * @param message names the object, the field and the fix
 * @param owner who can mend it
 * @param retryable whether trying again without any change may help
 * @since 0.1.0
 */
public record Problem(String code, String message, Owner owner, boolean retryable) {

    /** Kubernetes' pattern for a condition reason, without the separators that we do not use. */
    private static final Pattern CODE = Pattern.compile("[A-Z][A-Za-z0-9]{0,62}");

    /** The party whose turn it is. */
    public enum Owner {
        /** The vendor of the plugin, chart or driver. */
        VENDOR,
        /** The cluster, its registry, its nodes. */
        PLATFORM,
        /** Whoever wrote the special resource. */
        USER
    }

    /** Checks the code. */
    public Problem {
        Objects.requireNonNull(owner, "owner");
        Objects.requireNonNull(message, "message");
        if (!CODE.matcher(code).matches()) {
            throw new IllegalArgumentException("Problem.code: \"" + code + "\" must be one CamelCase word");
        }
    }

    /** A problem in what the user wrote: no retry helps until it is changed. */
    public static Problem user(String code, String message) {
        return new Problem(code, message, Owner.USER, false);
    }

    /** A problem of the plugin, chart or driver. */
    public static Problem vendor(String code, String message) {
        return new Problem(code, message, Owner.VENDOR, true);
    }

    /** A problem of the cluster, for which trying again helps. */
    public static Problem platform(String code, String message) {
        return new Problem(code, message, Owner.PLATFORM, true);
    }
}
