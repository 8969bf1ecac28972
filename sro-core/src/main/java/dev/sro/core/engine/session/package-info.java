/**
 * What the engine keeps of one special resource between reconciles. In: what a trip learns. Out: the same, so that the next trip
 * compares instead of working it out.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.engine.session;

import org.jspecify.annotations.NullMarked;
