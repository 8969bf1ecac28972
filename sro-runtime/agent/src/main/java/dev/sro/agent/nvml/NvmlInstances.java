package dev.sro.agent.nvml;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.PointerByReference;
import dev.sro.agent.device.ComputeInstance;
import dev.sro.agent.device.DeviceException;
import dev.sro.agent.device.DriverProfile;
import dev.sro.agent.device.GpuInstance;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** GPU and compute instances of one GPU, by its handle. Handles are asked for each time, as a reset makes them void. Stateless. */
final class NvmlInstances {
    private static final int UUID_LENGTH = 96;
    private static final int GPU_INSTANCE_INFO = 24;
    private static final int COMPUTE_INSTANCE_INFO = 32;
    private static final int COMPUTE_PROFILE_INFO = 36;

    /** Enumerated until the driver says that there are no more. */
    private static final int MOST_COMPUTE_PROFILES = 32;

    private final NvmlLibrary library;

    NvmlInstances(NvmlLibrary library) {
        this.library = library;
    }

    List<GpuInstance> list(Pointer device, List<DriverProfile> profiles) throws DeviceException {
        Map<String, String> uuids = uuids(device);
        List<GpuInstance> result = new ArrayList<>();
        for (DriverProfile profile : profiles) {
            for (Pointer handle : handles("nvmlDeviceGetGpuInstances", device, profile.id(), profile.maxInstances())) {
                Memory info = NvmlLibrary.zeroed(GPU_INSTANCE_INFO);
                library.call("nvmlGpuInstanceGetInfo", handle, info);
                int id = info.getInt(8);
                List<ComputeInstance> compute = new ArrayList<>();
                for (int one : compute(handle)) {
                    String uuid = uuids.get(id + "/" + one);
                    if (uuid == null) {
                        // An answer without it would look like an instance of somebody else.
                        throw new DeviceException(
                                DeviceException.Kind.TIMEOUT,
                                "compute instance " + one + " of GPU instance " + id + " has no UUID yet");
                    }
                    compute.add(new ComputeInstance(one, uuid));
                }
                result.add(new GpuInstance(id, info.getInt(12), info.getInt(16), info.getInt(20), compute));
            }
        }
        return result;
    }

    private List<Pointer> handles(String function, Pointer of, int profile, int most) throws DeviceException {
        Memory array = NvmlLibrary.zeroed((long) Math.max(1, most) * Native.POINTER_SIZE);
        IntByReference count = new IntByReference(most);
        library.call(function, of, profile, array, count);
        List<Pointer> handles = new ArrayList<>();
        for (int i = 0; i < Math.min(most, count.getValue()); i++) {
            handles.add(array.getPointer((long) i * Native.POINTER_SIZE));
        }
        return handles;
    }

    private record ComputeProfile(int id, int slices, int most) {}

    private List<ComputeProfile> computeProfiles(Pointer instance) throws DeviceException {
        List<ComputeProfile> profiles = new ArrayList<>();
        for (int number = 0; number < MOST_COMPUTE_PROFILES; number++) {
            Memory info = NvmlLibrary.zeroed(COMPUTE_PROFILE_INFO);
            String function = "nvmlGpuInstanceGetComputeInstanceProfileInfo";
            int code = library.code(function, instance, number, 0, info);
            if (code == NvmlCodes.INVALID_ARGUMENT) {
                return profiles;
            }
            if (code == NvmlCodes.SUCCESS) {
                profiles.add(new ComputeProfile(info.getInt(0), info.getInt(4), info.getInt(8)));
            } else if (code != NvmlCodes.NOT_SUPPORTED) {
                throw NvmlCodes.exception(function, code);
            }
        }
        return profiles;
    }

    private List<Integer> compute(Pointer instance) throws DeviceException {
        List<Integer> ids = new ArrayList<>();
        for (ComputeProfile profile : computeProfiles(instance)) {
            for (Pointer handle :
                    handles("nvmlGpuInstanceGetComputeInstances", instance, profile.id(), profile.most())) {
                ids.add(computeId(handle));
            }
        }
        return ids;
    }

    private int computeId(Pointer handle) throws DeviceException {
        Memory info = NvmlLibrary.zeroed(COMPUTE_INSTANCE_INFO);
        String newer = "nvmlComputeInstanceGetInfo_v2";
        library.call(library.has(newer) ? newer : "nvmlComputeInstanceGetInfo", handle, info);
        return info.getInt(16);
    }

    /** UUIDs of MIG devices by {@code GPU instance/compute instance}. Their indexes have holes. */
    private Map<String, String> uuids(Pointer device) throws DeviceException {
        Map<String, String> uuids = new HashMap<>();
        int most = library.number("nvmlDeviceGetMaxMigDeviceCount", device);
        for (int i = 0; i < most; i++) {
            PointerByReference mig = new PointerByReference();
            int code = library.code("nvmlDeviceGetMigDeviceHandleByIndex", device, i, mig);
            if (code == NvmlCodes.NOT_FOUND) {
                continue;
            }
            if (code != NvmlCodes.SUCCESS) {
                throw NvmlCodes.exception("nvmlDeviceGetMigDeviceHandleByIndex", code);
            }
            int instance = library.number("nvmlDeviceGetGpuInstanceId", mig.getValue());
            int compute = library.number("nvmlDeviceGetComputeInstanceId", mig.getValue());
            uuids.put(instance + "/" + compute, library.text("nvmlDeviceGetUUID", UUID_LENGTH, mig.getValue()));
        }
        return uuids;
    }

    int create(Pointer device, DriverProfile profile, int start) throws DeviceException {
        Memory placement = NvmlLibrary.zeroed(8);
        placement.setInt(0, start);
        placement.setInt(4, profile.size());
        Pointer made = library.handle("nvmlDeviceCreateGpuInstanceWithPlacement", device, profile.id(), placement);
        Memory info = NvmlLibrary.zeroed(GPU_INSTANCE_INFO);
        library.call("nvmlGpuInstanceGetInfo", made, info);
        return info.getInt(8);
    }

    /** By the profile that has all slices of the instance: neither its number nor its id is that of the GPU instance's profile. */
    ComputeInstance createCompute(Pointer device, int id, int slices) throws DeviceException {
        Pointer instance = library.handle("nvmlDeviceGetGpuInstanceById", device, id);
        ComputeProfile profile = computeProfiles(instance).stream()
                .filter(one -> one.slices() == slices)
                .findFirst()
                .orElseThrow(() -> new DeviceException(
                        DeviceException.Kind.NOT_SUPPORTED,
                        "GPU instance " + id + ": the driver has no compute instance of " + slices + " slices"));
        int made = computeId(library.handle("nvmlGpuInstanceCreateComputeInstance", instance, profile.id()));
        String uuid = uuids(device).get(id + "/" + made);
        if (uuid == null) {
            throw new DeviceException(
                    DeviceException.Kind.NOT_FOUND, "compute instance " + made + " of " + id + " has no UUID");
        }
        return new ComputeInstance(made, uuid);
    }

    void destroyCompute(Pointer device, int id, int compute) throws DeviceException {
        Pointer instance = library.handle("nvmlDeviceGetGpuInstanceById", device, id);
        library.call(
                "nvmlComputeInstanceDestroy",
                library.handle("nvmlGpuInstanceGetComputeInstanceById", instance, compute));
    }

    void destroy(Pointer device, int id) throws DeviceException {
        library.call("nvmlGpuInstanceDestroy", library.handle("nvmlDeviceGetGpuInstanceById", device, id));
    }
}
