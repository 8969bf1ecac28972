/**
 * The release of a chart. In: what it came out as, its records. Out: the next record, the hooks that are due.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.plan.release;

import org.jspecify.annotations.NullMarked;
