/**
 * {@code sro plan}, {@code sro render} and {@code sro diff}. In: special resources and nodes, of files or of a cluster. Out: what a
 * reconcile would do, what shall be there in the end, and how that differs from what is there. Nothing is written.
 *
 * <p>Internal: it may change with any version. Users have the command line.
 */
@NullMarked
package dev.sro.runtime.plan;

import org.jspecify.annotations.NullMarked;
