package dev.sro.core.slicing;

import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.defrag.Defragmenter;
import dev.sro.core.slicing.fleet.ModelFleet;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.pack.Feasibility;
import dev.sro.core.slicing.policy.PlacementPolicy;
import dev.sro.core.slicing.policy.PolicyTable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The devices of one model, with their names. Numbers of devices are places in the order in which they were added. */
final class ModelDevices {
    final DeviceModel model;
    final Geometry geometry;
    private final Feasibility feasibility;
    private final Supplier<Defragmenter> defragmenter;
    private final PolicyTable policy;
    /** Null where a device was removed. */
    private final List<@Nullable SliceDevice> devices;

    private ModelFleet fleet;

    ModelDevices(DeviceModel model, PlacementPolicy policy) {
        this.model = model;
        this.geometry = Geometry.of(model);
        this.feasibility = Feasibility.of(geometry);
        this.defragmenter = new Once(feasibility);
        this.policy = PolicyTable.of(geometry, policy);
        this.devices = new ArrayList<>();
        this.fleet = new ModelFleet(this.policy, 0);
    }

    private ModelDevices(ModelDevices other) {
        this.model = other.model;
        this.geometry = other.geometry;
        this.feasibility = other.feasibility;
        this.defragmenter = other.defragmenter;
        this.policy = other.policy;
        this.devices = new ArrayList<>(other.devices);
        this.fleet = other.fleet.copy();
    }

    ModelDevices copy() {
        return new ModelDevices(this);
    }

    // Its tables take milliseconds and are needed only when a request is stuck.
    private static final class Once implements Supplier<Defragmenter> {
        private final Feasibility feasibility;
        private @Nullable Defragmenter made;

        Once(Feasibility feasibility) {
            this.feasibility = feasibility;
        }

        @Override
        public synchronized Defragmenter get() {
            if (made == null) {
                made = Defragmenter.of(feasibility);
            }
            return made;
        }
    }

    Defragmenter defragmenter() {
        return defragmenter.get();
    }

    Feasibility feasibility() {
        return feasibility;
    }

    ModelFleet fleet() {
        return fleet;
    }

    /** Free share of the units of all devices in service; 0 if there are none. */
    double freeShare() {
        return fleet.usableDevices() == 0 ? 0 : 1 - fleet.usedShare();
    }

    @Nullable SliceDevice device(int number) {
        return number < devices.size() ? devices.get(number) : null;
    }

    /** How many numbers are in use or were. */
    int numbers() {
        return devices.size();
    }

    int add(SliceDevice device) {
        int number = devices.size();
        if (number == fleet.devices()) {
            // What has no name yet is cordoned, so that nothing is ever placed there.
            fleet = fleet.grown(Math.max(16, number));
        }
        devices.add(device);
        fleet.cordon(number, device.cordoned());
        return number;
    }

    /** The number stays unused, so that the order of the others does not change. */
    void remove(int number) {
        fleet.cordon(number, true);
        devices.set(number, null);
    }

    void replace(int number, SliceDevice device) {
        devices.set(number, device);
        fleet.cordon(number, device.cordoned());
    }
}
