package dev.sro.api;

/**
 * The way in which a state reaches its nodes: all at once, or node by node, and then what lets its pods onto a node and what takes them
 * off. Immutable; make one with {@link #whole()}, {@link #nodeByNode()} or {@link #ownBarrier()}.
 *
 * @since 0.1.0
 */
public sealed interface Reach {

    /** All at once: the state is ready or it is not, and no node is told apart. */
    record Whole() implements Reach {}

    /**
     * Node by node, behind labels that SRO writes. SRO labels each node on which all of the state's DaemonSet pods are ready, and
     * the DaemonSets of the states after it run only on labelled nodes: a bad node holds up nobody else. Its own pods do not come to
     * a node before the states before it are all ready there.
     *
     * @param leavesWhenReady see {@link #leavingWhenReady()}
     */
    record ByLabels(@Override boolean leavesWhenReady) implements Reach {

        /**
         * The same, and its DaemonSets leave a node once they are ready on it, as validations do that take a device away from others.
         * The node keeps the readiness label, by which SRO keeps the pods off it, until one of the states before it is not ready
         * there any more; then they come again.
         */
        public ByLabels leavingWhenReady() {
            return new ByLabels(true);
        }
    }

    /**
     * Node by node, behind a barrier of its own: the pods themselves wait for what was before them, in an init container that looks
     * for a file on the node ({@link NodeBarrier}). They come to a new node, and start again after a reboot, without SRO. The objects
     * of the state are first made when the states before it are ready on one node of the pool, as with {@link ByLabels}, and nodes
     * get the same labels.
     *
     * @param leavesWhenReady see {@link #leavingWhenReady()}
     * @param leavesWithDriver see {@link #leavingWithDriver()}
     */
    record ByOwnBarrier(
            @Override boolean leavesWhenReady, @Override boolean leavesWithDriver) implements Reach {

        /** The same, and its DaemonSets leave a node once they are ready on it, as with {@link ByLabels#leavingWhenReady()}. */
        public ByOwnBarrier leavingWhenReady() {
            return new ByOwnBarrier(true, leavesWithDriver);
        }

        /**
         * The same, and its DaemonSets leave a node while a driver before it is replaced there, and come back when the new one is
         * ready. Behind labels they do so anyway, as the labels they wait for go; behind a barrier of their own nothing takes pods
         * away that have begun. So SRO gives the node the value {@code Leaving} of the state's own label for that time, and keeps the
         * pods off such nodes.
         */
        public ByOwnBarrier leavingWithDriver() {
            return new ByOwnBarrier(leavesWhenReady, true);
        }
    }

    /** All at once. */
    static Reach whole() {
        return new Whole();
    }

    /** Node by node, behind the readiness labels of the states before it: what drivers and validations want. */
    static ByLabels nodeByNode() {
        return new ByLabels(false);
    }

    /** Node by node, behind barriers that its pods bring. */
    static ByOwnBarrier ownBarrier() {
        return new ByOwnBarrier(false, false);
    }

    /** Whether nodes are told apart, so that there are labels of the state on nodes. */
    default boolean byNode() {
        return !(this instanceof Whole);
    }

    /** Whether its pods wait by themselves, and so get no labels to wait for. */
    default boolean hasOwnBarrier() {
        return this instanceof ByOwnBarrier;
    }

    /** Whether its DaemonSets leave a node once they are ready on it. */
    default boolean leavesWhenReady() {
        return false;
    }

    /** Whether its DaemonSets leave a node while a driver before it is replaced there. */
    default boolean leavesWithDriver() {
        return false;
    }
}
