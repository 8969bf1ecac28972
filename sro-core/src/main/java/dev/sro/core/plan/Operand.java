package dev.sro.core.plan;

import dev.sro.core.model.ObjectRef;

/**
 * An object that a recipe wants. Immutable.
 *
 * @param ref which one
 * @param ready whether it is there and has what its state waits for
 * @param nodes on how many nodes it has a pod; 0 for all but DaemonSets
 */
public record Operand(ObjectRef ref, boolean ready, int nodes) {}
