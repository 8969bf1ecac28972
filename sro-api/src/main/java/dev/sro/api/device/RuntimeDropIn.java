package dev.sro.api.device;

import dev.sro.api.Checks;

/**
 * A configuration file for the container runtime of a node. Immutable.
 *
 * @param engine whose it is
 * @param fileName below the directory for additions of that engine
 * @param content the whole file
 * @since 0.1.0
 */
public record RuntimeDropIn(Engine engine, String fileName, String content) {

    /** The container runtimes. */
    public enum Engine {
        /** containerd, TOML. */
        CONTAINERD,
        /** CRI-O, TOML. */
        CRIO,
        /** Docker with cri-dockerd, JSON. */
        DOCKER
    }

    /** Checks the name. */
    public RuntimeDropIn {
        Checks.require(
                fileName.matches("[A-Za-z0-9][A-Za-z0-9._-]*"),
                "RuntimeDropIn.fileName",
                "\"" + fileName + "\" must be a file name without a path");
        Checks.notBlank("RuntimeDropIn.content", content);
    }
}
