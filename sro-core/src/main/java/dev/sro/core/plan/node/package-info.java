/**
 * What nodes carry. In: how far states are on them. Out: labels and taints.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.plan.node;

import org.jspecify.annotations.NullMarked;
