package dev.sro.core.embed;

import dev.sro.core.engine.Engine;
import java.time.Duration;

/**
 * For how long a {@link SpecialResourceOperator} is patient. Immutable.
 *
 * @param pluginDeadline longest call of a plugin
 * @param relistAfter silence of a watch after which its objects are listed anew; zero for never
 * @param labelGrace for how long a label of Node Feature Discovery that vanishes from a node that is served says nothing
 * @param stopTimeout how long a close waits for reconciles that run on threads of the operator's own
 */
public record OperatorTimes(Duration pluginDeadline, Duration relistAfter, Duration labelGrace, Duration stopTimeout) {

    /** 5 seconds, 15 minutes, 5 minutes, 20 seconds. */
    public static final OperatorTimes DEFAULTS = new OperatorTimes(
            Duration.ofSeconds(5), Duration.ofMinutes(15), Engine.DEFAULT_LABEL_GRACE, Duration.ofSeconds(20));

    /**
     * Checks them.
     *
     * @throws IllegalArgumentException if the deadline is not positive, or another one is negative
     */
    public OperatorTimes {
        if (pluginDeadline.isNegative() || pluginDeadline.isZero()) {
            throw new IllegalArgumentException("pluginDeadline " + pluginDeadline + " must be more than zero");
        }
        notNegative("relistAfter", relistAfter);
        notNegative("labelGrace", labelGrace);
        notNegative("stopTimeout", stopTimeout);
    }

    private static void notNegative(String name, Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException(name + " " + time + " is negative");
        }
    }
}
