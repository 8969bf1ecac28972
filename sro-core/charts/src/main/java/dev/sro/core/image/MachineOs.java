package dev.sro.core.image;

import java.util.Map;
import java.util.Optional;

/**
 * The kernels of the operating system that nodes boot, as the labels of its image say: {@code ostree.linux} of images that nodes boot,
 * {@code com.coreos.rpm.*} of those before OpenShift 4.12. Immutable.
 *
 * @param kernel with the architecture at its end; empty where no label says it
 * @param realTimeKernel with the architecture at its end; empty where no label says it
 */
public record MachineOs(String kernel, String realTimeKernel) {

    /** Of real-time kernels of RHEL 8 and 9.2: those after them are packages of the plain kernel. */
    private static final String OWN_RELEASE = ".*[.-]rt\\d.*";

    /** What the labels of an image say. */
    public static MachineOs of(Map<String, String> labels, String architecture) {
        String kernel = Optional.ofNullable(labels.get("ostree.linux"))
                .orElseGet(() -> labels.getOrDefault("com.coreos.rpm.kernel", ""));
        String realTime = ToolkitRelease.whole(
                labels.getOrDefault("com.coreos.rpm.kernel-rt-core", "").strip(), architecture);
        boolean word = realTime.isEmpty() || realTime.matches(OWN_RELEASE) || realTime.endsWith("+rt");
        return new MachineOs(ToolkitRelease.whole(kernel.strip(), architecture), word ? realTime : realTime + "+rt");
    }

    /** With what another image of the same release says where this one says nothing, if both are of one kernel. */
    public MachineOs or(MachineOs other) {
        if (kernel.isEmpty()) {
            return other;
        }
        boolean lacks = realTimeKernel.isEmpty() && kernel.equals(other.kernel);
        return lacks ? new MachineOs(kernel, other.realTimeKernel) : this;
    }
}
