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
        JsonNode rules = J.at(job, "spec", "podFailurePolicy", "rules");
        for (int i = 0; i < rules.size(); i++) {
            JsonNode rule = rules.get(i);
            String reason = rule.has("onExitCodes") ? exitCodes(rule, pod, i) : conditions(rule, pod, i);
            if (!reason.isEmpty()) {
                return verdict(J.text(rule, "action"), reason);
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
        List<String> values = J.texts(codes, "values");
        boolean in = J.text(codes, "operator").equals("In");
        for (String list : List.of("initContainerStatuses", "containerStatuses")) {
            for (JsonNode c : J.at(pod, "status", list)) {
                JsonNode ended = J.at(c, "state", "terminated");
                String code = J.text(ended, "exitCode");
                boolean named = J.text(codes, "containerName").isEmpty()
                        || J.text(codes, "containerName").equals(J.text(c, "name"));
                if (named && !code.isEmpty() && !code.equals("0") && values.contains(code) == in) {
                    return "Container " + J.text(c, "name") + " for pod " + J.key(pod) + " failed with exit code "
                            + code + " matching " + J.text(rule, "action") + " rule at index " + index;
                }
            }
        }
        return "";
    }

    private static String conditions(JsonNode rule, JsonNode pod, int index) {
        for (JsonNode pattern : rule.path("onPodConditions")) {
            JsonNode c = Conditions.find(pod, J.text(pattern, "type"));
            String status = J.text(pattern, "status").isEmpty() ? "True" : J.text(pattern, "status");
            if (J.text(c, "status").equals(status)) {
                return "Pod " + J.key(pod) + " has condition " + J.text(c, "type") + " matching "
                        + J.text(rule, "action") + " rule at index " + index;
            }
        }
        return "";
    }
}
