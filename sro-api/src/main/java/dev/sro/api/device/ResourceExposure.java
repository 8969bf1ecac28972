package dev.sro.api.device;

import dev.sro.api.Experimental;
import dev.sro.api.RecipeContext;

/**
 * Optional for a plugin: says how pods ask for the device. SRO asks where {@code spec.partitioning} asks for it: pods that ask for
 * one of these get tolerations and priority classes. Whatever offers the devices, a device plugin or a DRA driver with its
 * DeviceClasses, is in states of the plugin; SRO brings none of it.
 *
 * @since 0.1.0
 */
@Experimental("slices that are made on demand will be offered by it")
public interface ResourceExposure {

    /** How pods ask for it. */
    Exposure exposure(RecipeContext context);
}
