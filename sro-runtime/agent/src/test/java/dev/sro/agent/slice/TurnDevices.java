package dev.sro.agent.slice;

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
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The devices of a history of several threads: others may go on before and after each call, two changes of one GPU at the same time are
 * wrong, and GPUs may be lost, with or without being named.
 */
final class TurnDevices implements DevicePort {
    private final FakeHardware hardware;
    private final Turns turns;
    private final Set<PciAddress> changing = new HashSet<>();
    private final Set<PciAddress> lost = new TreeSet<>();
    private boolean lostAreNamed;

    TurnDevices(FakeHardware hardware, Turns turns) {
        this.hardware = hardware;
        this.turns = turns;
    }

    private interface Call<T> {
        T make() throws DeviceException;
    }

    private <T> T call(String what, PciAddress gpu, boolean change, Call<T> call) throws DeviceException {
        if (change && !changing.add(gpu) && !turns.isOutside()) {
            throw new AssertionError(what + " of " + gpu + " while another change of it runs:\n" + turns.state());
        }
        try {
            turns.point(what);
            if (lost.contains(gpu)) {
                throw new DeviceException(DeviceException.Kind.GPU_IS_LOST, gpu + ": is lost");
            }
            T result;
            try {
                result = call.make();
            } catch (DeviceException e) {
                turns.point(what + ", failed");
                throw e;
            }
            turns.point(what + ", done");
            return result;
        } finally {
            if (change) {
                changing.remove(gpu);
            }
        }
    }

    /** Nothing of the GPU answers. */
    void lose(PciAddress gpu, boolean named) {
        lost.add(gpu);
        lostAreNamed = named;
    }

    /** All are back. */
    void find() {
        lost.clear();
    }

    /** The calls of a process that is no more. */
    void forget() {
        changing.clear();
    }

    @Override
    public DriverVersion version() {
        return hardware.version();
    }

    @Override
    public List<Gpu> gpus() {
        turns.point("gpus");
        List<Gpu> gpus = hardware.gpus().stream()
                .filter(gpu -> lostAreNamed || !lost.contains(gpu.address()))
                .toList();
        turns.point("gpus, done");
        return gpus;
    }

    @Override
    public List<GpuInstance> instances(PciAddress gpu) throws DeviceException {
        return call("instances", gpu, false, () -> hardware.instances(gpu));
    }

    @Override
    public int createGpuInstance(PciAddress gpu, DriverProfile profile, int start) throws DeviceException {
        return call("createGpuInstance", gpu, true, () -> hardware.createGpuInstance(gpu, profile, start));
    }

    @Override
    public ComputeInstance createComputeInstance(PciAddress gpu, int instance) throws DeviceException {
        return call("createComputeInstance", gpu, true, () -> hardware.createComputeInstance(gpu, instance));
    }

    @Override
    public void destroyComputeInstance(PciAddress gpu, int instance, int compute) throws DeviceException {
        call("destroyComputeInstance", gpu, true, () -> {
            hardware.destroyComputeInstance(gpu, instance, compute);
            return instance;
        });
    }

    @Override
    public void destroyGpuInstance(PciAddress gpu, int instance) throws DeviceException {
        call("destroyGpuInstance", gpu, true, () -> {
            hardware.destroyGpuInstance(gpu, instance);
            return instance;
        });
    }

    @Override
    public void setSlices(PciAddress gpu, boolean slices) throws DeviceException {
        call("setSlices", gpu, true, () -> {
            hardware.setSlices(gpu, slices);
            return slices;
        });
    }

    @Override
    public void reset(PciAddress gpu) {
        hardware.reset(gpu);
    }

    @Override
    public Optional<DeviceEvent> nextEvent(Duration atMost) {
        return Optional.empty();
    }

    @Override
    public Recovery recovery(PciAddress gpu) {
        return Recovery.UNKNOWN;
    }
}
