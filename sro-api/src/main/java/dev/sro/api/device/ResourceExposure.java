package dev.sro.api.device;

import dev.sro.api.NotActedOnYet;
import dev.sro.api.RecipeContext;

/** Optional for a plugin: says how pods ask for the device. */
@NotActedOnYet(until = "put the device plugin or the DRA driver with its DeviceClasses into a state")
public interface ResourceExposure {

    /** How pods ask for it. */
    Exposure exposure(RecipeContext context);
}
