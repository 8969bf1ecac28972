/**
 * {@code sro plugins}. In: a directory of plugin jars. Out: what is in it and what it needs of a cluster, for the person who
 * grants rights and mirrors images.
 */
@NullMarked
package dev.sro.runtime.plugins;

import org.jspecify.annotations.NullMarked;
