package dev.sro.core.plan.worker;

import dev.sro.core.load.WorkerDecision;
import dev.sro.core.load.WorkerDecision.Recorded;
import dev.sro.core.upgrade.machine.DriverPod;

/** How what is loaded by worker pods relates to the wanted driver. Stateless. */
final class WorkerDrivers {

    private WorkerDrivers() {}

    /**
     * What an upgrade goes by, on a node on which modules are wanted. A node that says nothing, or speaks of another boot or kernel,
     * has nothing loaded and needs no upgrade.
     *
     * @param in what the {@link WorkerDecision} depends on
     * @param crashed whether the pod had to start again
     */
    static DriverPod.State state(WorkerDecision.Input in, boolean crashed) {
        boolean other = in.recorded() == Recorded.OTHER;
        if (in.recorded() == Recorded.WANTED) {
            return switch (in.pod()) {
                case UNLOADS_RECORDED, UNLOADED_RECORDED, FAILED_RECORDED -> DriverPod.State.TERMINATING;
                default -> DriverPod.State.CURRENT_READY;
            };
        }
        return switch (in.pod()) {
            case NONE -> other ? DriverPod.State.OUTDATED : DriverPod.State.ABSENT;
            case LEAVING, UNLOADED_RECORDED -> DriverPod.State.TERMINATING;
            case LOADS_WANTED, LOADED_WANTED, FAILED_WANTED -> DriverPod.State.CURRENT_NOT_READY;
            // One that fails is told after as many restarts as one that loads.
            case UNLOADS_RECORDED -> crashed ? DriverPod.State.CURRENT_NOT_READY : DriverPod.State.TERMINATING;
            case FAILED_RECORDED -> DriverPod.State.CURRENT_NOT_READY;
            // What it loads may be there already, in part.
            case LOADS_OTHER -> DriverPod.State.OUTDATED;
            case OTHER_BOOT, LOADS_RECORDED, UNLOADS_OTHER, NOT_BEGUN ->
                other ? DriverPod.State.OUTDATED : DriverPod.State.TERMINATING;
        };
    }
}
