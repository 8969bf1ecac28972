package dev.sro.api.driver;

import dev.sro.api.Checks;

/**
 * A file or directory that the driver container places on the node: user-space helpers, firmware, configuration. Immutable.
 *
 * @param source absolute path in the image
 * @param target absolute path on the host
 * @param removeOnUnload whether it goes when the driver is unloaded
 * @since 0.1.0
 */
public record HostFile(String source, String target, boolean removeOnUnload) {

    /** Checks the paths. */
    public HostFile {
        Checks.absolutePath("HostFile.source", source);
        Checks.absolutePath("HostFile.target", target);
        Checks.require(!target.equals("/"), "HostFile.target", "\"/\" would replace the host's root");
    }
}
