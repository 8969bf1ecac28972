package dev.sro.agent.device;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The devices of this node. Two adapters: NVML, and emulated devices. What is read is what the driver has now; nothing is kept here.
 *
 * <p>Thread-safe. Callers see to it that no two threads change one GPU at the same time; different GPUs go side by side.
 */
public interface DevicePort {
    /** Which driver there is. */
    DriverVersion version() throws DeviceException;

    /**
     * All GPUs, by address: those that answer, and as they were those that did once and do not now.
     *
     * @throws DeviceException if the driver does not answer for any
     */
    List<Gpu> gpus() throws DeviceException;

    /**
     * All GPU instances of a GPU, whoever made them; none where it is not cut.
     *
     * @throws DeviceException if the GPU does not answer, cut or not
     */
    List<GpuInstance> instances(PciAddress gpu) throws DeviceException;

    /**
     * Makes a GPU instance at an explicit place, without a compute instance.
     *
     * @return its id
     */
    int createGpuInstance(PciAddress gpu, DriverProfile profile, int start) throws DeviceException;

    /** Makes the one compute instance that fills a GPU instance. */
    ComputeInstance createComputeInstance(PciAddress gpu, int gpuInstance) throws DeviceException;

    /** Destroys one compute instance. */
    void destroyComputeInstance(PciAddress gpu, int gpuInstance, int computeInstance) throws DeviceException;

    /** Destroys a GPU instance that has no compute instance. */
    void destroyGpuInstance(PciAddress gpu, int gpuInstance) throws DeviceException;

    /**
     * Asks for the GPU to be cut or not. Whether it is now, or waits for a reset, {@link #gpus} says. Nobody may have anything of the GPU.
     *
     * @param slices whether MIG is to be on
     */
    void setSlices(PciAddress gpu, boolean slices) throws DeviceException;

    /** Resets a GPU of which nobody has anything; all of its instances are gone, and a mode that waited is in force. */
    void reset(PciAddress gpu) throws DeviceException;

    /**
     * Waits for the next event of any GPU.
     *
     * @return empty if there was none in that time
     * @throws DeviceException of kind {@link DeviceException.Kind#NOT_SUPPORTED} if there never will be any
     */
    Optional<DeviceEvent> nextEvent(Duration atMost) throws DeviceException;

    /** Whether the driver says that a GPU needs something to be well. */
    Recovery recovery(PciAddress gpu) throws DeviceException;
}
