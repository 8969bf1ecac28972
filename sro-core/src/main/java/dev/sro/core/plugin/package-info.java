/**
 * Finds accelerator plugins and keeps them apart.
 *
 * <p>In: a directory of jars and zips ({@link dev.sro.core.plugin.PluginHost}), a class path, or plugin objects
 * ({@link dev.sro.core.plugin.Plugins}). Out: an immutable snapshot ({@link dev.sro.core.plugin.PluginSet}) of
 * {@link dev.sro.core.plugin.LoadedPlugin}s, looked up by the name in their descriptor, and of
 * {@link dev.sro.core.plugin.PluginRejection}s that say why a file was not taken. PF4J does the descriptor, the version
 * range, the class loader and the life cycle of one plugin; which plugins are loaded, in which order and what happens
 * to the rest when one fails is decided here. No PF4J type leaves this package.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.plugin;

import org.jspecify.annotations.NullMarked;
