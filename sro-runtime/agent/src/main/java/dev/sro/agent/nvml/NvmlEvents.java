package dev.sro.agent.nvml;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.LongByReference;
import com.sun.jna.ptr.PointerByReference;
import dev.sro.agent.device.DeviceEvent;
import dev.sro.agent.device.DeviceException;
import dev.sro.agent.device.PciAddress;
import dev.sro.agent.device.Recovery;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What the driver tells of errors of GPUs. Layouts and numbers are those of {@code nvml.h}, 64-bit. One thread waits at a time. */
final class NvmlEvents {
    private static final long XID_CRITICAL = 0x8;
    private static final int EVENT_DATA = 32;
    private static final int FIELD_VALUE = 40;

    /** {@code NVML_FI_DEV_GET_GPU_RECOVERY_ACTION}, of drivers from 570 on; 0 for none. */
    private static final int RECOVERY_ACTION = 230;

    /** {@code NVML_GPU_RECOVERY_ACTION_GPU_RESET} and {@code NVML_GPU_RECOVERY_ACTION_DRAIN_AND_RESET}. */
    private static final int GPU_RESET = 1;

    private static final int DRAIN_AND_RESET = 4;

    private final NvmlLibrary library;
    private final Map<Long, PciAddress> addresses = new ConcurrentHashMap<>();
    private @Nullable Pointer events;

    NvmlEvents(NvmlLibrary library) {
        this.library = library;
    }

    Optional<DeviceEvent> next(Duration atMost) throws DeviceException {
        if (events == null) {
            events = register();
        }
        Memory data = NvmlLibrary.zeroed(EVENT_DATA);
        int code = library.code("nvmlEventSetWait_v2", events, data, (int) atMost.toMillis());
        if (code == NvmlCodes.TIMEOUT) {
            return Optional.empty();
        }
        if (code != NvmlCodes.SUCCESS) {
            // After a GPU was lost the set tells of nothing any more.
            library.code("nvmlEventSetFree", events);
            events = null;
            throw NvmlCodes.exception("nvmlEventSetWait_v2", code);
        }
        if ((data.getLong(8) & XID_CRITICAL) == 0) {
            return Optional.empty();
        }
        return Optional.of(new DeviceEvent(address(data.getPointer(0)), (int) data.getLong(16)));
    }

    /** Before the session ends, while nobody waits: the next wait registers anew. */
    void end() {
        if (events != null) {
            library.code("nvmlEventSetFree", events);
            events = null;
        }
    }

    /** One that fell off the bus does not say itself any more which it is. */
    private PciAddress address(Pointer device) throws DeviceException {
        PciAddress known = addresses.get(Pointer.nativeValue(device));
        return known == null ? read(device) : known;
    }

    private PciAddress read(Pointer device) throws DeviceException {
        Memory pci = NvmlLibrary.zeroed(NvmlDevices.PCI_INFO);
        library.call("nvmlDeviceGetPciInfo_v3", device, pci);
        return PciAddress.of(pci.getString(NvmlDevices.BUS_ID, "US-ASCII"));
    }

    private Pointer register() throws DeviceException {
        Pointer set = library.handle("nvmlEventSetCreate");
        int registered = 0;
        int count = library.number("nvmlDeviceGetCount_v2");
        addresses.clear();
        for (int i = 0; i < count; i++) {
            PointerByReference found = new PointerByReference();
            if (library.code("nvmlDeviceGetHandleByIndex_v2", i, found) != NvmlCodes.SUCCESS) {
                // The others tell of themselves.
                continue;
            }
            Pointer device = found.getValue();
            LongByReference supported = new LongByReference();
            boolean tells = library.code("nvmlDeviceGetSupportedEventTypes", device, supported) == NvmlCodes.SUCCESS
                    && (supported.getValue() & XID_CRITICAL) != 0;
            if (tells && library.code("nvmlDeviceRegisterEvents", device, XID_CRITICAL, set) == NvmlCodes.SUCCESS) {
                registered++;
                addresses.put(Pointer.nativeValue(device), read(device));
            }
        }
        if (registered == 0) {
            library.code("nvmlEventSetFree", set);
            throw new DeviceException(
                    DeviceException.Kind.NOT_SUPPORTED, "the driver tells of errors of none of its GPUs");
        }
        return set;
    }

    Recovery recovery(Pointer device) {
        Memory value = NvmlLibrary.zeroed(FIELD_VALUE);
        value.setInt(0, RECOVERY_ACTION);
        int code = library.code("nvmlDeviceGetFieldValues", device, 1, value);
        if (code != NvmlCodes.SUCCESS || value.getInt(28) != NvmlCodes.SUCCESS) {
            return Recovery.UNKNOWN;
        }
        return switch (value.getInt(32)) {
            case 0 -> Recovery.NONE;
            case GPU_RESET, DRAIN_AND_RESET -> Recovery.RESET;
            default -> Recovery.NEEDED;
        };
    }
}
