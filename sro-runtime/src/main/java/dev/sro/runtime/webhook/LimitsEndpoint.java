package dev.sro.runtime.webhook;

import dev.sro.core.allocation.LimitClasses;
import dev.sro.core.allocation.LimitPodRules;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Has pods that ask by limits for devices of the allocator wait for a claim in their place. Writes nothing, so a dry run is a request like others. Thread-safe. */
public final class LimitsEndpoint implements Function<AdmissionRequest, AdmissionResponse> {
    private final Supplier<Optional<LimitClasses>> classes;
    private final PodAnswers answers = new PodAnswers();

    /** @param classes of the cluster; empty while they are not known */
    public LimitsEndpoint(Supplier<Optional<LimitClasses>> classes) {
        this.classes = classes;
    }

    /** @throws IllegalStateException while classes are not known: stored unchanged, a pod would wait for ever */
    @Override
    public AdmissionResponse apply(AdmissionRequest request) {
        Optional<Pod> pod = answers.created(request);
        if (pod.isEmpty()) {
            return AdmissionResponse.allow();
        }
        LimitClasses known =
                classes.get().orElseThrow(() -> new IllegalStateException("device classes are being listed"));
        return PodAnswers.answer(new LimitPodRules(known).judge(pod.get()));
    }
}
