package dev.sro.core.manifest;

import dev.sro.core.model.ValueTrees;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Where the kinds that run pods keep their pod template. Stateless. */
final class Workloads {

    private static final Map<String, String[]> POD_TEMPLATES = Map.of(
            "DaemonSet", new String[] {"spec", "template"},
            "Deployment", new String[] {"spec", "template"},
            "StatefulSet", new String[] {"spec", "template"},
            "ReplicaSet", new String[] {"spec", "template"},
            "Job", new String[] {"spec", "template"},
            "CronJob", new String[] {"spec", "jobTemplate", "spec", "template"},
            "PodTemplate", new String[] {"template"},
            "Pod", new String[0]);

    private Workloads() {}

    /** Path of the pod template; empty path for a Pod itself; absent for kinds that run none. */
    static Optional<String[]> podTemplate(Map<String, Object> tree) {
        return Optional.ofNullable(POD_TEMPLATES.get(String.valueOf(tree.get("kind"))));
    }

    /** All containers of a workload, those that run before the others included; the trees themselves, which must be mutable. */
    static List<Map<String, Object>> containers(Map<String, Object> tree) {
        List<Map<String, Object>> all = new ArrayList<>();
        podTemplate(tree).ifPresent(path -> {
            Map<String, Object> spec = ValueTrees.map(tree, join(path, "spec"));
            for (String list : List.of("initContainers", "containers")) {
                all.addAll(ValueTrees.maps(spec, list));
            }
        });
        return all;
    }

    /** Path of the node selector: in the pod template, or in the spec of a build. */
    static Optional<String[]> nodeSelector(Map<String, Object> tree) {
        if ("BuildConfig".equals(tree.get("kind"))) {
            return Optional.of(new String[] {"spec", "nodeSelector"});
        }
        return podTemplate(tree).map(path -> join(path, "spec", "nodeSelector"));
    }

    static String[] join(String[] path, String... more) {
        String[] all = new String[path.length + more.length];
        System.arraycopy(path, 0, all, 0, path.length);
        System.arraycopy(more, 0, all, path.length, more.length);
        return all;
    }
}
