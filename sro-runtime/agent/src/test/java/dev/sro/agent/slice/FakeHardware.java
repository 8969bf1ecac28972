package dev.sro.agent.slice;

import static java.util.Objects.requireNonNull;

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
import dev.sro.agent.file.Effects;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * GPUs that know who made which instance, and judge what the agent does to them: written from the rules of hardware alone, with nothing of
 * the code that is judged. Ids and UUIDs depend on the place, as NVIDIA's do, so that instances of two owners may look the same. Not
 * thread-safe.
 */
final class FakeHardware implements DevicePort {
    private final Effects effects;
    private final RandomGenerator random;
    private final List<Gpu> gpus;
    private final List<Instance> instances = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private final Set<String> inUse = new HashSet<>();
    private final Map<PciAddress, GpuMode> modes = new HashMap<>();
    private int failAfter = Integer.MAX_VALUE;

    /** One instance, and whose it is. */
    static final class Instance {
        final PciAddress gpu;
        final DriverProfile profile;
        final int start;
        final boolean foreign;
        boolean compute;
        boolean open;

        Instance(PciAddress gpu, DriverProfile profile, int start, boolean foreign) {
            this.gpu = gpu;
            this.profile = profile;
            this.start = start;
            this.foreign = foreign;
        }

        int id() {
            return profile.id() * 16 + start;
        }

        String uuid() {
            return "MIG-" + gpu + "-" + id();
        }

        @Override
        public String toString() {
            return (foreign ? "foreign " : "") + profile.name() + " at " + start + " of " + gpu;
        }
    }

    FakeHardware(Effects effects, RandomGenerator random, List<Gpu> gpus) {
        this.effects = effects;
        this.random = random;
        this.gpus = gpus;
        gpus.forEach(gpu -> modes.put(gpu.address(), gpu.mode()));
    }

    /** Where MIG goes on and off without a reset, a boot may find it either way. */
    void boot() {
        gpus.stream()
                .filter(gpu -> !gpu.resetToSwitch())
                .forEach(gpu -> modes.put(gpu.address(), random.nextBoolean() ? GpuMode.SLICES : GpuMode.WHOLE));
    }

    /** Whether a GPU is whole: nobody can have a slice of it. */
    boolean whole(PciAddress gpu) {
        return modes.get(gpu) == GpuMode.WHOLE && instances.stream().noneMatch(one -> one.gpu.equals(gpu));
    }

    List<String> violations() {
        return violations;
    }

    List<Instance> all() {
        return instances;
    }

    /** A pod has this now: nobody may take it. */
    void use(String uuid) {
        inUse.add(uuid);
    }

    void unuse(String uuid) {
        inUse.remove(uuid);
    }

    /** The call after so many goes wrong. */
    void failAfter(int calls) {
        failAfter = calls;
    }

    /** All instances of these GPUs are gone. */
    void reset(Set<PciAddress> which) {
        instances.removeIf(instance -> which.contains(instance.gpu));
        inUse.removeIf(uuid -> which.stream().anyMatch(gpu -> uuid.startsWith("MIG-" + gpu + "-")));
        gpus.stream().filter(gpu -> which.contains(gpu.address())).forEach(gpu -> inUse.remove(gpu.uuid()));
    }

    /** Somebody else makes an instance, if there is room. */
    Optional<Instance> foreign(PciAddress gpu, DriverProfile profile, int start) {
        if (!fits(gpu, profile, start)) {
            return Optional.empty();
        }
        Instance made = new Instance(gpu, profile, start, true);
        made.compute = true;
        instances.add(made);
        return Optional.of(made);
    }

    void foreignLeaves(Instance instance) {
        instances.remove(instance);
    }

    boolean fits(PciAddress gpu, DriverProfile profile, int start) {
        if (modes.get(gpu) != GpuMode.SLICES) {
            return false;
        }
        long same = 1;
        int media = profile.name().endsWith("+me") ? 1 : 0;
        for (Instance other : instances) {
            if (other.gpu.equals(gpu)) {
                for (int unit = start; unit < start + profile.size(); unit++) {
                    if (unit >= other.start && unit < other.start + other.profile.size()) {
                        return false;
                    }
                }
                same += other.profile.id() == profile.id() ? 1 : 0;
                media += other.profile.name().endsWith("+me") ? 1 : 0;
            }
        }
        return same <= profile.maxInstances() && media <= 1;
    }

    @Override
    public DriverVersion version() {
        return new DriverVersion("580.65.06", "13.0");
    }

    @Override
    public List<Gpu> gpus() {
        return gpus.stream().map(this::now).toList();
    }

    private Gpu now(Gpu gpu) {
        return new Gpu(
                gpu.address(),
                gpu.uuid(),
                gpu.product(),
                gpu.pciId(),
                requireNonNull(modes.get(gpu.address())),
                gpu.minor(),
                gpu.numaNode(),
                gpu.profiles(),
                gpu.unavailable(),
                gpu.resetToSwitch());
    }

