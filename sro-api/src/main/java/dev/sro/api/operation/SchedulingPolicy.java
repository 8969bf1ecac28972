package dev.sro.api.operation;

import dev.sro.api.RecipeContext;

/**
 * Optional for a plugin: says which pods come to the nodes of the device. SRO acts on tolerations and readiness taint; taints and priority
 * classes are reported as not acted on when there are any.
 *
 * @since 0.1.0
 */
public interface SchedulingPolicy {

    /** The rules about pods. */
    Scheduling scheduling(RecipeContext context);
}
