/**
 * Helm charts, from bytes to text. In: an archive or a directory, values, what the cluster serves. Out: a {@link
 * dev.sro.core.recipe.chart.Chart}, the steps it is applied in, and for each template its text or the problem why there
 * is none. Nothing here talks to a cluster or a network.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.recipe.chart;

import org.jspecify.annotations.NullMarked;
