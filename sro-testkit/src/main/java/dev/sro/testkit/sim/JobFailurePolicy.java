package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** Applies {@code spec.podFailurePolicy} of a Job to a failed pod. */
final class JobFailurePolicy {
    /** What the first rule that matches asks for. */
    enum Action {
        COUNT,
        IGNORE,
        FAIL_JOB
    }

    /** @param message why the Job fails; empty unless it does */
    record Verdict(Action action, String message) {
        static final Verdict COUNT = new Verdict(Action.COUNT, "");
    }

    private JobFailurePolicy() {}

    static Verdict of(JsonNode job, JsonNode pod) {
        JsonNode rules = JsonNodes.at(job, "spec", "podFailurePolicy", "rules");
        for (int i = 0; i < rules.size(); i++) {
            JsonNode rule = rules.get(i);
            String reason = rule.has("onExitCodes") ? exitCodes(rule, pod, i) : conditions(rule, pod, i);
            if (!reason.isEmpty()) {
                return verdict(JsonNodes.text(rule, "action"), reason);
            }
        }
        return Verdict.COUNT;
    }

    private static Verdict verdict(String action, String reason) {
        return switch (action) {
            case "FailJob" -> new Verdict(Action.FAIL_JOB, reason);
            case "Ignore" -> new Verdict(Action.IGNORE, "");
            default -> Verdict.COUNT;
        };
    }

    private static String exitCodes(JsonNode rule, JsonNode pod, int index) {
        JsonNode codes = rule.path("onExitCodes");
        List<String> values = JsonNodes.texts(codes, "values");
        boolean in = JsonNodes.text(codes, "operator").equals("In");
        for (String list : List.of("initContainerStatuses", "containerStatuses")) {
            for (JsonNode c : JsonNodes.at(pod, "status", list)) {
                JsonNode ended = JsonNodes.at(c, "state", "terminated");
                String code = JsonNodes.text(ended, "exitCode");
                boolean named = JsonNodes.text(codes, "containerName").isEmpty()
                        || JsonNodes.text(codes, "containerName").equals(JsonNodes.text(c, "name"));
                if (named && !code.isEmpty() && !code.equals("0") && values.contains(code) == in) {
                    return "Container " + JsonNodes.text(c, "name") + " for pod " + JsonNodes.key(pod)
                            + " failed with exit code " + code + " matching " + JsonNodes.text(rule, "action")
                            + " rule at index " + index;
                }
            }
        }
        return "";
    }

    private static String conditions(JsonNode rule, JsonNode pod, int index) {
        for (JsonNode pattern : rule.path("onPodConditions")) {
            JsonNode c = Conditions.find(pod, JsonNodes.text(pattern, "type"));
            String status = JsonNodes.text(pattern, "status").isEmpty() ? "True" : JsonNodes.text(pattern, "status");
            if (JsonNodes.text(c, "status").equals(status)) {
                return "Pod " + JsonNodes.key(pod) + " has condition " + JsonNodes.text(c, "type") + " matching "
                        + JsonNodes.text(rule, "action") + " rule at index " + index;
            }
        }
        return "";
    }
}
