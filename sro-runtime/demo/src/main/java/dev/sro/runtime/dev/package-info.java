/**
 * {@code sro dev}: a cluster on this machine for who writes a plugin. In: a folder of plugins, special resources, nodes. Out: an HTTP
 * port, a kubeconfig, and lines that say what happens.
 *
 * <p>Internal: it may change with any version. Users have the command line.
 */
@NullMarked
package dev.sro.runtime.dev;

import org.jspecify.annotations.NullMarked;
