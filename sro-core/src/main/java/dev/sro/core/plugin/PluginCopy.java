package dev.sro.core.plugin;

import java.nio.file.Path;

/**
 * A private copy of a plugin file.
 *
 * @param file name in the plugin directory
 * @param sha256 digest of the copy
 * @param content the copied jar, or the directory that the zip was unpacked into; its path depends on the digest only
 */
record PluginCopy(String file, String sha256, Path content) {}
