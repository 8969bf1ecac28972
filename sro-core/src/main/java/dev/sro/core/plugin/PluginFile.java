package dev.sro.core.plugin;

/**
 * The file that a loaded plugin came from. Immutable.
 *
 * @param file name of the file inside the plugin directory
 * @param id {@code Plugin-Id} of its descriptor
 * @param version {@code Plugin-Version} of its descriptor, a semantic version
 * @param sha256 digest of the content that was loaded, 64 lower case hexadecimal digits; the file in the directory may
 *     have changed since
 */
public record PluginFile(String file, String id, String version, String sha256) {}
