package dev.sro.agent.emulated;

import java.util.Locale;

/** What can fail, and what takes time. */
public enum EmulatedOperation {
    /** Making a GPU instance. */
    CREATE_GPU_INSTANCE,
    /** Making a compute instance. */
    CREATE_COMPUTE_INSTANCE,
    /** Destroying a compute instance. */
    DESTROY_COMPUTE_INSTANCE,
    /** Destroying a GPU instance. */
    DESTROY_GPU_INSTANCE,
    /** Switching between slices and whole. */
    SET_MODE,
    /** Resetting a GPU. */
    RESET,
    /** Listing GPUs or instances. */
    LIST;

    /** Whether it takes the time of creation. */
    boolean creates() {
        return this == CREATE_GPU_INSTANCE || this == CREATE_COMPUTE_INSTANCE;
    }

    /** As files write it: {@code create-gpu-instance}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
