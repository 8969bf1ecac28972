/**
 * Looks into images in registries, as far as is needed to know for which kernel they are. What comes in is the name of an image
 * and how its registry is reached; what goes out are a few files of it, with the layers that they are in. Layers are read as a
 * stream, once; nothing is unpacked.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.image;

import org.jspecify.annotations.NullMarked;
