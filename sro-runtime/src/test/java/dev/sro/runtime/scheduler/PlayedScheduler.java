package dev.sro.runtime.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.model.ValueTrees;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.yaml.Json;
import dev.sro.testkit.EmbeddedCluster;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** An API server in this JVM with {@code sro slices scheduler} on it; kube-scheduler is played by the test. Confined to the test's thread. */
final class PlayedScheduler implements AutoCloseable {
    /** How the user agents of schedulers begin. */
    static final String ACCOUNT = "slices-";

    final EmbeddedCluster cluster = EmbeddedCluster.create();
    final KubernetesClient client = cluster.client();
    final SliceWorld world = new SliceWorld(client);
    final List<String> nodes = new ArrayList<>();
    Instant now = Instant.parse("2026-11-26T10:00:00Z");

    private final KubernetesSerialization serialization = new KubernetesSerialization();
    private final List<SliceScheduler> started = new ArrayList<>();

    @Override
    public void close() {
        started.forEach(SliceScheduler::close);
        cluster.close();
    }

    /** Nodes with GPUs of eight slices each. */
    void fleet(int count, int gpus) {
        world.definitions();
        cluster.settle();
        for (int i = 0; i < count; i++) {
            nodes.add("n" + i);
            world.node("n" + i, "8");
            world.inventory("n" + i, "default", gpus);
        }
        cluster.settle();
    }

    /** Another process of it, with gates or with an extender; the ones before go on. */
    SliceScheduler scheduler(boolean gates) {
        Clock clock = new Clock() {
            @Override
            public ZoneOffset getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }

            @Override
            public Instant instant() {
                return now;
            }
        };
        SliceScheduler scheduler = new SliceScheduler(
                cluster.newClient(ACCOUNT + started.size()),
                Catalogue.builtin(),
                new SliceScheduler.Duties(gates, !gates),
                () -> true,
                clock,
                Runnable::run);
        started.add(scheduler);
        scheduler.start();
        cluster.settle();
        assertThat(scheduler.isFilled()).isTrue();
        return scheduler;
    }

    /** A call of the extender; where it answers a list, that is under {@code list}. */
    Map<String, Object> ask(ExtenderEndpoints extender, String verb, Map<String, Object> arguments) {
        byte[] body = Json.text(arguments).getBytes(StandardCharsets.UTF_8);
        Object answer = Json.read(new String(extender.answer("/" + verb, body).orElseThrow(), StandardCharsets.UTF_8));
        return answer instanceof List<?> list
                ? new LinkedHashMap<>(Map.of("list", list))
                : ValueTrees.copy(map(Objects.requireNonNull(answer)));
    }

    private static List<Object> list(Map<String, Object> tree, String key) {
        return tree.get(key) instanceof List<?> list ? List.copyOf(list) : List.of();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object tree) {
        return (Map<String, Object>) tree;
    }

    /** What kube-scheduler sends with a pod. */
    Map<String, Object> arguments(Pod pod) {
        Map<String, Object> arguments = new HashMap<>();
        arguments.put("Pod", Json.read(serialization.asJson(pod)));
        arguments.put("Nodes", null);
        arguments.put("NodeNames", nodes);
        arguments.values().removeIf(value -> value == null);
        return arguments;
    }

    /** What kube-scheduler does with one pod; the error of the binding, or why no node was found. */
    String schedule(ExtenderEndpoints extender, Pod pod) {
        String best = best(extender, pod);
        return best.isEmpty() ? "unschedulable" : bind(extender, pod, best);
    }

    /** The node that kube-scheduler takes; empty if none has room. */
    String best(ExtenderEndpoints extender, Pod pod) {
        Map<String, Object> filtered = ask(extender, ExtenderEndpoints.FILTER, arguments(pod));
        assertThat(filtered.get("Error")).isEqualTo("");
        List<Object> fitting = list(filtered, "NodeNames");
        if (fitting.isEmpty()) {
            return "";
        }
        Map<String, Object> again = arguments(pod);
        again.put("NodeNames", fitting);
        List<Object> scores = list(ask(extender, ExtenderEndpoints.PRIORITIZE, again), "list");
        String best = "";
        long most = -1;
        for (Object each : scores) {
            long score = ValueTrees.number(map(each), "Score", -1);
            if (score > most) {
                most = score;
                best = String.valueOf(map(each).get("Host"));
            }
        }
        return best;
    }

    String bind(ExtenderEndpoints extender, Pod pod, String node) {
        return String.valueOf(ask(
                        extender,
                        ExtenderEndpoints.BIND,
                        Map.of(
                                "PodName", pod.getMetadata().getName(),
                                "PodNamespace", pod.getMetadata().getNamespace(),
                                "PodUID", pod.getMetadata().getUid(),
                                "Node", node))
                .get("Error"));
    }

    /** As the API server has it. */
    Pod now(Pod pod) {
        return client.pods()
                .inNamespace("default")
                .withName(pod.getMetadata().getName())
                .get();
    }

    /** Has a pod marked as kube-scheduler marks those that it has no node for. */
    void unschedulable(Pod pod) {
        Pod changed = now(pod);
        changed.setStatus(new PodStatusBuilder()
                .withPhase("Pending")
                .withConditions(new PodConditionBuilder()
                        .withType("PodScheduled")
                        .withStatus("False")
                        .withReason("Unschedulable")
                        .build())
                .build());
        client.resource(changed).updateStatus();
        cluster.settle();
    }

    /** Deletes a pod with what it has. */
    void delete(Pod pod) {
        client.pods()
                .inNamespace("default")
                .withName(pod.getMetadata().getName())
                .withGracePeriod(0)
                .delete();
        // What the garbage collector does once the owner is gone, and the agent once the hardware is.
        world.claims().stream()
                .filter(claim -> claim.pod().uid().equals(pod.getMetadata().getUid()))
                .forEach(claim -> client.genericKubernetesResources(ClaimWriter.CLAIMS)
                        .inNamespace(claim.namespace())
                        .withName(claim.name())
                        .delete());
        cluster.settle();
    }
}
