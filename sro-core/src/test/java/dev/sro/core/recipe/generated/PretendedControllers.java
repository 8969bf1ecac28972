package dev.sro.core.recipe.generated;

import dev.sro.core.facts.ObservedNode;
import dev.sro.core.fixture.FakeCluster;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.pool.ServedNodes;
import dev.sro.core.probe.PodFacts;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

/** What the controllers of a cluster report of operands: ready is what the test wants ready, and nothing else. Stateless. */
public final class PretendedControllers {

    private PretendedControllers() {}

    /**
     * One look at all objects.
     *
     * @param ready those that are
     * @param unpulled DaemonSets whose images are not there
     */
    public static void run(FakeCluster cluster, Predicate<KubeObject> ready, Predicate<KubeObject> unpulled) {
        cluster.objects.replaceAll((ref, live) -> {
            boolean is = ready.test(live);
            return switch (ref.kind()) {
                case "Namespace" -> status(live, Map.of("phase", "Active"));
                case "Job" -> {
                    pods(cluster, live, 1, is);
                    yield status(live, condition("Complete", is));
                }
                case "CustomResourceDefinition" -> status(live, condition("Established", is));
                case "Pod" -> {
                    pods(cluster, live, 1, is);
                    yield status(live, Map.of("phase", is ? "Succeeded" : "Running"));
                }
                case "DaemonSet" -> daemonSet(cluster, live, is, unpulled.test(live));
                case "Deployment", "StatefulSet" -> replicas(cluster, live, is);
                case "BuildConfig" -> build(cluster, live, is);
                default -> live;
            };
        });
        cluster.pods
                .values()
                .removeIf(pod -> cluster.objects.values().stream()
                        .noneMatch(live -> live.uid().equals(pod.owner())));
    }

    private static Map<String, Object> condition(String type, boolean is) {
        return Map.of("conditions", List.of(Map.of("type", type, "status", is ? "True" : "False")));
    }

    /** Those of what is on no node of its own. */
    private static void pods(FakeCluster cluster, KubeObject live, long count, boolean ready) {
        String kind = live.ref().kind();
        boolean byName = kind.equals("Deployment") || kind.equals("Pod");
        boolean ends = kind.equals("Job") || kind.equals("Pod");
        for (int i = 0; i < count; i++) {
            PodFacts pod = pod(live, String.valueOf(i), ready, false);
            cluster.pods.put(
                    live.uid() + "/" + i,
                    new PodFacts(
                            pod.namespace(),
                            pod.name(),
                            live.uid(),
                            "",
                            ends && ready ? "Succeeded" : "Running",
                            ready,
                            false,
                            "",
                            "",
                            "",
                            pod.uid(),
                            byName
                                    ? kind + "/" + live.ref().namespace() + "/"
                                            + live.ref().name()
                                    : "",
                            pod.containers(),
                            0,
                            "",
                            "",
                            Instant.EPOCH,
                            Instant.EPOCH,
                            Instant.EPOCH,
                            Map.of()));
        }
    }

    private static KubeObject replicas(FakeCluster cluster, KubeObject live, boolean ready) {
        long wanted = ValueTrees.number(live.map("spec"), "replicas", 1);
        pods(cluster, live, wanted, ready);
        long are = ready ? wanted : 0;
        return status(
                live,
                Map.of(
                        "observedGeneration", live.generation(),
                        "replicas", wanted,
                        "updatedReplicas", wanted,
                        "availableReplicas", are,
                        "readyReplicas", are));
    }

    private static KubeObject build(FakeCluster cluster, KubeObject live, boolean complete) {
        KubeObject build = KubeObject.of(Map.of(
                "apiVersion",
                "build.openshift.io/v1",
                "kind",
                "Build",
                "metadata",
                Map.of("name", live.ref().name() + "-1", "namespace", live.ref().namespace()),
                "status",
                complete
                        ? Map.of("phase", "Complete", "completionTimestamp", "2026-01-01T10:00:00Z")
                        : Map.of("phase", "Running")));
        cluster.children.put(live.uid(), List.of(build));
        return live;
    }

    private static KubeObject daemonSet(FakeCluster cluster, KubeObject live, boolean ready, boolean unpulled) {
        Map<String, Object> selector = live.map("spec", "template", "spec", "nodeSelector");
        List<Map<String, Object>> tolerations = ValueTrees.maps(live.map("spec", "template", "spec"), "tolerations");
        int matching = 0;
        for (ObservedNode node : cluster.nodes.values()) {
            String key = live.uid() + "/" + node.name();
            boolean selected = selector.entrySet().stream()
                    .allMatch(term -> Objects.equals(
                            term.getValue(), node.facts().labels().get(term.getKey())));
            if (!selected || ServedNodes.keepsPodsOff(node.facts(), tolerations)) {
                cluster.pods.remove(key);
                continue;
            }
            cluster.pods.put(key, pod(live, node.name(), ready, unpulled));
            matching++;
        }
        return status(
                live,
                Map.of(
                        "observedGeneration",
                        live.generation(),
                        "desiredNumberScheduled",
                        matching,
                        "updatedNumberScheduled",
                        matching,
                        "numberAvailable",
                        ready ? matching : 0));
    }

    private static PodFacts pod(KubeObject owner, String node, boolean ready, boolean unpulled) {
        return new PodFacts(
                owner.ref().namespace(),
                owner.ref().name() + "-" + owner.uid() + "-" + node,
                owner.uid(),
                node,
                unpulled ? "Pending" : "Running",
                ready,
                false,
                String.valueOf(owner.generation()),
                unpulled ? "ImagePullBackOff" : "",
                unpulled ? "not found" : "",
                "pod-" + owner.uid() + "-" + node,
                "",
                List.of(new PodFacts.Container("c", 0, !unpulled)),
                0,
                "",
                "",
                Instant.EPOCH,
                Instant.EPOCH,
                Instant.EPOCH,
                Map.of());
    }

    private static KubeObject status(KubeObject live, Map<String, Object> status) {
        return live.edit(tree -> tree.put("status", ValueTrees.mutableCopy(status)));
    }
}
