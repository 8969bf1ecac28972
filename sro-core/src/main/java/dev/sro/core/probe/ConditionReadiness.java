package dev.sro.core.probe;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ValueTrees;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Judges objects by their conditions, as the API conventions and kstatus have them. Stateless.
 */
final class ConditionReadiness {

    private static final String TRUE = "True";

    /** Conditions that say that all is well, the first that an object has counts. */
    private static final List<String> SUMMARIES = List.of("Ready", "Available");

    private ConditionReadiness() {}

    /** The condition of this type; empty if there is none. */
    static Map<String, Object> find(KubeObject live, String type) {
        return live.maps("status", "conditions").stream()
                .filter(condition -> type.equals(condition.get("type")))
                .findFirst()
                .orElse(Map.of());
    }

    static boolean isTrue(KubeObject live, String type) {
        return TRUE.equals(find(live, type).get("status"));
    }

    /** Of a kind that is ready only with this condition. */
    static Outcome needed(KubeObject live, String type, Instant now) {
        Map<String, Object> condition = find(live, type);
        if (isStale(live, condition)) {
            return Counts.notObserved(live, now);
        }
        if (TRUE.equals(condition.get("status"))) {
            return Outcome.ready();
        }
        String detail = describe(condition);
        return Outcome.waiting(
                "Not" + type,
                now,
                live + " has no condition " + type + "=True yet" + (detail.isEmpty() ? "" : ": " + detail));
    }

    /** Of any kind: ready unless it says otherwise. */
    static Outcome general(KubeObject live, Instant now) {
        if (ValueTrees.number(live.map("status"), "observedGeneration", live.generation()) < live.generation()) {
            return Counts.notObserved(live, now);
        }
        if (isTrue(live, "Stalled")) {
            return Outcome.failed(
                    Problem.vendor("Stalled", live + " does not get on: " + describe(find(live, "Stalled"))));
        }
        if (isTrue(live, "Reconciling")) {
            return Outcome.waiting(
                    "Reconciling", now, live + " is being worked on: " + describe(find(live, "Reconciling")));
        }
        Map<String, Object> succeeded = find(live, "Succeeded");
        if ("False".equals(succeeded.get("status"))) {
            return Outcome.failed(Problem.vendor("RunFailed", live + " failed: " + describe(succeeded)));
        }
        if (!succeeded.isEmpty()) {
            return needed(live, "Succeeded", now);
        }
        for (String type : SUMMARIES) {
            if (!find(live, type).isEmpty()) {
                return needed(live, type, now);
            }
        }
        return Outcome.ready();
    }

    private static boolean isStale(KubeObject live, Map<String, Object> condition) {
        return ValueTrees.number(condition, "observedGeneration", live.generation()) < live.generation();
    }

    /** Reason and message, as far as there are any. */
    static String describe(Map<String, Object> condition) {
        String reason = ValueTrees.text(condition, "reason");
        String message = ValueTrees.text(condition, "message");
        return reason.isEmpty() || message.isEmpty() ? reason + message : reason + ": " + message;
    }
}
