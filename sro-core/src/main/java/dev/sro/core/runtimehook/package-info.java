/**
 * What container runtimes have to know of devices. In: what plugins say of each node ({@link dev.sro.api.device.RuntimeHook}). Out:
 * one variant for all nodes for which that is equal, and a state of SRO's own whose pods put the files of a variant onto its nodes.
 * All of it is pure.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.runtimehook;

import org.jspecify.annotations.NullMarked;
