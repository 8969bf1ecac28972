/**
 * {@code sro cdi}: files for container runtimes, without a cluster.
 *
 * <p>Internal: it may change with any version. Users have the command line.
 */
@NullMarked
package dev.sro.runtime.cdi;

import org.jspecify.annotations.NullMarked;
