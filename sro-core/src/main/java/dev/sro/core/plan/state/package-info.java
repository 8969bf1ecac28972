/**
 * States. In: desired and live objects, pods, logs. Out: writes of objects, how far each state is in each pool and on each node.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.plan.state;

import org.jspecify.annotations.NullMarked;
