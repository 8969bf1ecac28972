package dev.sro.agent.slice;

/**
 * What of the hardware belongs to a holding. It is written down before the hardware is changed, and so that it tells our instances
 * from foreign ones at the same place after any crash: a GPU instance is made and destroyed only while the record says that it has no
 * compute instance, and nobody else leaves one without.
 */
public enum Stage {
    /** Nothing. */
    NONE,
    /** A GPU instance of the profile at the place, if there is one and it has no compute instance. */
    BARE,
    /** The GPU instance with the recorded id, and what is in it. */
    OWNED,
    /** The same, and its compute instance is complete: containers may have it. */
    READY
}
