package dev.sro.plugins.nvidia;

import dev.sro.api.BarrierWait;
import java.util.Map;

/**
 * The barriers on a node: files under {@code /run/nvidia/validations}, which are gone after a reboot. Who is done leaves one, who
 * comes after waits for it in an init container, so that neither a new node nor a reboot needs SRO for their order. Names and
 * contents are those of NVIDIA's validator, which other software reads. Stateless.
 */
final class Barriers {

    static final String DIRECTORY = "/run/nvidia/validations";

    private Barriers() {}

    /** An init container that waits for a file. */
    static Map<String, Object> wait(Settings settings, String what, String file) {
        return new BarrierWait(
                        "wait-for-" + what,
                        settings.reference("operator.initContainer"),
                        "[ -f " + DIRECTORY + "/" + file + " ]",
                        file,
                        DIRECTORY,
                        "run-nvidia-validations",
                        Map.of("NVIDIA_VISIBLE_DEVICES", "void"))
                .container();
    }

    /** Succeeds once the driver of this container works, and says to others where its files are. */
    static String driverUp(String driverRoot, boolean gds, boolean gdrcopy, boolean rdma) {
        return "nvidia-smi -L || exit 1; mkdir -p " + DIRECTORY + " && cd " + DIRECTORY + " && "
                + write(
                        ".driver-ctr-ready",
                        "GDRCOPY_ENABLED=" + gdrcopy,
                        "GDS_ENABLED=" + gds,
                        "GPU_DIRECT_RDMA_ENABLED=" + rdma)
                + " && " + ready(false, driverRoot, "/driver-root");
    }

    /** Waits for a driver of the host. */
    static String hostDriverUp() {
        return "until chroot /host nvidia-smi -L; do echo waiting for a driver of the host; sleep 10; done; cd "
                + DIRECTORY + " && " + ready(true, "/", "/host");
    }

    /** Closes the barriers that the driver opened. */
    static String driverDown() {
        return "rm -f " + DIRECTORY + "/driver-ready " + DIRECTORY + "/.driver-ctr-ready";
    }

    private static String ready(boolean host, String root, String rootInContainers) {
        return write(
                "driver-ready",
                "IS_HOST_DRIVER=" + host,
                "NVIDIA_DRIVER_ROOT=" + root,
                "DRIVER_ROOT_CTR_PATH=" + rootInContainers,
                "NVIDIA_DEV_ROOT=" + root,
                "DEV_ROOT_CTR_PATH=" + rootInContainers);
    }

    /** In one step, so that nobody reads half a file. */
    private static String write(String file, String... lines) {
        return "printf '%s\\n' " + String.join(" ", lines) + " > " + file + ".new && mv " + file + ".new " + file;
    }
}
