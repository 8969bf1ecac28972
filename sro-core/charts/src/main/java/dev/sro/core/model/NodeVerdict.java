package dev.sro.core.model;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A condition in the status of a node that says whether a device was validated there. Immutable.
 *
 * @param status {@code True}, {@code False} or {@code Unknown}
 * @param reason CamelCase word
 * @param message for a person
 * @param since when the status last changed, as an RFC 3339 time
 */
public record NodeVerdict(String status, String reason, String message, String since) {

    /** As it stands in the status of a node, with this type. */
    public Map<String, String> condition(String type) {
        return Map.of(
                "type", type, "status", status, "reason", reason, "message", message, "lastTransitionTime", since);
    }

    /** Whether the two say the same to a machine. */
    public boolean isLike(@Nullable NodeVerdict other) {
        return other != null && status.equals(other.status) && reason.equals(other.reason);
    }
}
