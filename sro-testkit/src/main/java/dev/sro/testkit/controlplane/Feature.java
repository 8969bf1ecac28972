package dev.sro.testkit.controlplane;

/** What a test may need beyond an API server. */
public enum Feature {
    /** The controllers of kube-controller-manager: garbage collection, namespaces that go, DaemonSets, Jobs. */
    CONTROLLERS,
    /** A scheduler. DaemonSets need one, too. */
    SCHEDULER,
    /** Nodes without machines can be made, whose pods start at once. */
    NODES,
    /** The test may stop and start the servers. */
    RESTART
}
