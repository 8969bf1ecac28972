package dev.sro.api.device;

import dev.sro.api.Checks;

/**
 * A device node that a container gets; {@code deviceNodes} of the Container Device Interface. Immutable.
 *
 * @param path in the container
 * @param hostPath on the host
 * @param permissions a selection of {@code r}, {@code w}, {@code m} in this order
 * @since 0.1.0
 */
public record CdiNode(String path, String hostPath, String permissions) {

    /** Checks paths and permissions. */
    public CdiNode {
        Checks.absolutePath("CdiNode.path", path);
        Checks.absolutePath("CdiNode.hostPath", hostPath);
        Checks.require(
                permissions.matches("r?w?m?") && !permissions.isEmpty(),
                "CdiNode.permissions",
                "\"" + permissions + "\" must be some of r, w and m, in this order");
    }

    /** The same path inside and outside, for reading, writing and making. */
    public static CdiNode of(String path) {
        return new CdiNode(path, path, "rwm");
    }
}
