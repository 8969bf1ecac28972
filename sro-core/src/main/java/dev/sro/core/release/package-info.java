/**
 * Releases of charts, recorded as Helm does, with how far their hooks are. In: what a chart came out as, and Secrets that were
 * observed. Out: what a Secret says, and the Secret that says something else. Nothing is written here.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.release;

import org.jspecify.annotations.NullMarked;
