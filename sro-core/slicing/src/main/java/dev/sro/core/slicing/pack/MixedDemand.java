package dev.sro.core.slicing.pack;

import java.util.Map;

/**
 * Instances that any of several models may carry, each under its own profile. Immutable.
 *
 * @param count how many; not negative
 * @param profiles name or alias of the profile by key of the model; models that are not in it can not carry these instances
 */
public record MixedDemand(long count, Map<String, String> profiles) {
    /** Copies the map. */
    public MixedDemand {
        profiles = Map.copyOf(profiles);
    }
}
