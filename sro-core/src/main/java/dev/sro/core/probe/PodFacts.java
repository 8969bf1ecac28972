package dev.sro.core.probe;

import java.time.Instant;
import java.util.List;

/**
 * What readiness needs of one operand pod: a small projection of the Pod object. Immutable.
 *
 * @param namespace of the pod
 * @param name of the pod
 * @param owner uid of the controller that made it
 * @param node where it runs; empty before it is bound
 * @param phase as Kubernetes reports it
 * @param ready whether its Ready condition is True
 * @param terminating whether it is being deleted
 * @param templateGeneration the {@code pod-template-generation} label; empty when absent
 * @param waitingReason why its first waiting container waits, for example ImagePullBackOff; empty when none does
 * @param message what the container runtime says about that
 * @param uid of the pod
 * @param workload {@code Deployment/namespace/name} of the Deployment that it belongs to by way of a ReplicaSet,
 *     {@code Pod/namespace/name} of a pod that nothing controls; empty for the others
 * @param containers those whose logs speak for the pod, in its order
 * @param restarts most restarts of one of its containers that is not ready, init containers included
 * @param driverDigest its annotation {@code sro.dev/driver-digest}; empty when absent
 * @param work what a worker pod does, as its annotation says; empty for all others
 * @param created when it was made
 */
public record PodFacts(
        String namespace,
        String name,
        String owner,
        String node,
        String phase,
        boolean ready,
        boolean terminating,
        String templateGeneration,
        String waitingReason,
        String message,
        String uid,
        String workload,
        List<Container> containers,
        int restarts,
        String driverDigest,
        String work,
        Instant created) {

    /**
     * A container, by which its log is known: one that was started again has another.
     *
     * @param name in the pod
     * @param restarts how often it was started again
     * @param started whether there is a log: it runs or ran
     */
    public record Container(String name, int restarts, boolean started) {}

    /** Copies the containers. */
    public PodFacts {
        containers = List.copyOf(containers);
    }

    /** A pod that carries no driver and is no worker pod. */
    public PodFacts(
            String namespace,
            String name,
            String owner,
            String node,
            String phase,
            boolean ready,
            boolean terminating,
            String templateGeneration,
            String waitingReason,
            String message,
            String uid,
            String workload,
            List<Container> containers) {
        this(
                namespace,
                name,
                owner,
                node,
                phase,
                ready,
                terminating,
                templateGeneration,
                waitingReason,
                message,
                uid,
                workload,
                containers,
                0,
                "",
                "",
                Instant.EPOCH);
    }

    /** The same, being deleted. */
    public PodFacts leaving() {
        return terminating
                ? this
                : new PodFacts(
                        namespace,
                        name,
                        owner,
                        node,
                        phase,
                        ready,
                        true,
                        templateGeneration,
                        waitingReason,
                        message,
                        uid,
                        workload,
                        containers,
                        restarts,
                        driverDigest,
                        work,
                        created);
    }

    /** A pod of a controller whose logs nobody asks for. */
    public PodFacts(
            String namespace,
            String name,
            String owner,
            String node,
            String phase,
            boolean ready,
            boolean terminating,
            String templateGeneration,
            String waitingReason,
            String message) {
        this(
                namespace,
                name,
                owner,
                node,
                phase,
                ready,
                terminating,
                templateGeneration,
                waitingReason,
                message,
                "",
                "",
                List.of());
    }
}
