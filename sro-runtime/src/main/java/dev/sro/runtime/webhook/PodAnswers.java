package dev.sro.runtime.webhook;

import dev.sro.core.placement.SlicePodRules.Verdict;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Optional;

/** Reads pods of requests, and makes answers of what becomes of them. Thread-safe. */
final class PodAnswers {
    private static final int UNPROCESSABLE = 422;

    /** The API server cuts what is longer. */
    private static final int LONGEST_WARNING = 120;

    private final KubernetesSerialization serialization = new KubernetesSerialization();

    /**
     * The pod that is created, its namespace in it; empty if none is.
     *
     * @throws IllegalArgumentException if the object is no pod
     */
    Optional<Pod> created(AdmissionRequest request) {
        if (!request.operation().equals("CREATE")
                || !"Pod".equals(request.object().get("kind"))) {
            return Optional.empty();
        }
        Pod pod = serialization.convertValue(request.object(), Pod.class);
        if (pod.getSpec() == null || pod.getMetadata() == null) {
            return Optional.empty();
        }
        pod.getMetadata().setNamespace(request.namespace());
        return Optional.of(pod);
    }

    static AdmissionResponse answer(Verdict verdict) {
        return verdict.refusal().isEmpty()
                ? new AdmissionResponse(
                        true,
                        0,
                        "",
                        verdict.patch(),
                        verdict.warnings().stream()
                                .map(text -> text.substring(0, Math.min(text.length(), LONGEST_WARNING)))
                                .toList())
                : AdmissionResponse.deny(UNPROCESSABLE, verdict.refusal());
    }
}
