/**
 * How kernel modules come onto the nodes.
 *
 * <p>In: a {@link dev.sro.api.driver.LoadPlan} with the image of its pool. Out: a shell script that loads, checks and unloads; the
 * objects that bring the script to the nodes, for each {@link dev.sro.api.driver.LoadExecutor}; and for worker pods, what to do next
 * on a node. Pure: nothing here reads or writes a cluster.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.load;

import org.jspecify.annotations.NullMarked;
