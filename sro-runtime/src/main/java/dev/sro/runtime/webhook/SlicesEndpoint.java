package dev.sro.runtime.webhook;

import dev.sro.core.placement.SlicePodRules;
import java.util.function.Function;

/** Has pods that ask for slices wait for them, or go to a scheduler that knows them, as the path says. A pure function. Thread-safe. */
public final class SlicesEndpoint implements Function<AdmissionRequest, AdmissionResponse> {
    private final PodAnswers answers = new PodAnswers();

    /** Needs nothing. */
    public SlicesEndpoint() {}

    /** @throws IllegalArgumentException if the path is that of no rules, or the object is no pod */
    @Override
    public AdmissionResponse apply(AdmissionRequest request) {
        SlicePodRules rules = SlicePodRules.at(request.path());
        return answers.created(request)
                .map(pod -> PodAnswers.answer(rules.judge(pod)))
                .orElseGet(AdmissionResponse::allow);
    }
}
