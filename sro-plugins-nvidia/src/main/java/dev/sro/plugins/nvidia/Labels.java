package dev.sro.plugins.nvidia;

/** Names of labels and resources that NVIDIA's operands and users know. Holds constants only. */
final class Labels {

    static final String PREFIX = "nvidia.com/";
    static final String PRESENT = PREFIX + "gpu.present";
    static final String DEPLOY = PREFIX + "gpu.deploy.";
    static final String WORKLOAD = PREFIX + "gpu.workload.config";
    static final String WORKLOAD_STATE = PREFIX + "gpu.workload.config.state";
    /** What the GPUs of the node are to be offered by. */
    static final String EXPOSURE = PREFIX + "gpu.exposure";
    /** What they are offered by, as SRO has seen to it. */
    static final String EXPOSURE_STATE = EXPOSURE + ".state";
    /** Of SRO's agent: what it makes of the GPUs. */
    static final String SLICES_MODE = "slices.sro.dev/mode";

    /** Annotations by which the agent says that GPUs need a reset, is told to do it, and says that it cannot. */
    static final String RESET_NEEDED = "slices.sro.dev/reset-needed";

    static final String RESET = "slices.sro.dev/reset";
    static final String RESET_FAILED = "slices.sro.dev/reset-failed";

    static final String MIG_CAPABLE = PREFIX + "mig.capable";
    static final String MIG_CONFIG = PREFIX + "mig.config";
    static final String MIG_STATE = MIG_CONFIG + ".state";
    static final String VGPU_CONFIG = PREFIX + "vgpu.config";
    static final String VGPU_HOST = PREFIX + "vgpu.host-driver-version";
    static final String PRODUCT = PREFIX + "gpu.product";
    static final String MPS_CAPABLE = PREFIX + "mps.capable";
    static final String GPU = PREFIX + "gpu";
    static final String MIG = PREFIX + "mig-";
    static final String COUNT = ".count";
    static final String DRA_DRIVER = "gpu.nvidia.com";
    /** Of SRO's own agent, which cuts the same GPUs by the same driver of the kernel. */
    static final String SLICES_DRIVER = "slices.sro.dev";

    private Labels() {}
}
