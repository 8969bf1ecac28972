/**
 * The device itself as values: what is on a node, how containers get it, under which resource names it is offered, how it is
 * cut into partitions, and what else its node can do.
 *
 * <p>In: facts of a node, and a special resource. Out: detected devices, CDI specifications, exposure, models and plans of
 * partitions, features. A plugin implements those of the interfaces that it needs; what this version of the engine does not
 * act on is marked {@link dev.sro.api.NotActedOnYet}.
 */
@NullMarked
package dev.sro.api.device;

import org.jspecify.annotations.NullMarked;
