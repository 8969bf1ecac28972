/**
 * Upgrades of a driver. In: what nodes run, the journal. Out: what is done to which node next, as writes and marks.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.plan.upgrade;

import org.jspecify.annotations.NullMarked;
