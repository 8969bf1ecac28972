package dev.sro.core.client.cache;

import dev.sro.core.load.WorkerPods;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.probe.NodePod;
import dev.sro.core.probe.PodFacts;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodExtendedResourceClaimStatus;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import io.fabric8.kubernetes.api.model.PodResourceClaimStatus;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes {@link PodFacts} of Pod objects. Stateless. */
public final class PodProjector {

    private static final String TEMPLATE_GENERATION = "pod-template-generation";

    private static final String TEMPLATE_HASH = "pod-template-hash";

    /** What the kubelet writes on pods that it made from files. */
    private static final String MIRROR = "kubernetes.io/config.mirror";

    private static final String DEFAULT_CONTAINER = "kubectl.kubernetes.io/default-container";

    private PodProjector() {}

    /** The projection. */
    public static PodFacts project(Pod pod) {
        PodStatus status = pod.getStatus() == null ? new PodStatus() : pod.getStatus();
        Map<String, String> labels = pod.getMetadata().getLabels() == null
                ? Map.of()
                : pod.getMetadata().getLabels();
        boolean again = pod.getSpec() == null || !"Never".equals(pod.getSpec().getRestartPolicy());
        PodTrouble trouble = PodTrouble.of(status, again);
        String work = pod.getMetadata().getAnnotations() == null
                ? ""
                : pod.getMetadata().getAnnotations().getOrDefault(MetadataKeys.WORK, "");
        RestartedContainer restarted = work.isEmpty() ? RestartedContainer.of(status) : RestartedContainer.NONE;
        // A container that is in trouble now says more than one that was.
        String said =
                trouble.message().isEmpty() && trouble.reason().isEmpty() ? restarted.message() : trouble.message();
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
                trouble.reason(),
                work.isEmpty() ? said : lastWords(status, said),
                orEmpty(pod.getMetadata().getUid()),
                work.isEmpty() ? workload(pod, labels.getOrDefault(TEMPLATE_HASH, "")) : worker(pod, labels),
                containers(pod, status),
                restarts(status),
                annotations(pod).getOrDefault(MetadataKeys.DRIVER_DIGEST, ""),
                work,
                created(pod),
                restarted.steadyFrom(),
                changed(pod, status),
                Counts.collect(status));
    }

    /** The projection for an upgrade of the driver on the pod's node. */
    public static NodePod onNode(Pod pod) {
        PodStatus status = pod.getStatus() == null ? new PodStatus() : pod.getStatus();
        PodSpec spec = pod.getSpec() == null ? new PodSpec() : pod.getSpec();
        Map<String, String> labels = pod.getMetadata().getLabels() == null
                ? Map.of()
                : pod.getMetadata().getLabels();
        return new NodePod(
                orEmpty(pod.getMetadata().getNamespace()),
                orEmpty(pod.getMetadata().getName()),
                orEmpty(pod.getMetadata().getUid()),
                labels,
                resources(spec),
                controllerKind(pod.getMetadata().getOwnerReferences()),
                annotations(pod).containsKey(MIRROR),
                spec.getVolumes().stream().anyMatch(volume -> volume.getEmptyDir() != null),
                claims(pod, spec, status),
                "Succeeded".equals(status.getPhase()) || "Failed".equals(status.getPhase()),
                pod.getMetadata().getDeletionTimestamp() != null,
                !pod.getMetadata().getFinalizers().isEmpty(),
                created(pod));
    }

    private static NodePod.Claims claims(Pod pod, PodSpec spec, PodStatus status) {
        Stream<@Nullable String> named = Stream.concat(
                spec.getResourceClaims().stream().map(PodResourceClaim::getResourceClaimName),
                status.getResourceClaimStatuses().stream().map(PodResourceClaimStatus::getResourceClaimName));
        PodExtendedResourceClaimStatus extended = status.getExtendedResourceClaimStatus();
        Set<String> names = Stream.concat(
                        named, Stream.ofNullable(extended == null ? null : extended.getResourceClaimName()))
                .filter(name -> name != null && !name.isEmpty())
                .map(name -> orEmpty(pod.getMetadata().getNamespace()) + "/" + name)
                .collect(Collectors.toSet());
        boolean any = !names.isEmpty() || !spec.getResourceClaims().isEmpty();
        return any ? new NodePod.Claims(true, names, Set.of()) : NodePod.Claims.NONE;
    }

    private static String controllerKind(List<OwnerReference> references) {
        return references.stream()
                .filter(reference -> Boolean.TRUE.equals(reference.getController()))
                .map(OwnerReference::getKind)
                .findFirst()
                .orElse("");
    }

    private static Map<String, String> resources(PodSpec spec) {
        Map<String, String> found = new TreeMap<>();
        Stream.concat(spec.getInitContainers().stream(), spec.getContainers().stream())
                .map(Container::getResources)
                .filter(Objects::nonNull)
                .flatMap(all -> Stream.of(all.getLimits(), all.getRequests()))
                .filter(Objects::nonNull)
                .forEach(some -> some.forEach((name, amount) -> found.putIfAbsent(name, amount.toString())));
        return found;
    }

    private static int restarts(PodStatus status) {
        return Stream.concat(status.getInitContainerStatuses().stream(), status.getContainerStatuses().stream())
                .filter(container -> !Boolean.TRUE.equals(container.getReady()))
                .map(ContainerStatus::getRestartCount)
                .filter(Objects::nonNull)
                .max(Integer::compare)
                .orElse(0);
    }

    private static Map<String, String> annotations(Pod pod) {
        return pod.getMetadata().getAnnotations() == null
                ? Map.of()
                : pod.getMetadata().getAnnotations();
    }

    private static String worker(Pod pod, Map<String, String> labels) {
        return WorkerPods.lookup(
                orEmpty(pod.getMetadata().getNamespace()), labels.getOrDefault(MetadataKeys.SPECIAL_RESOURCE, ""));
    }

    private static Instant created(Pod pod) {
        return time(pod.getMetadata().getCreationTimestamp());
    }

    private static Instant changed(Pod pod, PodStatus status) {
        return status.getConditions().stream()
                .filter(condition -> "Ready".equals(condition.getType()) && condition.getLastTransitionTime() != null)
                .map(condition -> time(condition.getLastTransitionTime()))
                .findFirst()
                .orElseGet(() -> created(pod));
    }

    /** What cannot be read is long ago. */
    static Instant time(@Nullable String text) {
        try {
            return text == null ? Instant.EPOCH : Instant.parse(text);
        } catch (DateTimeParseException e) {
            return Instant.EPOCH;
        }
    }

    /** What a container that ended badly said last, which says more than that it is started again. */
    private static String lastWords(PodStatus status, String otherwise) {
        return status.getContainerStatuses().stream()
                .flatMap(container -> Stream.of(container.getState(), container.getLastState()))
                .filter(Objects::nonNull)
                .map(state -> state.getTerminated())
                .filter(Objects::nonNull)
                .filter(ended -> ended.getExitCode() == null || ended.getExitCode() != 0)
                .map(ended -> orEmpty(ended.getMessage()).strip())
                .filter(message -> !message.isEmpty())
                .map(message -> message.substring(message.lastIndexOf('\n') + 1))
                .findFirst()
                .orElse(otherwise.isEmpty() ? orEmpty(status.getMessage()) : otherwise);
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

    /** All; for the pod speaks the one that it names, as for kubectl, or each of them. */
    private static List<PodFacts.Container> containers(Pod pod, PodStatus status) {
        String named = annotations(pod).getOrDefault(DEFAULT_CONTAINER, "");
        List<ContainerStatus> all = status.getContainerStatuses();
        boolean known = all.stream().anyMatch(container -> container.getName().equals(named));
        return all.stream()
                .map(container -> new PodFacts.Container(
                        container.getName(),
                        container.getRestartCount() == null ? 0 : container.getRestartCount(),
                        container.getState() != null && container.getState().getWaiting() == null,
                        !known || container.getName().equals(named)))
                .toList();
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
