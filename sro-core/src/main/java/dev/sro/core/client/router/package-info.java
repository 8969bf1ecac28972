/**
 * Every change goes this one way: into a cache, and to those who have to look again. In: events of watches, answers to writes.
 * Out: the cluster as the engine reads it, and the names of special resources to reconcile.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.client.router;

import org.jspecify.annotations.NullMarked;
