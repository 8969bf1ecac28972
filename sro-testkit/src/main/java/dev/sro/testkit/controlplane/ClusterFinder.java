package dev.sro.testkit.controlplane;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/**
 * Looks for a cluster to test on, in this order: a kubeconfig, a directory of binaries, the directory that
 * {@code .ci/control-plane/build.sh} fills, a download where it is allowed. A setting that names something that is not there is an
 * error; only where nothing is set may a test be skipped.
 */
final class ClusterFinder {
    /** The version that {@code .ci/control-plane} builds and that a download asks for. */
    static final String KUBERNETES = "1.36.2";

    static final String KUBECONFIG = "SRO_TEST_KUBECONFIG";
    static final String DIRECTORY = "SRO_CONTROL_PLANE_DIR";
    static final String MODE = "SRO_CONTROL_PLANE";
    static final String DOWNLOAD = "SRO_CONTROL_PLANE_DOWNLOAD";

    /** What there is to test on. */
    sealed interface ControlPlaneSource permits Kubeconfig, Programs, Nothing {}

    /** Somebody's cluster. */
    record Kubeconfig(Path file) implements ControlPlaneSource {}

    /** Programs to start. */
    record Programs(Binaries binaries) implements ControlPlaneSource {}

    /** None, and why. */
    record Nothing(String reason) implements ControlPlaneSource {}

    private final Map<String, String> environment;
    private final String os;
    private final String architecture;
    private final Path home;

    ClusterFinder(Map<String, String> environment, String os, String architecture, Path home) {
        this.environment = Map.copyOf(environment);
        this.os = os.toLowerCase(Locale.ROOT);
        this.architecture = architecture;
        this.home = home;
    }

    static ClusterFinder ofThisMachine() {
        return new ClusterFinder(
                System.getenv(),
                System.getProperty("os.name"),
                System.getProperty("os.arch"),
                Path.of(System.getProperty("user.home")));
    }

    /** Whether a test that cannot run has to fail. */
    boolean isRequired() {
        String mode = setting(MODE);
        if (!mode.isEmpty() && !mode.equals("required") && !mode.equals("auto")) {
            throw new ControlPlaneException(MODE + " is auto or required, not " + mode);
        }
        return mode.equals("required");
    }

    /**
     * What there is.
     *
     * @throws ControlPlaneException if a setting names something that is not there
     */
    ControlPlaneSource find() {
        if (!setting(KUBECONFIG).isEmpty()) {
            Path file = Path.of(setting(KUBECONFIG));
            if (!Files.isReadable(file)) {
                throw new ControlPlaneException(KUBECONFIG + " names " + file + ", which cannot be read");
            }
            return new Kubeconfig(file);
        }
        if (!os.startsWith("linux")) {
            return new Nothing("control planes are started on Linux only, and " + KUBECONFIG + " is not set");
        }
        if (!setting(DIRECTORY).isEmpty()) {
            return new Programs(Binaries.in(Path.of(setting(DIRECTORY))));
        }
        Path built = built();
        if (Files.isDirectory(built)) {
            return new Programs(Binaries.in(built));
        }
        if (setting(DOWNLOAD).equals("true")) {
            return new Programs(Download.binaries(KUBERNETES));
        }
        return new Nothing("no control plane: " + KUBECONFIG + " and " + DIRECTORY + " are not set, " + built
                + " is not there (.ci/control-plane/build.sh makes it), and " + DOWNLOAD + " is not true");
    }

    /** Where the build script puts what it builds. */
    Path built() {
        String cache = setting("XDG_CACHE_HOME");
        Path root = cache.isEmpty() ? home.resolve(".cache") : Path.of(cache);
        return root.resolve("sro").resolve("control-plane").resolve(KUBERNETES + "-linux-" + goArchitecture());
    }

    private String goArchitecture() {
        return switch (architecture) {
            case "x86_64" -> "amd64";
            case "aarch64" -> "arm64";
            default -> architecture;
        };
    }

    private String setting(String name) {
        return environment.getOrDefault(name, "").trim();
    }
}
