package dev.sro.api.device;

import dev.sro.api.Checks;
import java.util.List;

/**
 * A file or directory of the host that a container gets; {@code mounts} of the Container Device Interface. Immutable.
 *
 * @param hostPath on the host
 * @param containerPath in the container
 * @param options of the mount, for example {@code ro}, {@code nosuid}, {@code bind}
 * @since 0.1.0
 */
public record CdiMount(String hostPath, String containerPath, List<String> options) {

    /** Copies and checks. */
    public CdiMount {
        options = List.copyOf(options);
        Checks.absolutePath("CdiMount.hostPath", hostPath);
        Checks.absolutePath("CdiMount.containerPath", containerPath);
    }

    /** The same path inside and outside, for reading. */
    public static CdiMount readOnly(String path) {
        return new CdiMount(path, path, List.of("ro", "nosuid", "nodev", "bind"));
    }
}
