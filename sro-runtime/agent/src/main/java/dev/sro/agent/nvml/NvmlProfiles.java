package dev.sro.agent.nvml;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.IntByReference;
import dev.sro.agent.device.DeviceException;
import dev.sro.agent.device.DriverProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * Profiles of GPU instances as the driver lists them: by the newest structure that it knows, and where that has no name (drivers before 510),
 * with a name made of slices, memory and kind. Layouts are those of {@code nvml.h}, 64-bit. Stateless.
 */
final class NvmlProfiles {
    /** More than any driver has; the enumeration ends where the driver says so. */
    private static final int MOST_PROFILES = 64;

    private static final int MOST_PLACEMENTS = 64;
    private static final int PLACEMENT_SIZE = 8;
    private static final int NAME_LENGTH = 96;
    private static final long BYTES_PER_MIB = 1L << 20;
    private static final long BYTES_PER_GIB = 1L << 30;

    /** NVIDIA rounds the memory of an instance up to eighths of that of the GPU before it names it. */
    private static final int FRACTIONS = 8;

    /** Of one version of {@code nvmlGpuInstanceProfileInfo_t}. {@code name} is -1 where it has none. */
    private record Layout(int version, int size, int id, int slices, int count, int engines, int memory, int name) {}

    private static final Layout V3 = new Layout(3, 152, 4, 8, 12, 24, 40, 48);
    private static final Layout V2 = new Layout(2, 152, 4, 12, 16, 28, 48, 56);
    private static final Layout V1 = new Layout(1, 48, 0, 8, 12, 24, 40, -1);
    private static final List<String> ENGINES = List.of("nvdec", "nvenc", "jpeg", "ofa");

    private final NvmlLibrary library;

    NvmlProfiles(NvmlLibrary library) {
        this.library = library;
    }

    List<DriverProfile> of(Pointer device) throws DeviceException {
        List<DriverProfile> profiles = new ArrayList<>();
        for (int number = 0; number < MOST_PROFILES; number++) {
            Answer answer = info(device, number);
            if (answer.code == NvmlCodes.INVALID_ARGUMENT) {
                return profiles;
            }
            if (answer.code == NvmlCodes.SUCCESS) {
                profile(device, number, answer).ifPresent(profiles::add);
            } else if (answer.code != NvmlCodes.NOT_SUPPORTED) {
                throw NvmlCodes.exception("nvmlDeviceGetGpuInstanceProfileInfo", answer.code);
            }
        }
        return profiles;
    }

    private record Answer(int code, Layout layout, Memory memory) {}

    private Answer info(Pointer device, int number) {
        for (Layout layout : List.of(V3, V2)) {
            Memory memory = NvmlLibrary.zeroed(layout.size);
            memory.setInt(0, layout.size | layout.version << 24);
            int code = library.code("nvmlDeviceGetGpuInstanceProfileInfoV", device, number, memory);
            // A driver that knows an older structure alone says that of each number, or takes the version for an
            // argument.
            boolean older = code == NvmlCodes.FUNCTION_NOT_FOUND || code == NvmlCodes.ARGUMENT_VERSION_MISMATCH;
            if (!older) {
                return new Answer(code, layout, memory);
            }
        }
        Memory memory = NvmlLibrary.zeroed(V1.size);
        return new Answer(library.code("nvmlDeviceGetGpuInstanceProfileInfo", device, number, memory), V1, memory);
    }

    private Optional<DriverProfile> profile(Pointer device, int number, Answer answer) throws DeviceException {
        Memory memory = answer.memory;
        Layout layout = answer.layout;
        int id = memory.getInt(layout.id);
        Map<Integer, Integer> placements = placements(device, id);
        if (placements.isEmpty()) {
            return Optional.empty();
        }
        Map<String, Integer> engines = new TreeMap<>();
        for (int i = 0; i < ENGINES.size(); i++) {
            int count = memory.getInt(layout.engines + (long) i * Integer.BYTES);
            if (count > 0) {
                engines.put(ENGINES.get(i), count);
            }
        }
        int slices = memory.getInt(layout.slices);
        long mebibytes = memory.getLong(layout.memory);
        return Optional.of(new DriverProfile(
                id,
                OptionalInt.of(number),
                layout.name < 0 ? name(device, number, slices, mebibytes) : printed(memory, layout.name),
                slices,
                placements.values().iterator().next(),
                List.copyOf(placements.keySet()),
                memory.getInt(layout.count),
                engines,
                mebibytes));
    }

    /** The driver writes {@code MIG 1g.5gb}. */
    private static String printed(Memory memory, int offset) {
        byte[] bytes = memory.getByteArray(offset, NAME_LENGTH);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < bytes.length && bytes[i] != 0; i++) {
            text.append((char) bytes[i]);
        }
        return text.toString().replaceFirst("^MIG ", "");
    }

    private String name(Pointer device, int number, int slices, long mebibytes) throws DeviceException {
        Memory memory = NvmlLibrary.zeroed(24);
        library.call("nvmlDeviceGetMemoryInfo", device, memory);
        long total = memory.getLong(0);
        double fraction = Math.ceil((double) mebibytes * BYTES_PER_MIB / total * FRACTIONS) / FRACTIONS;
        long whole = (total + BYTES_PER_GIB - 1) / BYTES_PER_GIB;
        long gibibytes = Math.round(fraction * whole);
        String kind = switch (number) {
            case 7, 8 -> "+me";
            case 10, 11, 12, 17 -> "+gfx";
            case 13, 14 -> "-me";
            case 15, 16 -> "+me.all";
            default -> "";
        };
        return slices + "g." + gibibytes + "gb" + kind;
    }

    /** Sizes by start. */
    private Map<Integer, Integer> placements(Pointer device, int id) throws DeviceException {
        IntByReference count = new IntByReference(MOST_PLACEMENTS);
        Memory memory = NvmlLibrary.zeroed((long) MOST_PLACEMENTS * PLACEMENT_SIZE);
        String newer = "nvmlDeviceGetGpuInstancePossiblePlacements_v2";
        String older = "nvmlDeviceGetGpuInstancePossiblePlacements";
        library.call(library.has(newer) ? newer : older, device, id, memory, count);
        Map<Integer, Integer> placements = new TreeMap<>();
        for (int i = 0; i < count.getValue(); i++) {
            long at = (long) i * PLACEMENT_SIZE;
            placements.put(memory.getInt(at), memory.getInt(at + Integer.BYTES));
        }
        return placements;
    }
}
