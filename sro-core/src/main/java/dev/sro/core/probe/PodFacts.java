package dev.sro.core.probe;

import java.time.Instant;
import java.util.List;
import java.util.Map;

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
 * @param waitingReason why its first waiting container waits, for example ImagePullBackOff; CrashLoopBackOff from the moment at which
 *     one broke until it runs again; empty when none does
 * @param message what is said about that; of a container that broke how it ended, and its own last words; the same of a pod that failed
 * @param uid of the pod
 * @param workload {@code Deployment/namespace/name} of the Deployment that it belongs to by way of a ReplicaSet,
 *     {@code Pod/namespace/name} of a pod that nothing controls; empty for the others
 * @param containers those that run beside each other, in its order
 * @param restarts most restarts of one of its containers that is not ready, init containers included
 * @param driverDigest its annotation {@code sro.dev/driver-digest}; empty when absent
 * @param work what a worker pod does, as its annotation says; empty for all others
 * @param created when it was made
 * @param steadyFrom until when it has to run before it counts as ready, because it broke before, see {@link SteadyTime}; {@link
 *     Instant#EPOCH} for one that did not
 * @param changed when its Ready condition came or last changed; when the pod was made, where it has none
 * @param counted by the name of init containers that ended well and said what they counted, their termination message
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
        Instant created,
        Instant steadyFrom,
        Instant changed,
        Map<String, String> counted) {

    /**
     * A container, by which its log is known: one that was started again has another.
     *
     * @param name in the pod
     * @param restarts how often it was started again
     * @param started whether there is a log: it runs or ran
     * @param speaks whether its log speaks for the pod, where no container is named
     */
    public record Container(String name, int restarts, boolean started, boolean speaks) {

        /** One that speaks for its pod. */
        public Container(String name, int restarts, boolean started) {
            this(name, restarts, started, true);
        }
    }

    /** Copies the collections. */
    public PodFacts {
        containers = List.copyOf(containers);
        counted = Map.copyOf(counted);
    }

    /** Whether it is ready, and has been up for long enough if it broke before. */
    public boolean isReady(Instant now) {
        return ready && !now.isBefore(steadyFrom);
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
                        created,
                        steadyFrom,
                        changed,
                        counted);
    }

    /** A pod of a controller, of which nothing else is known. */
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
                List.of(),
                0,
                "",
                "",
                Instant.EPOCH,
                Instant.EPOCH,
                Instant.EPOCH,
                Map.of());
    }
}
