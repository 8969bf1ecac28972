package dev.sro.runtime.scheduler;

import dev.sro.core.placement.SlicePodRules;

/** The scheduling gate by which a pod waits for its slices. Stateless. */
final class SliceGates {
    /** Name of the gate. */
    static final String GATE = SlicePodRules.GATE;

    /** Annotation of a pod whose gate was opened: the node where its slices are. */
    static final String NODE = SlicePodRules.NODE;

    private SliceGates() {}
}
