package dev.sro.agent.device;

/** What a GPU is used for as a whole; only one of them allows slices. */
public enum GpuMode {
    /** Cut into slices: MIG is on. */
    SLICES("MIG is on"),
    /** Could be cut into slices, but is not: MIG is off. */
    WHOLE("MIG is off; switch it on by the special resource to have slices"),
    /** MIG was switched on or off and waits for a reset of the GPU. */
    PENDING("a change of MIG mode waits for a reset of the GPU"),
    /** The kind of GPU has no slices. */
    UNABLE("this GPU has no MIG"),
    /** Given to a virtual machine; left alone. */
    PASSTHROUGH("the GPU is passed through to a virtual machine (bound to vfio-pci)"),
    /** Carries virtual GPUs, or is one; left alone. */
    VGPU("the GPU carries or is a vGPU");

    private final String text;

    GpuMode(String text) {
        this.text = text;
    }

    /** What to tell a person. */
    public String text() {
        return text;
    }
}
