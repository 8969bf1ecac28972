package dev.sro.runtime.allocator;

import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.Eviction;
import io.fabric8.kubernetes.api.model.policy.v1.EvictionBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has pods end by the eviction of the API, which heeds PodDisruptionBudgets. As thread-safe as the client. */
final class PodEviction {
    private static final Logger LOG = LoggerFactory.getLogger(PodEviction.class);

    private final KubernetesClient client;

    PodEviction(KubernetesClient client) {
        this.client = client;
    }

    /** A pod that does not go, and why. */
    record Refused(Pod pod, String why) {}

    /** The first of these pods that the server says may not be evicted now; empty if all may. Nothing is done. */
    Optional<Refused> tryAll(List<Pod> pods) {
        return pods.stream().flatMap(pod -> evict(pod, true).stream()).findFirst();
    }

    /** Evicts a pod; why it did not, if so. */
    Optional<Refused> evict(Pod pod) {
        return evict(pod, false);
    }

    private Optional<Refused> evict(Pod pod, boolean trial) {
        String name = ObjectBook.key(pod);
        try {
            boolean goes = client.pods()
                    .inNamespace(pod.getMetadata().getNamespace())
                    .withName(pod.getMetadata().getName())
                    .evict(eviction(pod, trial));
            if (!goes) {
                return Optional.of(new Refused(
                        pod, "pod " + name + " may not be evicted now: a PodDisruptionBudget keeps it, or it is gone"));
            }
        } catch (KubernetesClientException e) {
            return Optional.of(new Refused(pod, "pod " + name + " was not evicted: " + e.getMessage()));
        }
        if (!trial) {
            LOG.atInfo().log("pod {} was evicted", name);
        }
        return Optional.empty();
    }

    private static Eviction eviction(Pod pod, boolean trial) {
        return new EvictionBuilder()
                .withNewMetadata()
                .withName(pod.getMetadata().getName())
                .withNamespace(pod.getMetadata().getNamespace())
                .endMetadata()
                .withDeleteOptions(new DeleteOptionsBuilder()
                        .withNewPreconditions()
                        .withUid(pod.getMetadata().getUid())
                        .endPreconditions()
                        .withDryRun(trial ? List.of("All") : List.of())
                        .build())
                .build();
    }
}