    @Override
    public List<GpuInstance> instances(PciAddress gpu) throws DeviceException {
        fault(false);
        return instances.stream()
                .filter(instance -> instance.gpu.equals(gpu))
                .map(instance -> new GpuInstance(
                        instance.id(),
                        instance.profile.id(),
                        instance.start,
                        instance.profile.size(),
                        instance.compute ? List.of(new ComputeInstance(0, instance.uuid())) : List.of()))
                .toList();
    }

    /** Whether this call fails; a failing change may be done all the same. */
    private boolean fault(boolean change) throws DeviceException {
        if (failAfter-- > 0) {
            return false;
        }
        failAfter = Integer.MAX_VALUE;
        if (change && random.nextBoolean()) {
            return true;
        }
        throw new DeviceException(DeviceException.Kind.OTHER, "the driver was told to fail");
    }

    private static void afterwards(boolean fails) throws DeviceException {
        if (fails) {
            throw new DeviceException(DeviceException.Kind.TIMEOUT, "the answer was lost");
        }
    }

    @Override
    public int createGpuInstance(PciAddress gpu, DriverProfile profile, int start) throws DeviceException {
        effects.next();
        boolean fails = fault(true);
        if (!profile.starts().contains(start)) {
            violations.add(profile.name() + " cannot begin at " + start);
        }
        if (modes.get(gpu) != GpuMode.SLICES) {
            throw new DeviceException(DeviceException.Kind.NOT_SUPPORTED, "MIG is off");
        }
        if (!fits(gpu, profile, start)) {
            throw new DeviceException(DeviceException.Kind.INSUFFICIENT_RESOURCES, "no room");
        }
        Instance made = new Instance(gpu, profile, start, false);
        instances.add(made);
        afterwards(fails);
        return made.id();
    }

    @Override
    public ComputeInstance createComputeInstance(PciAddress gpu, int gpuInstance) throws DeviceException {
        effects.next();
        boolean fails = fault(true);
        Instance instance = find(gpu, gpuInstance);
        if (instance.foreign) {
            violations.add("a compute instance was made in " + instance);
        }
        if (instance.compute) {
            throw new DeviceException(DeviceException.Kind.INSUFFICIENT_RESOURCES, "full");
        }
        instance.compute = true;
        afterwards(fails);
        return new ComputeInstance(0, instance.uuid());
    }

    @Override
    public void destroyComputeInstance(PciAddress gpu, int gpuInstance, int compute) throws DeviceException {
        effects.next();
        boolean fails = fault(true);
        Instance instance = judge(gpu, gpuInstance);
        if (instance.open) {
            throw new DeviceException(DeviceException.Kind.IN_USE, "somebody holds it open");
        }
        instance.compute = false;
        afterwards(fails);
    }

    @Override
    public void destroyGpuInstance(PciAddress gpu, int gpuInstance) throws DeviceException {
        effects.next();
        boolean fails = fault(true);
        Instance instance = judge(gpu, gpuInstance);
        if (instance.compute) {
            throw new DeviceException(DeviceException.Kind.IN_USE, "has a compute instance");
        }
        instances.remove(instance);
        afterwards(fails);
    }

    @Override
    public void setSlices(PciAddress address, boolean slices) throws DeviceException {
        effects.next();
        boolean fails = fault(true);
        Gpu gpu = gpus.stream()
                .filter(one -> one.address().equals(address))
                .findFirst()
                .orElseThrow();
        if (gpu.resetToSwitch()) {
            violations.add("the agent asks for a mode that needs a reset of " + address);
        }
        if (inUse.contains(gpu.uuid())) {
            violations.add("the agent changes the mode of " + address + ", which a pod has");
        }
        if (instances.stream().anyMatch(one -> one.gpu.equals(address))) {
            throw new DeviceException(DeviceException.Kind.IN_USE, "has instances");
        }
        modes.put(address, slices ? GpuMode.SLICES : GpuMode.WHOLE);
        afterwards(fails);
    }

    @Override
    public void reset(PciAddress gpu) {
        violations.add("the agent resets " + gpu + ", which nobody ordered");
    }

    @Override
    public Optional<DeviceEvent> nextEvent(Duration atMost) {
        return Optional.empty();
    }

    @Override
    public Recovery recovery(PciAddress gpu) {
        return Recovery.UNKNOWN;
    }

    private Instance judge(PciAddress gpu, int id) throws DeviceException {
        Instance instance = find(gpu, id);
        if (instance.foreign) {
            violations.add("the agent destroys " + instance);
        }
        if (inUse.contains(instance.uuid())) {
            violations.add("the agent destroys " + instance + ", which a pod has");
        }
        return instance;
    }

    private Instance find(PciAddress gpu, int id) throws DeviceException {
        return instances.stream()
                .filter(instance -> instance.gpu.equals(gpu) && instance.id() == id)
                .findFirst()
                .orElseThrow(() -> new DeviceException(DeviceException.Kind.NOT_FOUND, "no instance " + id));
    }
}
