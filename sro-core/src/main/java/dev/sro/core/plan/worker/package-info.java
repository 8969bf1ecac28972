/**
 * Pods that load and unload modules. In: what nodes say is loaded, the pods that are there. Out: which pod comes next, how far each node is.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.plan.worker;

import org.jspecify.annotations.NullMarked;
