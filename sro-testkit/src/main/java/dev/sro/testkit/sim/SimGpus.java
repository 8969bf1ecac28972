package dev.sro.testkit.sim;

import dev.sro.testkit.server.Controller;
import java.util.Map;

/** Simulated nodes with NVIDIA GPUs, and what the operands of their stack do there. Stateless. */
public final class SimGpus {

    /** The extended resource that NVIDIA's device plugin offers. */
    public static final String RESOURCE = "nvidia.com/gpu";

    /** PCI ids of an A100 with 40 GB: a 3D controller of the vendor NVIDIA. */
    private static final String[] A100 = {"0302", "10de", "20b0"};

    private SimGpus() {}

    /** A machine with eight A100 GPUs; it offers none before a device plugin does. */
    public static NodeProfile node(OsRelease os) {
        return counting(NodeProfile.of(os).withPci(A100[0], A100[1], A100[2]), RESOURCE + "=8");
    }

    /** The same machine, where the stack counts these devices: lines {@code resource=amount}. */
    public static NodeProfile counting(NodeProfile node, String... counts) {
        return node.withMessage("count-devices", String.join("\n", counts));
    }

    /** The device plugin offers this many GPUs on each node, feature discovery counts them, the MIG manager is done at once. */
    public static Controller.Factory operands(int gpus) {
        return SimOperands.create(
                SimOperands.devicePlugin("nvidia-device-plugin-daemonset", RESOURCE, gpus),
                SimOperands.labeller(
                        "gpu-feature-discovery",
                        Map.of(
                                "nvidia.com/gpu.count", String.valueOf(gpus),
                                "nvidia.com/gpu.product", "NVIDIA-A100-SXM4-40GB",
                                "nvidia.com/mig.capable", "true")),
                SimOperands.labeller("nvidia-mig-manager", Map.of("nvidia.com/mig.config.state", "success")));
    }
}
