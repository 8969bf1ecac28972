package dev.sro.core.dra;

import java.util.Map;

/**
 * Something on a GPU that is in the way of claims and belongs to none: a slice that somebody else made, or one that could not be taken
 * away. Immutable.
 *
 * @param profile name of its profile as the model has it; empty if that is not known
 * @param start first memory unit
 * @param size width in memory units; of no account where the profile is known
 * @param engines what it takes of each engine; of no account where the profile is known
 */
public record DraObstacle(String profile, int start, int size, Map<String, Integer> engines) {
    /** Copies the map. */
    public DraObstacle {
        engines = Map.copyOf(engines);
    }

    /** A slice of a known profile. */
    public static DraObstacle slice(String profile, int start) {
        return new DraObstacle(profile, start, 0, Map.of());
    }

    /** Memory units of which nobody knows what they are. */
    public static DraObstacle units(int start, int size) {
        return new DraObstacle("", start, size, Map.of());
    }
}
