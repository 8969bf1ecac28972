/**
 * {@code sro demo}. In: the plugins and an embedded cluster with simulated machines. Out: the life of one special
 * resource, shown while it happens, and checked.
 *
 * <p>Internal: it may change with any version. Users have the command line.
 */
@NullMarked
package dev.sro.runtime.demo;

import org.jspecify.annotations.NullMarked;
