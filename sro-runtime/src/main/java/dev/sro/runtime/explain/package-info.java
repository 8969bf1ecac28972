/**
 * {@code sro explain}. In: a code of a problem, a rejection or a finding, as statuses, events and commands print it. Out: what it
 * means and what mends it, from the pages of the documentation.
 *
 * <p>Internal: it may change with any version. Users have the command line.
 */
@NullMarked
package dev.sro.runtime.explain;

import org.jspecify.annotations.NullMarked;
