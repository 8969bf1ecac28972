/**
 * What recipes, builds and look-ups take in. In: names of ConfigMaps, Secrets, images and pods. Out: their content, or why there
 * is none.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.client.source;

import org.jspecify.annotations.NullMarked;
