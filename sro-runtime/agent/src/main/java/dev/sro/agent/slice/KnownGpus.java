package dev.sro.agent.slice;

import dev.sro.agent.device.DeviceException;
import dev.sro.agent.device.DevicePort;
import dev.sro.agent.device.DriverProfile;
import dev.sro.agent.device.Gpu;
import dev.sro.agent.device.PciAddress;
import dev.sro.agent.device.ProfileNames;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The GPUs of the node as they were when they were last read. Thread-safe. */
final class KnownGpus {
    private final DevicePort devices;
    private volatile Map<PciAddress, Gpu> gpus = Map.of();

    KnownGpus(DevicePort devices) {
        this.devices = devices;
    }

    /** The GPU of this address, for which the driver is asked if it is not known yet. */
    Optional<Gpu> find(PciAddress address) {
        if (!gpus.containsKey(address)) {
            read();
        }
        return Optional.ofNullable(gpus.get(address));
    }

    /** Reads them again; returns why they cannot be read. */
    Optional<String> read() {
        try {
            Map<PciAddress, Gpu> now = new TreeMap<>();
            devices.gpus().forEach(gpu -> now.put(gpu.address(), gpu));
            gpus = now;
            return Optional.empty();
        } catch (DeviceException e) {
            return Optional.of("GPUs cannot be listed: " + e.getMessage());
        }
    }

    /** All, by address. */
    List<Gpu> all() {
        return gpus.values().stream().toList();
    }

    /**
     * Where a slice is to be.
     *
     * @throws SliceException if the GPU is not there or does not have that
     */
    Place place(WantedSlice slice) throws SliceException {
        Optional<String> problem = slice.isWhole() ? Optional.empty() : ProfileNames.problem(slice.profile());
        if (problem.isPresent()) {
            throw invalid(slice, problem.get());
        }
        Gpu gpu = find(slice.gpu()).orElseThrow(() -> invalid(slice, "the node has no GPU " + slice.gpu()));
        if (slice.isWhole()) {
            return Place.whole(slice.gpu());
        }
        DriverProfile profile = gpu.profile(slice.profile())
                .orElseThrow(() -> invalid(
                        slice,
                        gpu.profiles().isEmpty()
                                ? slice.gpu() + ": " + gpu.mode().text()
                                : slice.gpu() + " (" + gpu.product() + ") has no profile " + slice.profile()
                                        + "; it has "
                                        + gpu.profiles().stream()
                                                .map(DriverProfile::name)
                                                .toList()));
        if (!profile.starts().contains(slice.start())) {
            throw invalid(
                    slice, slice.profile() + " begins at one of " + profile.starts() + ", not at " + slice.start());
        }
        return Place.of(slice.gpu(), profile, slice.start());
    }

    private static SliceException invalid(WantedSlice slice, String why) {
        return new SliceException(SliceException.Reason.INVALID, "device " + slice.device() + ": " + why);
    }
}
