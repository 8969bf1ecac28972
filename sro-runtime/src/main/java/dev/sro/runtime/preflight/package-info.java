/**
 * {@code sro preflight}. In: a cluster and a kernel to come. Out: which special resources are ready for it, and the evidence.
 *
 * <p>Internal: it may change with any version. Users have the command line.
 */
@NullMarked
package dev.sro.runtime.preflight;

import org.jspecify.annotations.NullMarked;
