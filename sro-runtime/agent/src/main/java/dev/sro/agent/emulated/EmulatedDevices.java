package dev.sro.agent.emulated;

import dev.sro.agent.device.ComputeInstance;
import dev.sro.agent.device.DeviceEvent;
import dev.sro.agent.device.DeviceException;
import dev.sro.agent.device.DevicePort;
import dev.sro.agent.device.DriverProfile;
import dev.sro.agent.device.DriverVersion;
import dev.sro.agent.device.FatalXids;
import dev.sro.agent.device.Gpu;
import dev.sro.agent.device.GpuInstance;
import dev.sro.agent.device.PciAddress;
import dev.sro.agent.device.Recovery;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * The devices of a node that are not there. They live as long as this object: instances that are gone with it are made again by the
 * agent, as after a reset of GPUs. Thread-safe.
 */
public final class EmulatedDevices implements DevicePort {
    private static final int FIRST_BUS = 0x10;

    /** The report after which nothing of a GPU answers. */
    private static final int FALLEN_OFF_THE_BUS = 79;

    private final EmulatedNode node;
    private final Consumer<Duration> pause;
    private final Map<PciAddress, EmulatedGpu> gpus = new TreeMap<>();
    private final List<AtomicInteger> calls;
    private final FatalXids xids = FatalXids.load();
    private final Map<PciAddress, Integer> ill = new ConcurrentHashMap<>();
    private final BlockingQueue<DeviceEvent> events = new LinkedBlockingQueue<>();

    /**
     * Devices without instances.
     *
     * @param name of the node; UUIDs depend on it
     * @param pause waits for as long as an operation takes
     */
    public EmulatedDevices(String name, EmulatedNode node, Consumer<Duration> pause) {
        this.node = node;
        this.pause = pause;
        calls = IntStream.range(0, node.failures().size())
                .mapToObj(i -> new AtomicInteger())
                .toList();
        node.faults().forEach(this::raise);
        for (EmulatedGpus kind : node.gpus()) {
            for (int i = 0; i < kind.count(); i++) {
                PciAddress address = new PciAddress(0, FIRST_BUS + gpus.size(), 0, 0);
                gpus.put(address, new EmulatedGpu(address, gpus.size(), kind, name));
            }
        }
    }

    @Override
    public DriverVersion version() {
        return node.version();
    }

    @Override
    public List<Gpu> gpus() {
        return gpus.values().stream().map(EmulatedGpu::gpu).toList();
    }

    @Override
    public List<GpuInstance> instances(PciAddress gpu) throws DeviceException {
        return perform(EmulatedOperation.LIST, gpu, EmulatedGpu::instances);
    }

    @Override
    public int createGpuInstance(PciAddress gpu, DriverProfile profile, int start) throws DeviceException {
        return perform(EmulatedOperation.CREATE_GPU_INSTANCE, gpu, at -> at.create(profile, start));
    }

    @Override
    public ComputeInstance createComputeInstance(PciAddress gpu, int gpuInstance) throws DeviceException {
        return perform(EmulatedOperation.CREATE_COMPUTE_INSTANCE, gpu, at -> at.createCompute(gpuInstance));
    }

    @Override
    public void destroyComputeInstance(PciAddress gpu, int gpuInstance, int computeInstance) throws DeviceException {
        perform(EmulatedOperation.DESTROY_COMPUTE_INSTANCE, gpu, at -> {
            at.destroyCompute(gpuInstance, computeInstance);
            return gpuInstance;
        });
    }

    @Override
    public void destroyGpuInstance(PciAddress gpu, int gpuInstance) throws DeviceException {
        perform(EmulatedOperation.DESTROY_GPU_INSTANCE, gpu, at -> {
            at.destroy(gpuInstance);
            return gpuInstance;
        });
    }

    @Override
    public void setSlices(PciAddress gpu, boolean slices) throws DeviceException {
        perform(EmulatedOperation.SET_MODE, gpu, at -> {
            at.setSlices(slices);
            return slices;
        });
    }

    @Override
    public void reset(PciAddress gpu) throws DeviceException {
        perform(EmulatedOperation.RESET, gpu, at -> {
            at.reset();
            ill.remove(gpu);
            return gpu;
        });
    }

    @Override
    public Optional<DeviceEvent> nextEvent(Duration atMost) {
        try {
            return Optional.ofNullable(events.poll(atMost.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    @Override
    public Recovery recovery(PciAddress gpu) {
        Integer xid = ill.get(gpu);
        Optional<String> meaning = xid == null ? Optional.empty() : xids.meaning(xid);
        return meaning.map(text -> text.endsWith(FatalXids.RESET) ? Recovery.RESET : Recovery.NEEDED)
                .orElse(Recovery.NONE);
    }

    /** What a reboot, or a reset of all GPUs, does: no instance stays, modes are as they were asked for, and all are well. */
    public void reset() {
        gpus.values().forEach(EmulatedGpu::clear);
        ill.clear();
    }

    /** Has a GPU ill, with a report of this number, until it is reset or {@link #heal healed}. */
    public void raise(PciAddress gpu, int xid) {
        ill.put(gpu, xid);
        events.add(new DeviceEvent(gpu, xid));
    }

    /** The GPU is well again. */
    public void heal(PciAddress gpu) {
        ill.remove(gpu);
    }

    /** Has just these GPUs ill. */
    public void faults(Map<PciAddress, Integer> faults) {
        ill.keySet().retainAll(faults.keySet());
        faults.forEach((gpu, xid) -> {
            if (!xid.equals(ill.get(gpu))) {
                raise(gpu, xid);
            }
        });
    }

    private interface Call<T> {
        T on(EmulatedGpu gpu) throws DeviceException;
    }

    private <T> T perform(EmulatedOperation operation, PciAddress address, Call<T> call) throws DeviceException {
        EmulatedGpu gpu = gpus.get(address);
        if (gpu == null) {
            throw new DeviceException(DeviceException.Kind.NOT_FOUND, address + ": the node has no such GPU");
        }
        if (Integer.valueOf(FALLEN_OFF_THE_BUS).equals(ill.get(address))) {
            throw new DeviceException(DeviceException.Kind.GPU_IS_LOST, address + ": has fallen off the bus");
        }
        if (operation != EmulatedOperation.LIST) {
            pause.accept(operation.creates() ? node.create() : node.destroy());
        }
        for (int i = 0; i < node.failures().size(); i++) {
            EmulatedFailure failure = node.failures().get(i);
            if (failure.operation() == operation
                    && failure.gpu().map(address::equals).orElse(true)) {
                int before = calls.get(i).getAndIncrement();
                if (before >= failure.skip() && before - failure.skip() < failure.times()) {
                    if (failure.done()) {
                        call.on(gpu);
                    }
                    throw new DeviceException(failure.kind(), address + ": " + operation.text() + " was told to fail");
                }
            }
        }
        return call.on(gpu);
    }
}
