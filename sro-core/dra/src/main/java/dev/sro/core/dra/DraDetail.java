package dev.sro.core.dra;

/** What of a publication can be kept as the server has it, and is brought up to date only where it is asked for, as each write has a price. */
public enum DraDetail {
    /**
     * GPUs are put in order, the fullest first. This rewrites all slices with a new generation, so it is for quiet moments; without effect where
     * the scheduler does not go by the names of slices.
     */
    GPU_ORDER,
    /**
     * The loss classes of what can be had are true. Otherwise they are written along with an order alone, which does for whoever does not ask by
     * them.
     */
    LOSS_CLASSES
}
