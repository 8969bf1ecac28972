package dev.sro.core.claim;

import dev.sro.core.claim.PodExplanation.NodeVerdict;
import dev.sro.core.claim.PodExplanation.State;
import dev.sro.core.dra.InfeasibilityCertificate;
import dev.sro.core.slicing.MovePlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What is known so far of why a pod waits. Not thread-safe. */
final class ExplanationDraft {
    final String pod;
    final List<String> asks = new ArrayList<>();
    final List<String> has = new ArrayList<>();
    final List<String> details = new ArrayList<>();
    final List<NodeVerdict> nodes = new ArrayList<>();
    final List<InfeasibilityCertificate> certificates = new ArrayList<>();
    String nearest = "";
    Optional<MovePlan> moves = Optional.empty();

    ExplanationDraft(String pod) {
        this.pod = pod;
    }

    ExplanationDraft copy() {
        ExplanationDraft copy = new ExplanationDraft(pod);
        copy.asks.addAll(asks);
        copy.has.addAll(has);
        copy.details.addAll(details);
        return copy;
    }

    void proved(List<InfeasibilityCertificate> proof) {
        certificates.addAll(proof);
        proof.forEach(certificate -> details.add(InfeasibilityProofs.text(certificate)));
    }

    PodExplanation done(State state, String summary) {
        return new PodExplanation(pod, state, summary, asks, has, details, nodes, nearest, moves, certificates);
    }
}
