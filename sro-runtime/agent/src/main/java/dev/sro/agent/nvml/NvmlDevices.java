package dev.sro.agent.nvml;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.IntByReference;
import dev.sro.agent.device.ComputeInstance;
import dev.sro.agent.device.DeviceEvent;
import dev.sro.agent.device.DeviceException;
import dev.sro.agent.device.DevicePort;
import dev.sro.agent.device.DriverProfile;
import dev.sro.agent.device.DriverVersion;
import dev.sro.agent.device.Gpu;
import dev.sro.agent.device.GpuInstance;
import dev.sro.agent.device.GpuMode;
import dev.sro.agent.device.PciAddress;
import dev.sro.agent.device.Recovery;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;

/**
 * NVIDIA's GPUs. One session for the life of the process, but for resets: whoever has a session holds all GPUs open, and keeps them from
 * being reset. GPUs are looked up by PCI address each time, as a reset makes handles void. Thread-safe; a reset waits for calls that are
 * under way, and calls wait for it.
 */
public final class NvmlDevices implements DevicePort {
    private static final int TEXT_LENGTH = 96;
    static final int PCI_INFO = 68;
    static final int BUS_ID = 36;
    private static final int PCI_DEVICE_ID = 28;

    /** {@code nvmlGpuVirtualizationMode_t}: from here on the GPU is, or carries, virtual ones. 1 is a GPU given whole to this machine. */
    private static final int VIRTUAL = 2;

    /** Major compute capability. */
    private static final int HOPPER = 9;

    private static final String EXPLICIT = "nvmlDeviceCreateGpuInstanceWithPlacement";

    private final NvmlLibrary library;
    private final NvmlProfiles profiles;
    private final NvmlInstances instances;
    private final NvmlEvents events;
    private final NvidiaReset reset;
    private final Consumer<String> log;
    private final Map<PciAddress, List<DriverProfile>> known = new ConcurrentHashMap<>();
    private final Map<PciAddress, Gpu> answered = new ConcurrentHashMap<>();
    private final Set<String> said = ConcurrentHashMap.newKeySet();
    private final ReadWriteLock session = new ReentrantReadWriteLock();
    private volatile boolean begun = true;

    private NvmlDevices(NvmlLibrary library, Path root, Consumer<String> log) {
        this.library = library;
        this.log = log;
        events = new NvmlEvents(library);
        reset = new NvidiaReset(root, Path.of("/"), log);
        profiles = new NvmlProfiles(library);
        instances = new NvmlInstances(library);
    }

    /**
     * Loads the library of the driver and begins a session.
     *
     * @param root where the driver is installed: {@code /} of the host, or {@code /run/nvidia/driver} of a driver container, as mounted here
     * @param log takes a sentence at a time
     * @throws DeviceException if there is no library, or no driver that answers
     */
    public static NvmlDevices open(Path root, Consumer<String> log) throws DeviceException {
        NvmlLibrary library = NvmlLibrary.load(root);
        library.call("nvmlInit_v2");
        return new NvmlDevices(library, root, log);
    }

    @Override
    public DriverVersion version() throws DeviceException {
        return inSession(() -> {
            int cuda = library.number("nvmlSystemGetCudaDriverVersion_v2");
            return new DriverVersion(
                    library.text("nvmlSystemGetDriverVersion", TEXT_LENGTH), cuda / 1000 + "." + cuda % 1000 / 10);
        });
    }

    @Override
    public List<Gpu> gpus() throws DeviceException {
        return inSession(this::all);
    }

    private List<Gpu> all() throws DeviceException {
        Map<PciAddress, Gpu> gpus = new TreeMap<>();
        int count = library.number("nvmlDeviceGetCount_v2");
        for (int i = 0; i < count; i++) {
            try {
                Gpu gpu = gpu(library.handle("nvmlDeviceGetHandleByIndex_v2", i));
                gpus.put(gpu.address(), gpu);
            } catch (DeviceException e) {
                if (e.kind() == DeviceException.Kind.NO_DRIVER) {
                    throw e;
                }
                // One that fell off the bus does not even say which it is; the others go on.
                sayOnce("GPU " + i + " of the driver does not answer: " + e.getMessage());
            }
        }
        answered.putAll(gpus);
        // As it was: whoever asks for its instances hears that it does not answer.
        answered.forEach(gpus::putIfAbsent);
        return List.copyOf(gpus.values());
    }

