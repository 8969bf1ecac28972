package dev.sro.core.image;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;

/**
 * What of a layer is of interest. Immutable.
 *
 * @param files contents by path, of the files in {@link LayerReader#FILES}
 * @param kernels for which there are modules in the layer
 * @param compiled kernels that modules were compiled for, by the kernel in their path; under the empty name those that have none there.
 *     Only of modules that could be read
 * @param removed paths that the layer takes away from those below
 * @param opaque directories of which the layer hides all that is below
 */
record Layer(
        Map<String, String> files,
        SortedSet<String> kernels,
        Map<String, SortedSet<String>> compiled,
        Set<String> removed,
        Set<String> opaque) {

    /** The content of the file; empty if it is not in this layer. */
    Optional<String> file(String path) {
        return Optional.ofNullable(files.get(path));
    }

    /** Whether what layers below have at this path is not there any more. */
    boolean hides(String path) {
        for (String at = path; !at.isEmpty(); at = parent(at)) {
            if (removed.contains(at) || opaque.contains(parent(at))) {
                return true;
            }
        }
        return false;
    }

    private static String parent(String path) {
        int slash = path.lastIndexOf('/');
        return slash < 0 ? "" : path.substring(0, slash);
    }
}
