/**
 * Nodes of a special resource. In: observed nodes and what its recipe says of them. Out: which it serves, in which pools.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.engine.roster;

import org.jspecify.annotations.NullMarked;
