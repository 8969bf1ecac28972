/**
 * The engine. One reconcile is one straight trip: caches, facts, pools, recipe, desired objects, a pure plan, writes.
 * Each package does one leg of it and uses only those before it: {@code model}, {@code facts}, {@code pool},
 * {@code plugin}, {@code recipe}, {@code manifest}, {@code probe}, {@code plan}, {@code apply}, {@code engine},
 * {@code client}.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core;

import org.jspecify.annotations.NullMarked;
