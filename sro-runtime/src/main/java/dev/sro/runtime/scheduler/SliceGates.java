package dev.sro.runtime.scheduler;

/** The scheduling gate by which a pod waits for its slices. Stateless. */
final class SliceGates {
    /** Name of the gate. */
    static final String GATE = "slices.sro.dev/placement";

    /** Annotation of a pod whose gate was opened: the node where its slices are. */
    static final String NODE = "slices.sro.dev/node";

    private SliceGates() {}
}
