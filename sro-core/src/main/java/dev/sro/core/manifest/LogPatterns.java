package dev.sro.core.manifest;

import dev.sro.api.ReadinessRule.LogPattern;
import dev.sro.api.State;
import dev.sro.core.cel.CelException;
import dev.sro.core.cel.Re2;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ValueTrees;
import java.util.List;
import java.util.Map;

/** Whether the text that a state waits for in a log can ever be found. Stateless. */
final class LogPatterns {

    /** As for the annotation. */
    private static final int MAX_LENGTH = 1_024;

    private LogPatterns() {}

    /**
     * Looks at all {@link LogPattern}s of a state.
     *
     * @param objects of the state for one pool
     * @throws RenderException if one is no regular expression, or names a container that no waited-for workload has
     */
    static void check(State state, List<KubeObject> objects) {
        state.readiness().stream()
                .filter(LogPattern.class::isInstance)
                .map(LogPattern.class::cast)
                .forEach(rule -> check(state, rule, objects));
    }

    private static void check(State state, LogPattern rule, List<KubeObject> objects) {
        String fault = rule.pattern().length() > MAX_LENGTH ? "it has more than " + MAX_LENGTH + " characters" : "";
        try {
            Re2.compile(rule.pattern());
        } catch (CelException e) {
            fault = e.text() + " at character " + (e.position() + 1);
        }
        String name = "state " + state.id() + ": LogPattern for container " + rule.container();
        if (!fault.isEmpty()) {
            throw RenderException.vendor("LogPatternInvalid", name + " is no regular expression of Go: " + fault);
        }
        if (objects.stream().noneMatch(object -> isIn(object, rule.container()))) {
            throw RenderException.vendor(
                    "LogContainerMissing",
                    name + ": no workload of the state that is waited for has this container; name one of theirs");
        }
    }

    private static boolean isIn(KubeObject object, String container) {
        if ("false".equals(object.annotation(MetadataKeys.WAIT).orElse(""))) {
            return false;
        }
        Map<String, Object> spec = switch (object.ref().kind()) {
            case "Pod" -> object.map("spec");
            case "DaemonSet", "Deployment", "StatefulSet", "ReplicaSet", "Job" ->
                object.map("spec", "template", "spec");
            default -> Map.of();
        };
        return ValueTrees.maps(spec, "containers").stream().anyMatch(one -> container.equals(one.get("name")));
    }
}
