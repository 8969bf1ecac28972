/**
 * {@code sro operator}. In: a cluster, a directory of plugins. Out: the engine of the core on that cluster, by one replica at a
 * time, with probes and metrics.
 *
 * <p>Internal: it may change with any version. Users have the command line.
 */
@NullMarked
package dev.sro.runtime.operator;

import org.jspecify.annotations.NullMarked;
