package dev.sro.testkit.node;

import dev.sro.testkit.controlplane.Binaries;
import dev.sro.testkit.controlplane.ControlPlaneException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Where real nodes come from: the directory of {@code SRO_REAL_NODE_DIR}, or what {@code .ci/real-node/build.sh} made last. A setting
 * that names something that is not there is an error; only where nothing is set may a test be skipped.
 */
final class RigFinder {
    static final String DIRECTORY = "SRO_REAL_NODE_DIR";
    static final String MODE = "SRO_REAL_NODE";

    /** What a run starts, beside the control plane. */
    private static final List<String> PROGRAMS = List.of("qemu-system-x86_64", "docker-registry", "git", "tar", "cp");

    private final Surroundings surroundings;
    private final Path home;
    private final Supplier<Binaries> controlPlane;

    RigFinder(Map<String, String> environment, Path home, Supplier<Binaries> controlPlane) {
        this.surroundings = new Surroundings(environment);
        this.home = home;
        this.controlPlane = controlPlane;
    }

    static RigFinder ofThisMachine() {
        return new RigFinder(System.getenv(), Path.of(System.getProperty("user.home")), Binaries::ofThisMachine);
    }

    /** Whether a test that cannot run has to fail. */
    boolean isRequired() {
        return surroundings.isRequired(MODE);
    }

    /** Why there are no nodes here; empty if there are. */
    String missing() {
        Path directory = directory();
        if (surroundings.setting(DIRECTORY).isEmpty() && !Files.isDirectory(directory)) {
            return "no real nodes: " + DIRECTORY + " is not set, and " + directory
                    + " is not there (.ci/real-node/build.sh makes it)";
        }
        List<String> programs = PROGRAMS.stream()
                .filter(program -> !surroundings.isOnPath(program))
                .toList();
        if (!programs.isEmpty()) {
            return "no real nodes: not on the PATH: " + String.join(", ", programs);
        }
        try {
            var unused = controlPlane.get();
        } catch (ControlPlaneException e) {
            return "no real nodes: " + e.getMessage();
        }
        return "";
    }

    /**
     * What there is.
     *
     * @throws RealNodeException if something is missing
     */
    Rig find() {
        String missing = missing();
        if (!missing.isEmpty()) {
            throw new RealNodeException(missing);
        }
        return Rig.in(directory(), controlPlane.get());
    }

    private Path directory() {
        String named = surroundings.setting(DIRECTORY);
        if (!named.isEmpty()) {
            return Path.of(named);
        }
        String cache = surroundings.setting("XDG_CACHE_HOME");
        Path root = cache.isEmpty() ? home.resolve(".cache") : Path.of(cache);
        return root.resolve("sro").resolve("real-node").resolve("current");
    }
}