    private void sayOnce(String text) {
        if (said.add(text)) {
            log.accept(text);
        }
    }

    private Gpu gpu(Pointer device) throws DeviceException {
        Memory pci = NvmlLibrary.zeroed(PCI_INFO);
        library.call("nvmlDeviceGetPciInfo_v3", device, pci);
        PciAddress address = PciAddress.of(pci.getString(BUS_ID, "US-ASCII"));
        GpuMode mode = mode(device);
        List<DriverProfile> offered = mode == GpuMode.UNABLE || mode == GpuMode.VGPU ? List.of() : profiles.of(device);
        known.put(address, offered);
        IntByReference numa = new IntByReference();
        boolean numaKnown = library.code("nvmlDeviceGetNumaNodeId", device, numa) == NvmlCodes.SUCCESS;
        return new Gpu(
                address,
                library.text("nvmlDeviceGetUUID", TEXT_LENGTH, device),
                library.text("nvmlDeviceGetName", TEXT_LENGTH, device),
                String.format(Locale.ROOT, "0x%08X", pci.getInt(PCI_DEVICE_ID)),
                mode,
                library.number("nvmlDeviceGetMinorNumber", device),
                numaKnown ? OptionalInt.of(numa.getValue()) : OptionalInt.empty(),
                offered,
                unavailable(numaKnown),
                resetToSwitch(device));
    }

    /** From compute capability 9 on, which is Hopper, the mode changes at once. What does not say is taken for older. */
    private boolean resetToSwitch(Pointer device) {
        IntByReference major = new IntByReference();
        int code = library.code("nvmlDeviceGetCudaComputeCapability", device, major, new IntByReference());
        return code != NvmlCodes.SUCCESS || major.getValue() < HOPPER;
    }

    private List<String> unavailable(boolean numaKnown) {
        List<String> missing = new ArrayList<>();
        if (!library.has(EXPLICIT)) {
            missing.add("slices: the driver has no " + EXPLICIT + "; a newer one is needed");
        }
        if (!library.has("nvmlDeviceGetGpuInstanceProfileInfoV")) {
            missing.add(
                    "names of profiles: the driver has no nvmlDeviceGetGpuInstanceProfileInfoV; they are worked out");
        }
        if (!numaKnown) {
            missing.add("NUMA node: the driver does not tell it");
        }
        return missing;
    }

    private GpuMode mode(Pointer device) throws DeviceException {
        IntByReference virtual = new IntByReference();
        if (library.code("nvmlDeviceGetVirtualizationMode", device, virtual) == NvmlCodes.SUCCESS
                && virtual.getValue() >= VIRTUAL) {
            return GpuMode.VGPU;
        }
        IntByReference current = new IntByReference();
        IntByReference pending = new IntByReference();
        int code = library.code("nvmlDeviceGetMigMode", device, current, pending);
        if (code == NvmlCodes.NOT_SUPPORTED || code == NvmlCodes.FUNCTION_NOT_FOUND) {
            return GpuMode.UNABLE;
        }
        if (code != NvmlCodes.SUCCESS) {
            throw NvmlCodes.exception("nvmlDeviceGetMigMode", code);
        }
        if (current.getValue() != pending.getValue()) {
            return GpuMode.PENDING;
        }
        return current.getValue() == 1 ? GpuMode.SLICES : GpuMode.WHOLE;
    }

    private Pointer handle(PciAddress gpu) throws DeviceException {
        return library.handle("nvmlDeviceGetHandleByPciBusId_v2", gpu.toString());
    }

    private List<DriverProfile> profiles(PciAddress gpu, Pointer device) throws DeviceException {
        List<DriverProfile> cached = known.get(gpu);
        return cached == null ? gpu(device).profiles() : cached;
    }

