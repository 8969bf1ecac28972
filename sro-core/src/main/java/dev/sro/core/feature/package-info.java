/**
 * Rules of Node Feature Discovery, evaluated in this process. In: {@code NodeFeatureRule} objects and what a {@code NodeFeature} says of
 * a node. Out: labels, annotations, extended resources and taints that NFD would give to the node.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.feature;

import org.jspecify.annotations.NullMarked;
