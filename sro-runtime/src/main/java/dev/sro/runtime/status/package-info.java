/**
 * {@code sro status}. In: special resources of a cluster. Out: how far each is, and what is stuck where, for people and programs.
 *
 * <p>Internal: it may change with any version. Users have the command line.
 */
@NullMarked
package dev.sro.runtime.status;

import org.jspecify.annotations.NullMarked;