    @Override
    public List<GpuInstance> instances(PciAddress gpu) throws DeviceException {
        return named(gpu, () -> {
            Pointer device = handle(gpu);
            GpuMode mode = mode(device);
            List<DriverProfile> offered = profiles(gpu, device);
            if (mode == GpuMode.UNABLE && !offered.isEmpty()) {
                // Whoever believed that would take its instances for gone.
                throw new DeviceException(DeviceException.Kind.OTHER, "the driver says no more that the GPU has MIG");
            }
            return mode == GpuMode.SLICES ? instances.list(device, offered) : List.of();
        });
    }

    @Override
    public int createGpuInstance(PciAddress gpu, DriverProfile profile, int start) throws DeviceException {
        return named(gpu, () -> instances.create(handle(gpu), profile, start));
    }

    @Override
    public ComputeInstance createComputeInstance(PciAddress gpu, int gpuInstance) throws DeviceException {
        return named(gpu, () -> {
            Pointer device = handle(gpu);
            List<DriverProfile> offered = profiles(gpu, device);
            GpuInstance instance = instances.list(device, offered).stream()
                    .filter(one -> one.id() == gpuInstance)
                    .findFirst()
                    .orElseThrow(() -> new DeviceException(
                            DeviceException.Kind.NOT_FOUND, "GPU instance " + gpuInstance + " is gone"));
            int slices = offered.stream()
                    .filter(profile -> profile.id() == instance.profileId())
                    .mapToInt(DriverProfile::computeSlices)
                    .findFirst()
                    .orElse(0);
            return instances.createCompute(device, gpuInstance, slices);
        });
    }

    @Override
    public void destroyComputeInstance(PciAddress gpu, int gpuInstance, int computeInstance) throws DeviceException {
        named(gpu, () -> {
            instances.destroyCompute(handle(gpu), gpuInstance, computeInstance);
            return gpuInstance;
        });
    }

    @Override
    public void destroyGpuInstance(PciAddress gpu, int gpuInstance) throws DeviceException {
        named(gpu, () -> {
            instances.destroy(handle(gpu), gpuInstance);
            return gpuInstance;
        });
    }

    @Override
    public void setSlices(PciAddress gpu, boolean slices) throws DeviceException {
        named(gpu, () -> {
            IntByReference activation = new IntByReference();
            library.call("nvmlDeviceSetMigMode", handle(gpu), slices ? 1 : 0, activation);
            // That it waits for a reset, the mode says.
            if (activation.getValue() != NvmlCodes.SUCCESS && activation.getValue() != NvmlCodes.RESET_REQUIRED) {
                throw NvmlCodes.exception("nvmlDeviceSetMigMode, activation", activation.getValue());
            }
            return slices;
        });
    }

    @Override
    public void reset(PciAddress gpu) throws DeviceException {
        session.writeLock().lock();
        try {
            // Whatever is there afterwards has to answer for itself.
            answered.remove(gpu);
            events.end();
            library.code("nvmlShutdown");
            begun = false;
            reset.perform(gpu);
        } finally {
            session.writeLock().unlock();
        }
    }

    /** A session that a reset ended is begun anew by the first call after it. */
    private <T> T inSession(Call<T> call) throws DeviceException {
        session.readLock().lock();
        try {
            begin();
            return call.run();
        } finally {
            session.readLock().unlock();
        }
    }

    private void begin() throws DeviceException {
        if (!begun) {
            synchronized (session) {
                if (!begun) {
                    library.call("nvmlInit_v2");
                    begun = true;
                }
            }
        }
    }

    @Override
    public Optional<DeviceEvent> nextEvent(Duration atMost) throws DeviceException {
        return inSession(() -> events.next(atMost));
    }

    @Override
    public Recovery recovery(PciAddress gpu) throws DeviceException {
        return named(gpu, () -> events.recovery(handle(gpu)));
    }

    private interface Call<T> {
        T run() throws DeviceException;
    }

    private <T> T named(PciAddress gpu, Call<T> call) throws DeviceException {
        try {
            return inSession(call);
        } catch (DeviceException e) {
            throw new DeviceException(e.kind(), gpu + ": " + e.getMessage());
        }
    }
}
