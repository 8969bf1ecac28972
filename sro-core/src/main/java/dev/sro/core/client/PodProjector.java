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
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes {@link PodFacts} of Pod objects. Stateless. */
public final class PodProjector {

    private static final String TEMPLATE_GENERATION = "pod-template-generation";

    private static final String TEMPLATE_HASH = "pod-template-hash";

    private static final String DEFAULT_CONTAINER = "kubectl.kubernetes.io/default-container";

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
                orEmpty(waiting.getMessage()),
                orEmpty(pod.getMetadata().getUid()),
                workload(pod, labels.getOrDefault(TEMPLATE_HASH, "")),
                containers(pod, status));
    }

    /** ReplicaSets are not watched: their names are made of those of their Deployments and the hash in the label. */
    private static String workload(Pod pod, String hash) {
        String namespace = orEmpty(pod.getMetadata().getNamespace());
        Optional<OwnerReference> controller = controller(pod.getMetadata().getOwnerReferences());
        if (controller.isEmpty()) {
            return "Pod/" + namespace + "/" + pod.getMetadata().getName();
        }
        String name = controller.get().getName();
        boolean deployed = "ReplicaSet".equals(controller.get().getKind()) && !hash.isEmpty();
        return deployed && name.endsWith("-" + hash)
                ? "Deployment/" + namespace + "/" + name.substring(0, name.length() - hash.length() - 1)
                : "";
    }

    /** The one that the pod names, as for kubectl, or all. */
    private static List<PodFacts.Container> containers(Pod pod, PodStatus status) {
        Map<String, String> annotations = pod.getMetadata().getAnnotations() == null
                ? Map.of()
                : pod.getMetadata().getAnnotations();
        String named = annotations.getOrDefault(DEFAULT_CONTAINER, "");
        List<ContainerStatus> all = status.getContainerStatuses();
        boolean known = all.stream().anyMatch(container -> container.getName().equals(named));
        return all.stream()
                .filter(container -> !known || container.getName().equals(named))
                .map(container -> new PodFacts.Container(
                        container.getName(),
                        container.getRestartCount() == null ? 0 : container.getRestartCount(),
                        container.getState() != null && container.getState().getWaiting() == null))
                .toList();
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
        return controller(references).map(OwnerReference::getUid).orElse("");
    }

    private static Optional<OwnerReference> controller(List<OwnerReference> references) {
        return references.stream()
                .filter(reference -> Boolean.TRUE.equals(reference.getController()))
                .filter(reference -> !"SpecialResource".equals(reference.getKind()))
                .findFirst();
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
