package dev.sro.core.plan;

/** The writes of a plan while a special resource converges, in the order in which they are made. */
public enum WritePhase {
    /** Special resources that are needed first. */
    DEPENDENCIES,
    /** What is remembered of upgrades, before anything that depends on it. */
    UPGRADE_RECORDS,
    /** Labels, annotations and cordon of nodes. */
    NODE_LABELS,
    /** Taints of nodes. */
    NODE_TAINTS,
    /** Conditions of nodes. */
    NODE_CONDITIONS,
    /** The operand namespace. */
    NAMESPACE,
    /** Records of releases and what hooks make. */
    RELEASES,
    /** Objects of states, in install order. */
    OBJECTS,
    /** Pods that load and unload modules. */
    WORKERS,
    /** What no state wants any more. */
    RETIREMENT,
    /** Pods that validate again. */
    REPETITIONS,
    /** What upgrades do to nodes beside their marks. */
    UPGRADE_ACTIONS
}
