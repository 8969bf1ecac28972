package dev.sro.core.probe;

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
        String message) {}
