package dev.sro.agent.metrics;

import dev.sro.agent.device.ComputeInstance;
import dev.sro.agent.device.DeviceEvent;
import dev.sro.agent.device.DeviceException;
import dev.sro.agent.device.DevicePort;
import dev.sro.agent.device.DriverProfile;
import dev.sro.agent.device.DriverVersion;
import dev.sro.agent.device.Gpu;
import dev.sro.agent.device.GpuInstance;
import dev.sro.agent.device.PciAddress;
import dev.sro.agent.device.Recovery;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Devices whose calls are measured. As thread-safe as they are. */
public final class MeasuredDevices implements DevicePort {
    private final DevicePort devices;
    private final AgentMetrics metrics;
    private final LongSupplier nanos;

    /**
     * Passes all calls on.
     *
     * @param nanos a clock that only goes forward
     */
    public MeasuredDevices(DevicePort devices, AgentMetrics metrics, LongSupplier nanos) {
        this.devices = devices;
        this.metrics = metrics;
        this.nanos = nanos;
    }

    private interface Call<T> {
        T run() throws DeviceException;
    }

    private <T> T measured(String operation, Call<T> call) throws DeviceException {
        long begin = nanos.getAsLong();
        String label = AgentMetrics.label("operation", operation);
        try {
            return call.run();
        } catch (DeviceException e) {
            String kind = e.kind().name().toLowerCase(Locale.ROOT).replace('_', '-');
            metrics.add("sro_agent_device_failures_total", label + "," + AgentMetrics.label("kind", kind), 1);
            throw e;
        } finally {
            metrics.observe("sro_agent_device_seconds", label, Duration.ofNanos(nanos.getAsLong() - begin));
        }
    }

    @Override
    public DriverVersion version() throws DeviceException {
        return devices.version();
    }

    @Override
    public List<Gpu> gpus() throws DeviceException {
        return measured("list-gpus", devices::gpus);
    }

    @Override
    public List<GpuInstance> instances(PciAddress gpu) throws DeviceException {
        return measured("list-instances", () -> devices.instances(gpu));
    }

    @Override
    public int createGpuInstance(PciAddress gpu, DriverProfile profile, int start) throws DeviceException {
        return measured("create-gpu-instance", () -> devices.createGpuInstance(gpu, profile, start));
    }

    @Override
    public ComputeInstance createComputeInstance(PciAddress gpu, int gpuInstance) throws DeviceException {
        return measured("create-compute-instance", () -> devices.createComputeInstance(gpu, gpuInstance));
    }

    @Override
    public void destroyComputeInstance(PciAddress gpu, int gpuInstance, int computeInstance) throws DeviceException {
        measured("destroy-compute-instance", () -> {
            devices.destroyComputeInstance(gpu, gpuInstance, computeInstance);
            return gpuInstance;
        });
    }

    @Override
    public void destroyGpuInstance(PciAddress gpu, int gpuInstance) throws DeviceException {
        measured("destroy-gpu-instance", () -> {
            devices.destroyGpuInstance(gpu, gpuInstance);
            return gpuInstance;
        });
    }

    @Override
    public void setSlices(PciAddress gpu, boolean slices) throws DeviceException {
        measured("set-mode", () -> {
            devices.setSlices(gpu, slices);
            return slices;
        });
    }

    @Override
    public void reset(PciAddress gpu) throws DeviceException {
        measured("reset", () -> {
            devices.reset(gpu);
            return gpu;
        });
    }

    @Override
    public Optional<DeviceEvent> nextEvent(Duration atMost) throws DeviceException {
        return devices.nextEvent(atMost);
    }

    @Override
    public Recovery recovery(PciAddress gpu) throws DeviceException {
        return devices.recovery(gpu);
    }
}
