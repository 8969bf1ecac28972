package dev.sro.api.driver;

import dev.sro.api.NotActedOnYet;
import dev.sro.api.RecipeContext;
import java.util.List;

/** Optional for a plugin: says before an upgrade of the nodes whether there is a driver for the kernel to come. */
@NotActedOnYet(until = "list the supported kernels in the plugin's documentation")
public interface PreflightCheck {

    /**
     * A verdict per image.
     *
     * @param context the special resource and the cluster
     * @param target the kernel to come
     */
    List<PreflightVerdict> preflight(RecipeContext context, PreflightTarget target);
}
