package dev.sro.runtime.scheduler;

import dev.sro.core.placement.PodSlices;
import dev.sro.core.placement.SliceDemand;
import dev.sro.core.placement.extender.PodDemands;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Optional;

/** What pods ask for that a scheduler asks about: as they are watched, and those that no watch has told of yet as the scheduler sends them. Thread-safe. */
final class ScheduledPods implements PodDemands {
    private final WaitingPods waiting;
    private final KubernetesSerialization serialization;

    ScheduledPods(WaitingPods waiting, KubernetesSerialization serialization) {
        this.waiting = waiting;
        this.serialization = serialization;
    }

    @Override
    public Optional<SliceDemand> known(String uid, String version) {
        return waiting.of(uid)
                .filter(pod -> version.equals(pod.pod().getMetadata().getResourceVersion()))
                .map(WaitingPods.Waiting::demand);
    }

    @Override
    public Optional<SliceDemand> read(String json) {
        try {
            return PodSlices.of(serialization.unmarshal(json, Pod.class));
        } catch (KubernetesClientException e) {
            throw new IllegalArgumentException("the Pod of the request cannot be read: " + e.getMessage(), e);
        }
    }
}
