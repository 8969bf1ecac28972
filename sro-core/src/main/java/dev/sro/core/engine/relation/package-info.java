/**
 * What special resources are to each other. In: all of them and their recipes. Out: who leaves a node or a namespace to whom, who
 * waits for whom, what is wrong with one itself.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.engine.relation;

import org.jspecify.annotations.NullMarked;
