package dev.sro.api.operation;

import dev.sro.api.Checks;

/**
 * How well a node's devices are. Immutable.
 *
 * @param level how well
 * @param reason for a person; may be empty only when healthy
 */
public record HealthVerdict(Level level, String reason) {

    /** How well. */
    public enum Level {
        /** Nothing is wrong. */
        HEALTHY,
        /** It works, not as it should. */
        DEGRADED,
        /** No new pod may get it. */
        OUT_OF_SERVICE
    }

    /** Checks that there is a reason. */
    public HealthVerdict {
        if (level != Level.HEALTHY) {
            Checks.notBlank("HealthVerdict.reason", reason);
        }
    }

    /** Nothing is wrong. */
    public static HealthVerdict healthy() {
        return new HealthVerdict(Level.HEALTHY, "");
    }
}
