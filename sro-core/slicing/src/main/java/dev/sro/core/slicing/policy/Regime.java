package dev.sro.core.slicing.policy;

/**
 * The present use of a fleet, coarsely. No single rule places best in all of them, so a policy may differ by regime; the fleet
 * tells regimes apart by counting what it is asked.
 */
public enum Regime {
    /** Slices come and hardly any go. The regime of a new fleet. */
    FILLING,
    /** Slices come and go, and hardly anything is refused. */
    CALM,
    /** Slices come and go, and most requests are granted. */
    STEADY,
    /** Slices come and go, and what is asked for is as much as there is. */
    CROWDED,
    /** Slices come and go, and much more is asked for than there is: much is refused. */
    OVERLOADED,
    /** Slices come and go, and most of them to requests that were refused before: work waits for every slice that is released. */
    SATURATED
}
