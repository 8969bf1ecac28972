/**
 * {@code sro plugins}. In: a directory of plugin jars. Out: what is in it and what it needs of a cluster, for the person who
 * grants rights and mirrors images.
 *
 * <p>Internal: it may change with any version. Users have the command line.
 */
@NullMarked
package dev.sro.runtime.plugins;

import org.jspecify.annotations.NullMarked;
