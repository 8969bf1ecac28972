package dev.sro.runtime.webhook;

import dev.sro.core.placement.SlicePodRules;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.function.Function;

/** Has pods that ask for slices wait for them, or go to a scheduler that knows them, as the path says. A pure function. Thread-safe. */
public final class SlicesEndpoint implements Function<AdmissionRequest, AdmissionResponse> {
    private static final int UNPROCESSABLE = 422;

    /** The API server cuts what is longer. */
    private static final int LONGEST_WARNING = 120;

    private final KubernetesSerialization serialization = new KubernetesSerialization();

    /** Needs nothing. */
    public SlicesEndpoint() {}

    /** @throws IllegalArgumentException if the path is that of no rules, or the object is no pod */
    @Override
    public AdmissionResponse apply(AdmissionRequest request) {
        SlicePodRules rules = SlicePodRules.at(request.path());
        if (!request.operation().equals("CREATE")
                || !"Pod".equals(request.object().get("kind"))) {
            return AdmissionResponse.allow();
        }
        Pod pod = serialization.convertValue(request.object(), Pod.class);
        if (pod.getSpec() == null || pod.getMetadata() == null) {
            return AdmissionResponse.allow();
        }
        pod.getMetadata().setNamespace(request.namespace());
        SlicePodRules.Verdict verdict = rules.judge(pod);
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
