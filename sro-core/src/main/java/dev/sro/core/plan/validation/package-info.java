/**
 * Validations in time. In: outcomes of objects and pods, the limits of their states. Out: outcomes that heed the limits, validations that are run again, conditions of
 * nodes.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.plan.validation;

import org.jspecify.annotations.NullMarked;
