package dev.sro.core.upgrade;

import java.util.List;

/**
 * Something to do to a node beside its label, note and cordon. Each may be repeated without harm, is derived anew from facts after a
 * restart, and is only planned when the label that allows it has been seen on the node.
 */
public sealed interface NodeAction {

    /**
     * Ask the eviction API for these pods, which honours PodDisruptionBudgets.
     *
     * @param pods to evict; never empty
     * @param drain whether by the rules of {@link RolloutPolicy#drain()}; else by those of {@link RolloutPolicy#podDeletion()}
     */
    record EvictPods(List<PodBlock> pods, boolean drain) implements NodeAction {
        /** Copies. */
        public EvictPods {
            pods = List.copyOf(pods);
        }
    }

    /**
     * Delete the driver's pod; its DaemonSet makes it anew. Of a driver that worker pods load: unload it, and load the wanted one.
     *
     * @param uid of the pod, as precondition
     */
    record DeleteDriverPod(String uid) implements NodeAction {}

    /**
     * Have the node boot anew.
     *
     * @param bootId that it has to leave behind, as precondition
     */
    record Reboot(String bootId) implements NodeAction {}

    /** Ask the other operator for maintenance. Nothing to do if that was done. */
    record RequestMaintenance() implements NodeAction {}

    /** Tell the other operator that its maintenance is not needed any more. */
    record ReleaseMaintenance() implements NodeAction {}

    /** Permit the driver that waits for it to load. */
    record AllowSafeLoad() implements NodeAction {}
}
