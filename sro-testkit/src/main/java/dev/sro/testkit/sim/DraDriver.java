package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A driver of dynamic resource allocation as a kubelet sees it: what {@code NodePrepareResources} and {@code NodeUnprepareResources}
 * do on one node. Called on the thread that does the simulation's work; must not block. Both calls may come again for the same claim,
 * and have to say the same then.
 */
public interface DraDriver {
    /** The answer of a call that went well. */
    String DONE = "";

    /**
     * Makes the devices of a claim ready, before the first pod that uses it starts, and again after each start of the kubelet.
     *
     * @param node where
     * @param claim as it is stored, with its allocation; shared, not to be modified
     * @return {@link #DONE}, or why it failed: the kubelet tries again, and the pod waits
     */
    String prepare(String node, ObjectNode claim);

    /**
     * Takes back what {@link #prepare} did, after the last pod has ended. The claim may be gone, and may never have been prepared.
     *
     * @param node where
     * @param namespace of the claim
     * @param name of the claim
     * @param uid of the claim
     * @return {@link #DONE}, or why it failed: the kubelet tries again, and the pod does not go
     */
    String unprepare(String node, String namespace, String name, String uid);
}
