package dev.sro.core.slicing.mig;

/** Naming of instances by NVIDIA's device plugin (node label {@code nvidia.com/mig.strategy}). */
public enum MigStrategy {
    /** Instances are not advertised: every device is one whole GPU. */
    NONE,
    /** Every instance is a {@code nvidia.com/gpu}; all instances of a node must be equal. */
    SINGLE,
    /** Every profile is a resource of its own. */
    MIXED
}
