package dev.sro.core.preflight;

import dev.sro.api.ClusterFacts;
import dev.sro.api.KernelVersion;
import dev.sro.api.NodeFacts;
import dev.sro.api.OsRelease;
import dev.sro.api.Pool;
import dev.sro.api.resource.PreflightTargetStatus;
import dev.sro.core.image.ToolkitRelease;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.pool.Pools;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the nodes of one architecture will be. Immutable.
 *
 * @param kernels for both kinds of nodes, and the version of RHEL; that may be empty
 * @param openShiftVersion empty where it stays as it is
 * @param driverToolkit image; empty where there is none
 * @param compiles the kernels that the driver toolkit has the sources of; those of the nodes, unless the release is inconsistent
 * @param note what a person has to know of it beside; empty for nothing
 */
record Target(
        String architecture,
        ToolkitRelease kernels,
        String openShiftVersion,
        String driverToolkit,
        ToolkitRelease compiles,
        String note) {

    /** {@code 4.18.0-305.19.1.rt7.91.el8_4.x86_64} and {@code 5.14.0-427.11.1.el9_4.x86_64+rt}. */
    private static final Pattern REAL_TIME = Pattern.compile(".*[.+-](?:rt(?:\\d.*|\\b.*)?|realtime)");

    /** Of a version of OpenShift: RHEL CoreOS has it as its own. */
    private static final Pattern MINOR = Pattern.compile("\\d+\\.\\d+");

    private static final String OS_RELEASE = "feature.node.kubernetes.io/system-os_release.";

    private static final String NEWEST = "latest";

    /** Whether it is the kernel of a node that has the real-time kernel. */
    static boolean isRealTime(String kernel) {
        return REAL_TIME.matcher(kernel).matches();
    }

    /** The kernel of nodes that have this one now; empty if there is none. */
    Optional<String> kernelFor(Pool present) {
        String kernel = isRealTime(present.kernel().raw()) ? kernels.realTimeKernel() : kernels.kernel();
        return kernel.isEmpty() ? Optional.empty() : Optional.of(kernel);
    }

    /**
     * What becomes of a pool.
     *
     * @param key what the plugin then adds to its key
     */
    Pool moved(Pool present, String kernel, Map<String, String> key) {
        return Pools.moved(present, new KernelVersion(kernel), os(present.os()), key);
    }

    private OsRelease os(OsRelease present) {
        return kernels.osVersion().isEmpty() ? present : new OsRelease(present.id(), kernels.osVersion());
    }

    /** What becomes of a node, as far as plugins can see it before. */
    NodeFacts moved(NodeFacts present, String kernel) {
        return NodeFacts.builder()
                .from(present)
                .kernel(new KernelVersion(kernel))
                .os(os(present.os()))
                .labels(moved(present.labels(), kernel))
                .features(moved(present.features(), kernel))
                .build();
    }

    /** Of what Node Feature Discovery says, that which is known; what would be wrong and is not known goes. */
    private Map<String, String> moved(Map<String, String> present, String kernel) {
        Map<String, String> labels = new HashMap<>(present);
        labels.computeIfPresent(MetadataKeys.KERNEL_LABEL, (key, value) -> kernel);
        Matcher release = MINOR.matcher(openShiftVersion);
        if (release.lookingAt()) {
            labels.computeIfPresent(OS_RELEASE + "VERSION_ID", (key, value) -> release.group());
            labels.remove(OS_RELEASE + "OSTREE_VERSION");
        }
        if (!kernels.osVersion().isEmpty()) {
            labels.computeIfPresent(OS_RELEASE + "RHEL_VERSION", (key, value) -> kernels.osVersion());
        }
        return labels;
    }

    /** What becomes of the cluster. */
    ClusterFacts on(ClusterFacts cluster) {
        ClusterFacts.Builder builder = ClusterFacts.builder().from(cluster);
        if (!openShiftVersion.isEmpty()) {
            builder.openShiftVersion(openShiftVersion);
        }
        if (!driverToolkit.isEmpty()) {
            builder.driverToolkits(Map.of(NEWEST, driverToolkit));
        }
        return builder.build();
    }

    PreflightTargetStatus status() {
        PreflightTargetStatus status = new PreflightTargetStatus();
        status.setArchitecture(architecture);
        status.setKernelVersion(kernels.kernel());
        status.setRealTimeKernelVersion(orNull(kernels.realTimeKernel()));
        status.setOsVersion(orNull(kernels.osVersion()));
        status.setReleaseVersion(orNull(openShiftVersion));
        status.setDriverToolkitImage(orNull(driverToolkit));
        return status;
    }

    private static @Nullable String orNull(String text) {
        return text.isEmpty() ? null : text;
    }
}
