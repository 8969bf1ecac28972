package dev.sro.core.build;

import static dev.sro.core.model.TreeLiterals.map;

import dev.sro.api.ProxySettings;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ValueTrees;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The objects of a build in a Job. Stateless. */
final class Jobs {

    private Jobs() {}

    static List<KubeObject> render(BuildStep step, int attempt, BuildSettings settings, ProxySettings proxy) {
        String name = step.name(attempt);
        BuilderPod pod = new BuilderPod(step, name, settings, proxy);
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("restartPolicy", "Never");
        spec.put("automountServiceAccountToken", false);
        spec.put("nodeSelector", BuildTrees.nodeSelector(step));
        // While a node is drained for its new kernel, the driver for that kernel can already be built.
        spec.put(
                "tolerations",
                List.of(map("key", "node.kubernetes.io/unschedulable", "operator", "Exists", "effect", "NoSchedule")));
        if (!step.plan().pullSecrets().isEmpty()) {
            spec.put(
                    "imagePullSecrets",
                    step.plan().pullSecrets().stream()
                            .map(secret -> map("name", secret))
                            .toList());
        }
        Map<String, Object> container = new LinkedHashMap<>(pod.container());
        // So the end of its log is known without a request; a step of Shipwright has no such field.
        container.put("terminationMessagePolicy", "FallbackToLogsOnError");
        spec.put("containers", List.of(container));
        spec.put("volumes", pod.volumes());
        Map<String, Object> tree = BuildTrees.object("batch/v1", "Job", step, name, attempt);
        // Equal inputs: whatever else this version of SRO would do differently is no reason to build again.
        ValueTrees.ensureMap(tree, "metadata", "annotations").put(MetadataKeys.MANIFEST, step.hash());
        tree.put(
                "spec",
                map(
                        // SRO tries again itself, later each time, and keeps the log of the last failure.
                        "backoffLimit",
                        0,
                        "activeDeadlineSeconds",
                        step.plan().timeout().orElse(settings.timeout()).toSeconds(),
                        "podFailurePolicy",
                        map("rules", List.of(evicted())),
                        "template",
                        map("metadata", map("labels", map("app", name)), "spec", spec)));
        return List.of(pod.files(attempt), BuildTrees.frozen(tree));
    }

    /** A drained node is no failure of the build. */
    private static Map<String, Object> evicted() {
        return map("action", "Ignore", "onPodConditions", List.of(map("type", "DisruptionTarget", "status", "True")));
    }
}
