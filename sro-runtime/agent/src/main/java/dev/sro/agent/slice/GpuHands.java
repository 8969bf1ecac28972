package dev.sro.agent.slice;

import dev.sro.agent.device.ComputeInstance;
import dev.sro.agent.device.DeviceException;
import dev.sro.agent.device.DevicePort;
import dev.sro.agent.device.DriverProfile;
import dev.sro.agent.device.Gpu;
import dev.sro.agent.device.GpuInstance;
import dev.sro.agent.device.GpuMode;
import dev.sro.agent.device.PciAddress;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * The steps by which a slice comes and goes, each written down before it is made. Whoever calls holds the lock of the GPU. A failure
 * or the end of the process leaves a record from which {@link #dismantle} goes on.
 */
final class GpuHands {
    private final DevicePort devices;
    private final Checkpoint checkpoint;

    GpuHands(DevicePort devices, Checkpoint checkpoint) {
        this.devices = devices;
        this.checkpoint = checkpoint;
    }

    /** Whether the hardware has what the record says. */
    boolean intact(Holding holding) throws DeviceException {
        if (holding.place().isWhole()) {
            return holding.stage() == Stage.READY
                    && find(holding.place().gpu())
                            .filter(gpu -> isWhole(gpu) && gpu.uuid().equals(holding.uuid()))
                            .isPresent();
        }
        return holding.stage() == Stage.READY
                && devices.instances(holding.place().gpu()).stream()
                        .anyMatch(instance -> owns(holding, instance)
                                && instance.compute().stream()
                                        .anyMatch(one -> one.uuid().equals(holding.uuid())));
    }

    private Optional<Gpu> find(PciAddress address) throws DeviceException {
        return devices.gpus().stream()
                .filter(gpu -> gpu.address().equals(address))
                .findFirst();
    }

    private static boolean isWhole(Gpu gpu) {
        return gpu.mode() == GpuMode.WHOLE || gpu.mode() == GpuMode.UNABLE;
    }

    /**
     * Has a GPU in a mode in which it can give what a claim wants, switching it if that is allowed.
     *
     * @param dynamic whether it may be switched
     */
    Gpu ready(Place place, boolean dynamic) throws DeviceException {
        for (int attempt = 1; ; attempt++) {
            Gpu gpu = find(place.gpu())
                    .orElseThrow(() -> new DeviceException(
                            DeviceException.Kind.NOT_FOUND, place + ": the GPU or its profile is gone"));
            if (place.isWhole() ? isWhole(gpu) : gpu.mode() == GpuMode.SLICES) {
                return gpu;
            }
            boolean able = gpu.mode() == GpuMode.SLICES || gpu.mode() == GpuMode.WHOLE;
            if (attempt > 1 || !dynamic || !able || gpu.resetToSwitch()) {
                throw new DeviceException(
                        DeviceException.Kind.NOT_SUPPORTED,
                        gpu.address() + ": " + gpu.mode().text());
            }
            devices.setSlices(gpu.address(), !place.isWhole());
        }
    }

    /** All of a GPU: of the hardware nothing is changed but perhaps its mode, so that one record is enough. */
    Holding whole(Holding holding, Gpu gpu) throws IOException {
        return checkpoint.put(holding.owned(Holding.UNKNOWN).ready(Holding.UNKNOWN, gpu.uuid()));
    }

    /** From {@link Stage#NONE} to {@link Stage#READY}. */
    Holding build(Holding holding, DriverProfile profile) throws DeviceException, IOException, SliceException {
        Place place = holding.place();
        checkForeign(place, List.of());
        Holding now = checkpoint.put(holding.bare());
        now = checkpoint.put(now.owned(devices.createGpuInstance(place.gpu(), profile, place.start())));
        ComputeInstance compute = devices.createComputeInstance(place.gpu(), now.gpuInstance());
        return checkpoint.put(now.ready(compute.id(), compute.uuid()));
    }

    /**
     * Refuses a place on which anybody's instance is.
     *
     * @param own of which instances are no obstacle
     */
    void checkForeign(Place place, List<Holding> own) throws DeviceException, SliceException {
        for (GpuInstance instance : devices.instances(place.gpu())) {
            if (instance.overlaps(place.start(), place.size())
                    && own.stream().noneMatch(holding -> holding.place().fits(instance))) {
                throw new SliceException(
                        SliceException.Reason.FOREIGN,
                        place + " is taken by GPU instance " + instance.id()
                                + ", which the agent did not make and leaves alone;"
                                + " whoever made it has to destroy it");
            }
        }
    }

    /** Writes down that the instance at a place, which somebody else made, is ours to destroy; empty if there is none. */
    Optional<Holding> claimForeign(Holding wanted) throws DeviceException, IOException {
        if (checkpoint.find(wanted.key()).isPresent()) {
            return checkpoint.find(wanted.key()).filter(holding -> !holding.keep());
        }
        for (GpuInstance instance : devices.instances(wanted.place().gpu())) {
            if (wanted.place().fits(instance)) {
                return Optional.of(checkpoint.put(wanted.owned(instance.id())));
            }
        }
        return Optional.empty();
    }

    /** From any stage to {@link Stage#NONE}; a holding that is not kept is forgotten. */
    void dismantle(Holding holding) throws DeviceException, IOException {
        checkpoint.settle();
        Holding now = holding;
        if (now.place().isWhole()) {
            now = now.none();
        }
        if (now.stage() == Stage.READY) {
            now = checkpoint.put(now.owned(now.gpuInstance()));
        }
        if (now.stage() == Stage.OWNED) {
            now = withoutCompute(now);
        }
        if (now.stage() == Stage.BARE) {
            for (GpuInstance instance : devices.instances(now.place().gpu())) {
                if (now.place().fits(instance) && instance.compute().isEmpty()) {
                    devices.destroyGpuInstance(now.place().gpu(), instance.id());
                }
            }
        }
        if (now.keep()) {
            checkpoint.put(now.none());
        } else {
            checkpoint.remove(now);
        }
    }

    private Holding withoutCompute(Holding holding) throws DeviceException, IOException {
        Optional<GpuInstance> own = devices.instances(holding.place().gpu()).stream()
                .filter(instance -> owns(holding, instance))
                .findFirst();
        if (own.isEmpty()) {
            // Somebody destroyed it; what may be there now is not ours.
            return holding.none();
        }
        List<ComputeInstance> compute = own.get().compute();
        for (ComputeInstance one : compute) {
            devices.destroyComputeInstance(holding.place().gpu(), own.get().id(), one.id());
        }
        return checkpoint.put(holding.bare());
    }

    /** Whether an instance is that of a holding in {@link Stage#OWNED} or {@link Stage#READY}. */
    private static boolean owns(Holding holding, GpuInstance instance) {
        return instance.id() == holding.gpuInstance()
                && holding.place().fits(instance)
                && (holding.uuid().isEmpty()
                        || instance.compute().isEmpty()
                        || instance.compute().stream()
                                .anyMatch(one -> one.uuid().equals(holding.uuid())));
    }
}
