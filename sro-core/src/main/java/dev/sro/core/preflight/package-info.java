/**
 * Says before an upgrade whether the special resources are ready for the kernel to come. What comes in is a
 * {@code PreflightValidation}, the special resources and what is in the images of their driver containers; what goes out is a
 * verdict on each, with its evidence. Nothing in the cluster is changed but the status.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.preflight;

import org.jspecify.annotations.NullMarked;
