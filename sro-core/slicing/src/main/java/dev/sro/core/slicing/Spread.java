package dev.sro.core.slicing;

/** Rules about the places of the slices of a gang to each other. */
public enum Spread {
    /** As the policy likes. */
    ANYWHERE,
    /** All on one device. */
    SAME_DEVICE,
    /** No two on one device. */
    DIFFERENT_DEVICES,
    /** All on devices of one node. */
    SAME_NODE,
    /** All on devices of one topology group. */
    SAME_TOPOLOGY_GROUP
}
