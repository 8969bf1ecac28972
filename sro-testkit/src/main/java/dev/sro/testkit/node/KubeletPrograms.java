package dev.sro.testkit.node;

import dev.sro.testkit.controlplane.Binaries;
import dev.sro.testkit.controlplane.ControlPlaneException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * What a kubelet on this machine is run with. Immutable.
 *
 * @param directory as {@code .ci/real-node/here.sh} makes it
 * @param controlPlane the programs of the control plane
 */
record KubeletPrograms(Path directory, Binaries controlPlane) {
    static final String DIRECTORY = "SRO_KUBELET_DIR";
    static final String MODE = "SRO_KUBELET";

    /** What the directory has to hold. */
    private static final List<String> NEEDED = List.of(
            "node",
            "kubelet",
            "containerd",
            "containerd-shim-runc-v2",
            "ptp",
            "loopback",
            "host-local",
            "probe",
            "busybox",
            "devices");

    /** What is taken from the machine. */
    private static final List<String> OF_THE_MACHINE = List.of("runc", "ip", "unshare", "nsenter", "mount", "tar");

    Path file(String name) {
        return directory.resolve(name);
    }

    /**
     * Where they come from.
     *
     * @param root whether this process is root
     */
    record Finder(Surroundings surroundings, String system, boolean root, Supplier<Binaries> controlPlane) {
        static Finder ofThisMachine() {
            return new Finder(
                    new Surroundings(System.getenv()),
                    System.getProperty("os.name").toLowerCase(Locale.ROOT),
                    System.getProperty("user.name").equals("root"),
                    Binaries::ofThisMachine);
        }

        /** Whether a test that cannot run has to fail. */
        boolean isRequired() {
            return surroundings.isRequired(MODE);
        }

        /** Why there is no kubelet here; empty if there is. */
        String missing() {
            if (surroundings.setting(DIRECTORY).isEmpty()) {
                return "no kubelet here: " + DIRECTORY + " is not set (.ci/real-node/here.sh prints what it has to be)";
            }
            Path directory = Path.of(surroundings.setting(DIRECTORY));
            List<String> lacks = NEEDED.stream()
                    .filter(name -> !Files.isExecutable(directory.resolve(name)))
                    .toList();
            if (!lacks.isEmpty()) {
                return "no kubelet here: " + directory + " has no " + String.join(", no ", lacks)
                        + " (.ci/real-node/here.sh makes them)";
            }
            if (!system.equals("linux") || !root) {
                return "no kubelet here: it takes Linux and to be root";
            }
            List<String> programs = OF_THE_MACHINE.stream()
                    .filter(name -> !surroundings.isOnPath(name, "/usr/sbin", "/sbin"))
                    .toList();
            if (!programs.isEmpty()) {
                return "no kubelet here: not on the PATH, /usr/sbin or /sbin: " + String.join(", ", programs);
            }
            try {
                var unused = controlPlane.get();
            } catch (ControlPlaneException e) {
                return "no kubelet here: " + e.getMessage();
            }
            return "";
        }

        /**
         * What there is.
         *
         * @throws RealNodeException if something is missing
         */
        KubeletPrograms find() {
            String missing = missing();
            if (!missing.isEmpty()) {
                throw new RealNodeException(missing);
            }
            return new KubeletPrograms(Path.of(surroundings.setting(DIRECTORY)), controlPlane.get());
        }
    }
}
