/**
 * Who leads. In: a client, the name of a Lease, the times of the election. Out: whether this replica holds the lease and nobody else can,
 * told when that begins and ends.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.lease;

import org.jspecify.annotations.NullMarked;
