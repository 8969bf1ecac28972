/**
 * The plugin for NVIDIA GPUs. In: a special resource with the settings of {@code config-fields.txt}, and facts of cluster,
 * nodes and pools. Out: the states from the driver to the MIG manager with their manifests, the images of the driver, labels of
 * nodes, and how drivers are upgraded.
 */
@NullMarked
package dev.sro.plugins.nvidia;

import org.jspecify.annotations.NullMarked;
