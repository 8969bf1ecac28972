package dev.sro.core.client;

import dev.sro.core.probe.PodFacts;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes {@link PodFacts} of Pod objects. Stateless. */
public final class PodProjector {

    private static final String TEMPLATE_GENERATION = "pod-template-generation";

    private PodProjector() {}

    /** The projection. */
    public static PodFacts project(Pod pod) {
        PodStatus status = pod.getStatus() == null ? new PodStatus() : pod.getStatus();
        Map<String, String> labels = pod.getMetadata().getLabels() == null
                ? Map.of()
                : pod.getMetadata().getLabels();
        ContainerStateWaiting waiting = waiting(status);
        return new PodFacts(
                orEmpty(pod.getMetadata().getNamespace()),
                orEmpty(pod.getMetadata().getName()),
                owner(pod.getMetadata().getOwnerReferences()),
                pod.getSpec() == null ? "" : orEmpty(pod.getSpec().getNodeName()),
                orEmpty(status.getPhase()),
                status.getConditions().stream()
                        .anyMatch(c -> "Ready".equals(c.getType()) && "True".equals(c.getStatus())),
                pod.getMetadata().getDeletionTimestamp() != null,
                labels.getOrDefault(TEMPLATE_GENERATION, ""),
                orEmpty(waiting.getReason()),
                orEmpty(waiting.getMessage()));
    }

    /** The first container that waits: init containers come first, as they run first. */
    private static ContainerStateWaiting waiting(PodStatus status) {
        return Stream.concat(status.getInitContainerStatuses().stream(), status.getContainerStatuses().stream())
                .map(ContainerStatus::getState)
                .filter(Objects::nonNull)
                .map(state -> state.getWaiting())
                .filter(Objects::nonNull)
                .findFirst()
                .orElseGet(ContainerStateWaiting::new);
    }

    private static String owner(List<OwnerReference> references) {
        return references.stream()
                .filter(reference -> Boolean.TRUE.equals(reference.getController()))
                .map(OwnerReference::getUid)
                .findFirst()
                .orElse("");
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
