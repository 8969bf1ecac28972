package dev.sro.agent.emulated;

import dev.sro.agent.device.ComputeInstance;
import dev.sro.agent.device.DeviceException;
import dev.sro.agent.device.DriverProfile;
import dev.sro.agent.device.Gpu;
import dev.sro.agent.device.GpuInstance;
import dev.sro.agent.device.GpuMode;
import dev.sro.agent.device.PciAddress;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.catalogue.SliceProfile;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.UUID;

/** One GPU that is not there, with the rules of its model. As on hardware, ids and UUIDs depend on the place alone. Thread-safe. */
final class EmulatedGpu {
    private static final int MIB_PER_GIB = 1024;
    private static final int FIRST_UNKNOWN_ID = 100;
    private static final int UNITS = DeviceModel.MAX_UNITS;

    private final DeviceModel model;
    private final Gpu made;
    private final boolean resettable;
    private GpuMode mode;
    private GpuMode next;
    private final Map<Integer, GpuInstance> instances = new TreeMap<>();

    EmulatedGpu(PciAddress address, int minor, EmulatedGpus kind, String nodeUuid) {
        model = kind.model();
        resettable = kind.resettable();
        mode = kind.mode();
        // What waits for a reset was switched on, as nobody said otherwise.
        next = mode == GpuMode.PENDING ? GpuMode.SLICES : mode;
        boolean offers = mode == GpuMode.SLICES || mode == GpuMode.WHOLE || mode == GpuMode.PENDING;
        made = new Gpu(
                address,
                "GPU-" + uuid(nodeUuid + address),
                model.products().stream().sorted().findFirst().orElse(model.key()),
                model.pciDeviceIds().stream().sorted().findFirst().orElse("0x0000"),
                mode,
                minor,
                OptionalInt.of(minor % 2),
                offers ? profiles(model) : List.of(),
                List.of(),
                model.architecture().startsWith("Ampere"));
    }

    private static String uuid(String name) {
        return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString();
    }

    private static List<DriverProfile> profiles(DeviceModel model) {
        List<DriverProfile> profiles = new ArrayList<>();
        for (SliceProfile profile : model.profiles()) {
            profiles.add(new DriverProfile(
                    profile.giProfileId().orElse(FIRST_UNKNOWN_ID + profiles.size()),
                    profile.nvmlProfileEnum(),
                    profile.name(),
                    profile.computeSlices(),
                    profile.size(),
                    profile.starts(),
                    profile.maxInstances(),
                    profile.engines(),
                    Math.round(profile.memoryGiB().orElse(0.0) * MIB_PER_GIB)));
        }
        return profiles;
    }

    synchronized Gpu gpu() {
        return new Gpu(
                made.address(),
                made.uuid(),
                made.product(),
                made.pciId(),
                mode,
                made.minor(),
                made.numaNode(),
                made.profiles(),
                made.unavailable(),
                made.resetToSwitch());
    }

    /** Switches at once, or when it is reset. */
    synchronized void setSlices(boolean slices) throws DeviceException {
        if (made.profiles().isEmpty()) {
            throw refusal(DeviceException.Kind.NOT_SUPPORTED, mode.text());
        }
        if (!instances.isEmpty()) {
            throw refusal(DeviceException.Kind.IN_USE, "has GPU instances");
        }
        next = slices ? GpuMode.SLICES : GpuMode.WHOLE;
        mode = mode == next || !made.resetToSwitch() ? next : GpuMode.PENDING;
    }

    synchronized void reset() throws DeviceException {
        if (!resettable) {
            throw refusal(DeviceException.Kind.NOT_SUPPORTED, "cannot be reset");
        }
        clear();
    }

    synchronized List<GpuInstance> instances() {
        return List.copyOf(instances.values());
    }

