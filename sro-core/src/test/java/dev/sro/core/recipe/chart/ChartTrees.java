package dev.sro.core.recipe.chart;

import dev.sro.core.fixture.Nodes;
import dev.sro.core.model.ValueTrees;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What an object that Helm rendered is in the cluster, by the rules of the original for every object: namespace, name and labels of
 * what is kernel-affine, node selectors, proxy, Helm's marks. Where SRO differs on purpose it is marked with "SRO:". Stateless.
 */
final class ChartTrees {

    static final Map<String, String> PROXY = new LinkedHashMap<>();

    static {
        PROXY.put("HTTP_PROXY", "http://proxy.example.com:3128");
        PROXY.put("HTTPS_PROXY", "http://proxy.example.com:3129");
        PROXY.put("NO_PROXY", ".cluster.local");
    }

    private static final String PREFIX = "specialresource.openshift.io/";
    private static final Set<String> CLUSTER = Set.of("Namespace", "ClusterRole", "CustomResourceDefinition");

    /** Where the pods of kinds are. */
    private static final Map<String, List<String>> TEMPLATES = Map.of(
            "DaemonSet",
            List.of("spec", "template"),
            "Deployment",
            List.of("spec", "template"),
            "StatefulSet",
            List.of("spec", "template"),
            "Job",
            List.of("spec", "template"),
            "CronJob",
            List.of("spec", "jobTemplate", "spec", "template"));

    private ChartTrees() {}

    /**
     * The object.
     *
     * @param rendered by Helm
     * @param kernel one that the object is for; empty for all
     * @param name that it has: known where it is cut
     * @param barrier label that the state before gives nodes; empty for none
     * @param selector of the special resource
     */
    static Map<String, Object> of(
            Map<String, Object> rendered, String kernel, String name, String barrier, Map<String, String> selector) {
        Map<String, Object> tree = ValueTrees.mutableCopy(rendered);
        String kind = ValueTrees.text(tree, "kind");
        Map<String, Object> metadata = ValueTrees.ensureMap(tree, "metadata");
        metadata.put("name", name);
        if (CLUSTER.contains(kind)) {
            metadata.remove("namespace");
        } else {
            metadata.putIfAbsent("namespace", "kmod");
        }
        if (!kernel.isEmpty()) {
            affine(tree, kind, name);
        }
        if (!kind.equals("Namespace")) {
            Map<String, Object> annotations = ValueTrees.ensureMap(tree, "metadata", "annotations");
            annotations.put("meta.helm.sh/release-name", "kmod");
            annotations.put("meta.helm.sh/release-namespace", "kmod");
            ValueTrees.ensureMap(tree, "metadata", "labels").put("app.kubernetes.io/managed-by", "Helm");
        }
        ValueTrees.ensureMap(tree, "metadata", "labels").put(PREFIX + "owned", "true");
        List<String> template = TEMPLATES.get(kind);
        if (template != null) {
            // SRO: of Jobs and CronJobs, too, and where the template has no labels, which to the original was an error.
            ValueTrees.ensureMap(tree, path(template, "metadata", "labels")).put(PREFIX + "owned", "true");
        }
        if (kind.equals("Job")) {
            // SRO: one that has ended is the memory that it ran.
            ValueTrees.ensureMap(tree, "spec").remove("ttlSecondsAfterFinished");
        }
        nodes(tree, kind, kernel, barrier, selector);
        proxy(tree, kind);
        return tree;
    }

    private static void affine(Map<String, Object> tree, String kind, String name) {
        if (Set.of("DaemonSet", "Deployment", "StatefulSet").contains(kind)) {
            ValueTrees.ensureMap(tree, "metadata", "labels").put("app", name);
            ValueTrees.ensureMap(tree, "spec", "selector", "matchLabels").put("app", name);
            ValueTrees.ensureMap(tree, "spec", "template", "metadata", "labels").put("app", name);
        }
        if (kind.equals("BuildRun")) {
            ValueTrees.ensureMap(tree, "spec", "buildRef").put("name", name);
        }
        if (kind.equals("BuildConfig")) {
            // SRO: a build that names the kernel is one for each kernel, whatever its author wrote.
            ValueTrees.ensureMap(tree, "metadata", "annotations").putIfAbsent(PREFIX + "kernel-affine", "true");
        }
    }

    private static void nodes(
            Map<String, Object> tree, String kind, String kernel, String barrier, Map<String, String> selector) {
        List<String> template = TEMPLATES.getOrDefault(kind, List.of());
        boolean direct = kind.equals("Pod") || kind.equals("BuildConfig");
        if (template.isEmpty() && !direct) {
            return;
        }
        String[] path = direct ? new String[] {"spec", "nodeSelector"} : path(template, "spec", "nodeSelector");
        Map<String, Object> nodes = ValueTrees.ensureMap(tree, path);
        if (!kernel.isEmpty()) {
            // SRO: of StatefulSets, Jobs and CronJobs, too.
            nodes.put("feature.node.kubernetes.io/kernel-version.full", kernel);
            if (kernel.equals(Nodes.UBUNTU)) {
                nodes.put("kubernetes.io/arch", "amd64");
            }
        }
        if (!kind.equals("Job") && !kind.equals("CronJob")) {
            nodes.putAll(selector);
        }
        if (kind.equals("DaemonSet") && !barrier.isEmpty()) {
            // SRO: node by node, by the label of the state before.
            nodes.put(barrier, "Ready");
        }
    }

    /** SRO: all containers get what the original meant to give the first one, and lost; what they set themselves stays. */
    private static void proxy(Map<String, Object> tree, String kind) {
        List<String> template = TEMPLATES.getOrDefault(kind, List.of());
        if (!"true".equals(ValueTrees.text(tree, "metadata", "annotations", PREFIX + "proxy"))
                || (template.isEmpty() && !kind.equals("Pod"))) {
            return;
        }
        Map<String, Object> spec =
                ValueTrees.ensureMap(tree, template.isEmpty() ? new String[] {"spec"} : path(template, "spec"));
        for (String list : List.of("initContainers", "containers")) {
            for (Map<String, Object> container : ValueTrees.maps(spec, list)) {
                List<Object> all = new ArrayList<>(ValueTrees.maps(container, "env"));
                List<String> own = ValueTrees.maps(container, "env").stream()
                        .map(each -> ValueTrees.text(each, "name"))
                        .toList();
                PROXY.forEach((name, value) -> {
                    if (!own.contains(name)) {
                        all.add(Map.of("name", name, "value", value));
                    }
                });
                container.put("env", all);
            }
        }
    }

    private static String[] path(List<String> first, String... more) {
        List<String> path = new ArrayList<>(first);
        path.addAll(List.of(more));
        return path.toArray(String[]::new);
    }
}
