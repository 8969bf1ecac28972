/**
 * The status. In: reports of states, problems. Out: the status of the special resource and its events; times stay where nothing changed.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.plan.status;

import org.jspecify.annotations.NullMarked;