    /** Makes an instance, or says what the driver would say. */
    synchronized int create(DriverProfile wanted, int start) throws DeviceException {
        DriverProfile profile = made.profile(wanted.id())
                .orElseThrow(() -> refusal(DeviceException.Kind.INVALID, "has no profile " + wanted.id()));
        if (mode != GpuMode.SLICES) {
            throw refusal(DeviceException.Kind.NOT_SUPPORTED, mode.text());
        }
        if (!profile.starts().contains(start)) {
            throw refusal(DeviceException.Kind.INVALID, profile.name() + " does not begin at " + start);
        }
        for (GpuInstance other : instances.values()) {
            if (other.overlaps(start, profile.size())) {
                throw refusal(
                        DeviceException.Kind.INSUFFICIENT_RESOURCES,
                        "unit " + Math.max(start, other.start()) + " is taken by GPU instance " + other.id());
            }
        }
        checkLimits(profile);
        int id = 1 + made.profiles().indexOf(profile) * UNITS + start;
        instances.put(id, new GpuInstance(id, profile.id(), start, profile.size(), List.of()));
        return id;
    }

    private void checkLimits(DriverProfile wanted) throws DeviceException {
        List<SliceProfile> all = new ArrayList<>();
        all.add(profile(wanted.id()));
        instances.values().forEach(instance -> all.add(profile(instance.profileId())));
        long same = all.stream().filter(all.get(0)::equals).count();
        if (same > wanted.maxInstances()) {
            throw refusal(
                    DeviceException.Kind.INSUFFICIENT_RESOURCES,
                    "has room for " + wanted.maxInstances() + " of " + wanted.name());
        }
        for (Map.Entry<String, Integer> engine : model.engineCapacity().entrySet()) {
            int used = all.stream()
                    .mapToInt(profile -> profile.engines().getOrDefault(engine.getKey(), 0))
                    .sum();
            if (used > engine.getValue()) {
                throw refusal(DeviceException.Kind.INSUFFICIENT_RESOURCES, "has no " + engine.getKey() + " left");
            }
        }
        String limited = all.get(0).limitClass();
        long ofClass = all.stream()
                .filter(profile -> profile.limitClass().equals(limited))
                .count();
        if (!limited.isEmpty() && ofClass > model.classLimits().getOrDefault(limited, Integer.MAX_VALUE)) {
            throw refusal(DeviceException.Kind.INSUFFICIENT_RESOURCES, "has no more " + limited);
        }
    }

    private SliceProfile profile(int id) {
        for (int i = 0; i < made.profiles().size(); i++) {
            if (made.profiles().get(i).id() == id) {
                return model.profiles().get(i);
            }
        }
        throw new IllegalStateException("profile " + id);
    }

    synchronized ComputeInstance createCompute(int instance) throws DeviceException {
        GpuInstance of = find(instance);
        if (!of.compute().isEmpty()) {
            throw refusal(DeviceException.Kind.INSUFFICIENT_RESOURCES, "GPU instance " + instance + " is full");
        }
        ComputeInstance compute = new ComputeInstance(0, "MIG-" + uuid(made.uuid() + "/" + instance + "/0"));
        instances.put(instance, new GpuInstance(instance, of.profileId(), of.start(), of.size(), List.of(compute)));
        return compute;
    }

    synchronized void destroyCompute(int instance, int compute) throws DeviceException {
        GpuInstance of = find(instance);
        List<ComputeInstance> left =
                of.compute().stream().filter(one -> one.id() != compute).toList();
        if (left.size() == of.compute().size()) {
            throw refusal(
                    DeviceException.Kind.NOT_FOUND, "GPU instance " + instance + " has no compute instance " + compute);
        }
        instances.put(instance, new GpuInstance(instance, of.profileId(), of.start(), of.size(), left));
    }

    synchronized void destroy(int instance) throws DeviceException {
        if (!find(instance).compute().isEmpty()) {
            throw refusal(DeviceException.Kind.IN_USE, "GPU instance " + instance + " has compute instances");
        }
        instances.remove(instance);
    }

    synchronized void clear() {
        instances.clear();
        mode = next;
    }

    private GpuInstance find(int instance) throws DeviceException {
        GpuInstance found = instances.get(instance);
        if (found == null) {
            throw refusal(DeviceException.Kind.NOT_FOUND, "has no GPU instance " + instance);
        }
        return found;
    }

    private DeviceException refusal(DeviceException.Kind kind, String what) {
        return new DeviceException(kind, made.address() + ": " + what);
    }
}
