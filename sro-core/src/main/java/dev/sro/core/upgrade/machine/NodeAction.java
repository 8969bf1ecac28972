package dev.sro.core.upgrade.machine;

import dev.sro.core.upgrade.policy.RolloutPolicy;
import java.util.List;

/**
 * Something to do to a node beside its label, note and cordon. Each may be repeated without harm, is derived anew from facts after a
 * restart, and is only planned when the label that allows it has been seen on the node.
 */
public sealed interface NodeAction {

    /**
     * What to do about an action: who handles actions handles every kind of them, or does not compile.
     *
     * @param <R> what comes of it
     * @param <E> what may be thrown
     */
    interface Cases<R, E extends Exception> {
        /** Pods are evicted. */
        R evictPods(EvictPods it) throws E;

        /** The driver is replaced. */
        R deleteDriverPod(DeleteDriverPod it) throws E;

        /** The node boots. */
        R reboot(Reboot it) throws E;

        /** Maintenance is asked for. */
        R requestMaintenance(RequestMaintenance it) throws E;

        /** Maintenance is over. */
        R releaseMaintenance(ReleaseMaintenance it) throws E;

        /** The driver may load. */
        R allowSafeLoad(AllowSafeLoad it) throws E;
    }

    /** Does what is to be done in the case that this is. */
    <R, E extends Exception> R on(Cases<R, E> cases) throws E;

    /**
     * Ask the eviction API for these pods, which honours PodDisruptionBudgets.
     *
     * @param pods to evict; never empty
     * @param drain whether by the rules of {@link RolloutPolicy#drain()}; else by those of {@link RolloutPolicy#podDeletion()}
     */
    record EvictPods(List<BlockingPod> pods, boolean drain) implements NodeAction {
        /** Copies. */
        public EvictPods {
            pods = List.copyOf(pods);
        }

        @Override
        public <R, E extends Exception> R on(Cases<R, E> cases) throws E {
            return cases.evictPods(this);
        }
    }

    /**
     * Delete the driver's pod; its DaemonSet makes it anew. Of a driver that worker pods load: unload it, and load the wanted one.
     *
     * @param uid of the pod, as precondition
     */
    record DeleteDriverPod(String uid) implements NodeAction {
        @Override
        public <R, E extends Exception> R on(Cases<R, E> cases) throws E {
            return cases.deleteDriverPod(this);
        }
    }

    /**
     * Have the node boot anew.
     *
     * @param bootId that it has to leave behind, as precondition
     */
    record Reboot(String bootId) implements NodeAction {
        @Override
        public <R, E extends Exception> R on(Cases<R, E> cases) throws E {
            return cases.reboot(this);
        }
    }

    /** Ask the other operator for maintenance. Nothing to do if that was done. */
    record RequestMaintenance() implements NodeAction {
        @Override
        public <R, E extends Exception> R on(Cases<R, E> cases) throws E {
            return cases.requestMaintenance(this);
        }
    }

    /** Tell the other operator that its maintenance is not needed any more. */
    record ReleaseMaintenance() implements NodeAction {
        @Override
        public <R, E extends Exception> R on(Cases<R, E> cases) throws E {
            return cases.releaseMaintenance(this);
        }
    }

    /** Permit the driver that waits for it to load. */
    record AllowSafeLoad() implements NodeAction {
        @Override
        public <R, E extends Exception> R on(Cases<R, E> cases) throws E {
            return cases.allowSafeLoad(this);
        }
    }
}
