package dev.sro.agent.cdi;

import java.util.List;

/**
 * A file of the host in a container. Immutable.
 *
 * @param hostPath as the container runtime sees it
 * @param containerPath where the container gets it
 * @param options of the mount
 */
public record CdiMount(String hostPath, String containerPath, List<String> options) {
    private static final List<String> READ_ONLY = List.of("ro", "nosuid", "nodev", "rbind", "rprivate");
    private static final List<String> SOCKET = List.of("ro", "nosuid", "nodev", "rbind", "rprivate", "noexec");

    /** Copies the options. */
    public CdiMount {
        options = List.copyOf(options);
    }

    /** To be read and run. */
    static CdiMount readOnly(String hostPath, String containerPath) {
        return new CdiMount(hostPath, containerPath, READ_ONLY);
    }

    /** To be talked to. */
    static CdiMount socket(String hostPath, String containerPath) {
        return new CdiMount(hostPath, containerPath, SOCKET);
    }
}
