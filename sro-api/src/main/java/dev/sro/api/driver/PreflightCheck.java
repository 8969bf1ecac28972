package dev.sro.api.driver;

import dev.sro.api.RecipeContext;
import java.util.List;

/**
 * Optional for a plugin: says before an upgrade of the nodes whether there is a driver for the kernel to come. What it says counts
 * instead of what SRO finds in the images, unless it says {@link PreflightVerdict.Result#UNKNOWN} of one, or nothing.
 *
 * @since 0.1.0
 */
public interface PreflightCheck {

    /**
     * A verdict per image; asked when a preflight is checked, once for each kernel to come. May block within the deadline of calls.
     *
     * @param context the special resource and the cluster
     * @param target the kernel to come
     */
    List<PreflightVerdict> preflight(RecipeContext context, PreflightTarget target);
}
