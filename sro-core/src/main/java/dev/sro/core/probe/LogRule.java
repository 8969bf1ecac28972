package dev.sro.core.probe;

import dev.sro.api.ReadinessRule.LogPattern;
import dev.sro.api.State;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ValueTrees;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What an object waits for in the logs of its pods. Immutable.
 *
 * @param regexp what is to be found
 * @param container in whose log; empty for any of those that speak for the pod
 */
public record LogRule(String regexp, String container) {

    /** By its annotation, and by the rules of its state that are about one of its containers. */
    public static List<LogRule> of(KubeObject live, State state) {
        List<LogRule> rules = new ArrayList<>();
        LogOutcomes.regexp(live).ifPresent(regexp -> rules.add(new LogRule(regexp, "")));
        state.readiness().forEach(rule -> {
            if (rule instanceof LogPattern pattern && isIn(live, pattern.container())) {
                // In a line: what a pattern says of beginning and end is about lines.
                rules.add(new LogRule("(?m)" + pattern.pattern(), pattern.container()));
            }
        });
        return rules;
    }

    private static boolean isIn(KubeObject live, String container) {
        Map<String, Object> spec =
                live.ref().kind().equals("Pod") ? live.map("spec") : live.map("spec", "template", "spec");
        return ValueTrees.maps(spec, "containers").stream().anyMatch(one -> container.equals(one.get("name")));
    }
}
