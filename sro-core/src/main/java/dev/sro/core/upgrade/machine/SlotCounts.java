package dev.sro.core.upgrade.machine;

/** How many nodes may be taken on. */
final class SlotCounts {

    private SlotCounts() {}

    /**
     * Available nodes that may be taken on now.
     *
     * @param maxParallel most nodes in progress; 0 for no limit
     * @param maxUnavailable most nodes unavailable
     * @param required nodes that wait for their turn
     * @param inProgress nodes in progress
     * @param unavailable nodes that are cordoned, not ready, or about to be cordoned
     */
    static int available(int maxParallel, int maxUnavailable, int required, int inProgress, int unavailable) {
        int parallel = parallel(maxParallel, required, inProgress);
        return Math.max(0, Math.min(parallel, maxUnavailable - unavailable));
    }

    /** Nodes that may be taken on, those that are unavailable already included. */
    static int parallel(int maxParallel, int required, int inProgress) {
        return maxParallel == 0 ? required : Math.max(0, maxParallel - inProgress);
    }
}
