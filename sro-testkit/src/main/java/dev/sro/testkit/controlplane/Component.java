package dev.sro.testkit.controlplane;

/** A process of a control plane. */
public enum Component {
    /** The store of the API server. */
    ETCD("etcd"),
    /** The API server. */
    API_SERVER("kube-apiserver"),
    /** Garbage collection, namespaces, DaemonSets, Jobs and the like. Optional. */
    CONTROLLER_MANAGER("kube-controller-manager"),
    /** Gives pods to nodes. Optional. */
    SCHEDULER("kube-scheduler"),
    /** Pretends to be the kubelet of every node. Optional. */
    KWOK("kwok");

    private final String program;

    Component(String program) {
        this.program = program;
    }

    /** The file name of its binary. */
    public String program() {
        return program;
    }
}
