package dev.sro.core.manifest;

import dev.sro.api.ValidationLimits;
import dev.sro.core.model.ValueTrees;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/**
 * Tells Kubernetes the limits of a validation, where it can heed them itself: when a Job or a Pod is ended, and how often it is tried.
 * They are not in the digest of the manifest: other limits are no reason to validate again. Stateless.
 */
final class LimitHook {

    private static final Set<String> TO_AN_END = Set.of("Never", "OnFailure");

    private LimitHook() {}

    static void apply(Map<String, Object> tree, HookContext context) {
        context.state().limits().ifPresent(limits -> {
            if ("Job".equals(tree.get("kind"))) {
                job(ValueTrees.ensureMap(tree, "spec"), limits);
            } else if ("Pod".equals(tree.get("kind"))
                    && TO_AN_END.contains(ValueTrees.text(tree, "spec", "restartPolicy"))) {
                pod(ValueTrees.ensureMap(tree, "spec"), limits);
            }
        });
    }

    private static void job(Map<String, Object> spec, ValidationLimits limits) {
        limits.timeout().ifPresent(timeout -> spec.put("activeDeadlineSeconds", seconds(timeout)));
        limits.retries().ifPresent(retries -> spec.put("backoffLimit", retries));
    }

    /** The kubelet starts its containers again, for ever; how often that counts is judged by SRO. */
    private static void pod(Map<String, Object> spec, ValidationLimits limits) {
        limits.timeout().ifPresent(timeout -> spec.put("activeDeadlineSeconds", seconds(timeout)));
        limits.retries().ifPresent(retries -> spec.put("restartPolicy", retries == 0 ? "Never" : "OnFailure"));
    }

    private static long seconds(Duration time) {
        return time.plusSeconds(1).minusNanos(1).toSeconds();
    }
}
