package dev.sro.runtime.webhook;

import dev.sro.core.partition.PodRules;
import java.util.Optional;
import java.util.function.Function;

/**
 * Gives pods that ask for a device the tolerations, and the priority class, that its special resource says. A pure function of the pod
 * and of the rules. Thread-safe if the rules are.
 */
public final class PartitioningEndpoint implements Function<AdmissionRequest, AdmissionResponse> {

    private final Function<String, Optional<PodRules>> rules;

    /**
     * @param rules by path; empty for a path that no special resource has any more
     */
    public PartitioningEndpoint(Function<String, Optional<PodRules>> rules) {
        this.rules = rules;
    }

    @Override
    public AdmissionResponse apply(AdmissionRequest request) {
        if (!request.operation().equals("CREATE")
                || !"Pod".equals(request.object().get("kind"))) {
            return AdmissionResponse.allow();
        }
        return rules.apply(request.path())
                .map(found -> AdmissionResponse.patched(found.patch(request.object())))
                .orElseGet(AdmissionResponse::allow);
    }
}
