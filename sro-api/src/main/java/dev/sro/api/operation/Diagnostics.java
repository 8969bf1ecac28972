package dev.sro.api.operation;

import dev.sro.api.NotActedOnYet;
import dev.sro.api.RecipeContext;

/** Optional for a plugin: says what helps to find a fault. */
@NotActedOnYet(until = "ship a must-gather image")
public interface Diagnostics {

    /** What helps. */
    DiagnosticsPlan diagnostics(RecipeContext context);
}
