/**
 * Drivers of pools. In: what recipes ask for, what registries and builds say. Out: the image of each pool, what is built, which images
 * nobody needs.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.engine.driver;

import org.jspecify.annotations.NullMarked;
