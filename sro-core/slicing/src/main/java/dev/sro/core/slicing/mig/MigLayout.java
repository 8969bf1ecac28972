package dev.sro.core.slicing.mig;

import java.util.List;

/**
 * The slicing of one device. Immutable.
 *
 * @param device index on the node
 * @param migEnabled whether MIG mode is on
 * @param instances in the order of creation: large before small, then by start; every prefix is legal
 */
public record MigLayout(int device, boolean migEnabled, List<MigInstance> instances) {
    /** Copies the list. */
    public MigLayout {
        instances = List.copyOf(instances);
    }
}
