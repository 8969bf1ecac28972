/**
 * {@code sro plan}. In: a special resource, nodes and observed objects in files. Out: what a reconcile would create,
 * change and delete, and what comes later, per state and pool.
 */
@NullMarked
package dev.sro.runtime.plan;

import org.jspecify.annotations.NullMarked;
