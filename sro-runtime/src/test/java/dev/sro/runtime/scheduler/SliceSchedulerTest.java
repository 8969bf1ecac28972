package dev.sro.runtime.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.das.AllocationClaim;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.placement.PodSlices;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.yaml.Json;
import dev.sro.testkit.EmbeddedCluster;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Extender and gates on an API server in this JVM; the scheduler is played by the test. */
class SliceSchedulerTest {
    private static final String SLICE = "mig.das.com/1g.5gb";

    private final EmbeddedCluster cluster = EmbeddedCluster.create();
    private final KubernetesClient client = cluster.client();
    private final SliceWorld world = new SliceWorld(client);
    private final KubernetesSerialization serialization = new KubernetesSerialization();
    private final List<String> nodes = new ArrayList<>();
    private final List<SliceScheduler> started = new ArrayList<>();
    private Instant now = Instant.parse("2026-11-26T10:00:00Z");

    @AfterEach
    void close() {
        started.forEach(SliceScheduler::close);
        cluster.close();
    }

    private void fleet(int count, int gpus) {
        world.definitions();
        cluster.settle();
        for (int i = 0; i < count; i++) {
            nodes.add("n" + i);
            world.node("n" + i, "8");
            world.inventory("n" + i, "default", gpus);
        }
        cluster.settle();
    }

    private SliceScheduler scheduler(boolean gates) {
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
                client,
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

    private Map<String, Object> ask(ExtenderEndpoints extender, String verb, Map<String, Object> arguments) {
        Object answer =
                Json.read(extender.answer("/" + verb, Json.text(arguments)).orElseThrow());
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

    private Map<String, Object> arguments(Pod pod) {
        Map<String, Object> arguments = new HashMap<>();
        arguments.put("Pod", Json.read(serialization.asJson(pod)));
        arguments.put("Nodes", null);
        arguments.put("NodeNames", nodes);
        arguments.values().removeIf(value -> value == null);
        return arguments;
    }

    /** What kube-scheduler does with one pod; the error of the binding, or why no node was found. */
    private String schedule(ExtenderEndpoints extender, Pod pod) {
        Map<String, Object> filtered = ask(extender, ExtenderEndpoints.FILTER, arguments(pod));
        assertThat(filtered.get("Error")).isEqualTo("");
        List<Object> fitting = list(filtered, "NodeNames");
        if (fitting.isEmpty()) {
            return "unschedulable";
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
        return bind(extender, pod, best);
    }

    private String bind(ExtenderEndpoints extender, Pod pod, String node) {
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

    private Pod now(Pod pod) {
        return client.pods()
                .inNamespace("default")
                .withName(pod.getMetadata().getName())
                .get();
    }

    private void unschedulable(Pod pod) {
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

    private void delete(Pod pod) {
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

    @Test
    void aPodCostsTwoRequestsHoweverManyNodesThereAre() {
        fleet(25, 2);
        ExtenderEndpoints extender = scheduler(false).extender();
        Pod pod = world.create(SliceWorld.pod("default", "train", SLICE, 1));
        cluster.settle();
        cluster.recording().start();

        assertThat(schedule(extender, pod)).isEmpty();

        assertThat(cluster.recording().total()).as("a claim and the binding").isEqualTo(2);
        assertThat(now(pod).getSpec().getNodeName()).isNotEmpty();
        assertThat(world.claims()).singleElement().satisfies(claim -> {
            assertThat(claim.node()).isEqualTo(now(pod).getSpec().getNodeName());
            assertThat(claim.profile()).isEqualTo("1g.5gb");
            assertThat(claim.container()).isEqualTo("main");
            assertThat(claim.size()).isEqualTo(1);
        });
    }

    @Test
    void filterAndPrioritiseWriteNothing() {
        fleet(3, 1);
        ExtenderEndpoints extender = scheduler(false).extender();
        Pod pod = world.create(SliceWorld.pod("default", "train", "nvidia.com/mig-3g.20gb", 2));
        cluster.settle();
        cluster.recording().start();

        for (int i = 0; i < 5; i++) {
            ask(extender, ExtenderEndpoints.FILTER, arguments(pod));
            ask(extender, ExtenderEndpoints.PRIORITIZE, arguments(pod));
        }

        assertThat(cluster.recording().total()).isZero();
        assertThat(world.claims()).isEmpty();
    }

    @Test
    void podsThatAskForWholeGpusPass() {
        fleet(1, 1);
        ExtenderEndpoints extender = scheduler(false).extender();
        Pod pod = SliceWorld.pod("default", "whole", "nvidia.com/gpu", 1).build();

        assertThat(ask(extender, ExtenderEndpoints.FILTER, arguments(pod)).get("NodeNames"))
                .isEqualTo(nodes);
    }

    @Test
    void keysOfAnyCaseAndNodesAsObjectsAreRead() {
        fleet(1, 1);
        ExtenderEndpoints extender = scheduler(false).extender();
        Pod pod = SliceWorld.pod("default", "old", SLICE, 1).build();
        Map<String, Object> arguments = Map.of(
                "pod", Json.read(serialization.asJson(pod)),
                "nodes",
                        Map.of(
                                "items",
                                List.of(
                                        Map.of("metadata", Map.of("name", "n0")),
                                        Map.of("metadata", Map.of("name", "n9")))));

        Map<String, Object> filtered = ask(extender, ExtenderEndpoints.FILTER, arguments);

        assertThat(filtered.get("NodeNames")).isEqualTo(List.of("n0"));
        assertThat(ValueTrees.map(filtered, "FailedAndUnresolvableNodes")).containsKey("n9");
    }

    @Test
    void anAnnotationThatMeansNothingIsSaid() {
        fleet(1, 1);
        ExtenderEndpoints extender = scheduler(false).extender();
        Pod pod = SliceWorld.pod("default", "odd", SLICE, 1)
                .editMetadata()
                .addToAnnotations("slices.sro.dev/spread", "close")
                .endMetadata()
                .build();

        assertThat(String.valueOf(
                        ask(extender, ExtenderEndpoints.FILTER, arguments(pod)).get("Error")))
                .contains("pod default/odd", "slices.sro.dev/spread", "write same-gpu or different-gpus");
    }

    @Test
    void whatCannotBeBoundGivesItsSlicesBack() {
        fleet(1, 1);
        SliceScheduler scheduler = scheduler(false);
        Pod pod = world.create(SliceWorld.pod("default", "train", "mig.das.com/7g.40gb", 1));
        cluster.settle();
        cluster.faults().rule().verbs("create").resources("pods").times(1).internalError();

        assertThat(schedule(scheduler.extender(), pod)).contains("was not bound to n0");

        cluster.settle();
        assertThat(world.claims()).isEmpty();
        assertThat(scheduler.fleet().held()).isEmpty();
        assertThat(schedule(scheduler.extender(), pod)).isEmpty();
    }

    @Test
    void aBindingWhoseAnswerWasLostHolds() {
        fleet(1, 1);
        SliceScheduler scheduler = scheduler(false);
        Pod pod = world.create(SliceWorld.pod("default", "train", "mig.das.com/7g.40gb", 1));
        cluster.settle();
        cluster.faults().rule().verbs("create").resources("pods").times(1).loseAnswer();

        assertThat(schedule(scheduler.extender(), pod)).isEmpty();
        assertThat(world.claims()).hasSize(1);
    }

    @Test
    void ofSeveralSlicesAllAreWrittenOrNone() {
        fleet(1, 1);
        SliceScheduler scheduler = scheduler(false);
        Pod pod = world.create(SliceWorld.pod("default", "train", SLICE, 3));
        cluster.settle();
        cluster.faults()
                .rule()
                .verbs("create")
                .resources("allocationclaims.inference.redhat.com")
                .after(2)
                .times(1)
                .unavailable();

        assertThat(schedule(scheduler.extender(), pod)).contains("was not written");

        cluster.settle();
        assertThat(world.claims()).isEmpty();
        assertThat(scheduler.fleet().held()).isEmpty();
    }

    @Test
    void aSliceThatIsFreedWakesThePodThatWaits() {
        fleet(1, 1);
        SliceScheduler scheduler = scheduler(false);
        Pod first = world.create(SliceWorld.pod("default", "first", "mig.das.com/7g.40gb", 1));
        Pod second = world.create(SliceWorld.pod("default", "second", "mig.das.com/7g.40gb", 1));
        cluster.settle();
        assertThat(schedule(scheduler.extender(), first)).isEmpty();
        assertThat(schedule(scheduler.extender(), second)).isEqualTo("unschedulable");
        unschedulable(second);
        assertThat(now(second).getMetadata().getAnnotations()).doesNotContainKey(PodWaker.ROOM);

        delete(first);

        assertThat(now(second).getMetadata().getAnnotations()).containsKey(PodWaker.ROOM);
        assertThat(schedule(scheduler.extender(), second)).isEmpty();
    }

    @Test
    void aClaimWhosePodWasNeverBoundIsDeletedAfterAWhile() {
        fleet(1, 1);
        SliceScheduler scheduler = scheduler(false);
        Pod pod = world.create(SliceWorld.pod("default", "train", SLICE, 1));
        cluster.settle();
        // The process ended between claim and binding.
        new ClaimWriter(client)
                .write(scheduler
                        .fleet()
                        .decide(PodSlices.of(pod).orElseThrow(), nodes, now.plus(Duration.ofMinutes(1)))
                        .slices());
        SliceScheduler fresh = scheduler(false);
        fresh.tick();
        now = now.plus(SliceScheduler.GRACE);
        fresh.tick();
        cluster.settle();

        assertThat(world.claims()).isEmpty();
        assertThat(fresh.fleet().held()).isEmpty();
    }

    private Pod gated(String name, String resource, int count) {
        return world.create(SliceWorld.pod("default", name, resource, count)
                .editSpec()
                .addNewSchedulingGate(SliceGates.GATE)
                .endSpec());
    }

    @Test
    void aGateOpensWithTwoWrites() {
        fleet(5, 1);
        scheduler(true);
        Pod pod = gated("train", SLICE, 1);
        cluster.recording().start();

        cluster.settle();

        assertThat(cluster.recording().writes()).as("a claim and the gate").hasSize(2);
        AllocationClaim claim = world.claims().get(0);
        Pod after = now(pod);
        assertThat(after.getSpec().getSchedulingGates()).isEmpty();
        assertThat(after.getSpec()
                        .getAffinity()
                        .getNodeAffinity()
                        .getRequiredDuringSchedulingIgnoredDuringExecution()
                        .getNodeSelectorTerms()
                        .get(0)
                        .getMatchFields())
                .singleElement()
                .satisfies(field -> {
                    assertThat(field.getKey()).isEqualTo("metadata.name");
                    assertThat(field.getValues()).containsExactly(claim.node());
                });
    }

    @Test
    void gatesRespectTaintsLabelsAndWhatIsLeftOfCpu() {
        fleet(4, 1);
        client.nodes().withName("n0").edit(node -> {
            node.getSpec().setTaints(List.of(new Taint("NoSchedule", "own", null, "x")));
            return node;
        });
        client.nodes().withName("n1").edit(node -> {
            node.getMetadata().setLabels(new HashMap<>(Map.of("zone", "b")));
            return node;
        });
        world.create(SliceWorld.pod("default", "busy", "nvidia.com/gpu", 0)
                .editSpec()
                .withNodeName("n2")
                .editContainer(0)
                .editResources()
                .addToRequests("cpu", new Quantity("7500m"))
                .endResources()
                .endContainer()
                .endSpec());
        scheduler(true);

        for (int i = 0; i < 8; i++) {
            gated("p" + i, SLICE, 1);
        }
        cluster.settle();

        assertThat(world.claims())
                .extracting(AllocationClaim::node)
                .containsOnly("n1", "n3")
                .hasSize(8);
    }

    @Test
    void aFreedSliceOpensTheGateOfThePodThatWaits() {
        fleet(1, 1);
        scheduler(true);
        Pod first = gated("first", "mig.das.com/7g.40gb", 1);
        cluster.settle();
        Pod second = gated("second", "mig.das.com/4g.20gb", 1);
        cluster.settle();
        assertThat(now(second).getSpec().getSchedulingGates()).hasSize(1);

        delete(first);

        assertThat(now(second).getSpec().getSchedulingGates()).isEmpty();
        assertThat(world.claims())
                .singleElement()
                .satisfies(claim -> assertThat(claim.pod().name()).isEqualTo("second"));
    }

    @Test
    void noSliceIsHadTwiceAndNoneIsLostInAnyHistory() {
        fleet(2, 2);
        SplittableRandom random = new SplittableRandom(7);
        SliceScheduler scheduler = scheduler(false);
        List<String> profiles = List.of("1g.5gb", "1g.5gb-plus-me", "1g.10gb", "2g.10gb", "3g.20gb", "4g.20gb");
        List<Pod> alive = new ArrayList<>();
        for (int step = 0; step < 60; step++) {
            now = now.plusSeconds(2);
            cluster.faults().clear();
            switch (random.nextInt(8)) {
                case 0 -> cluster.faults().rule().writes().times(1).internalError();
                case 1 ->
                    cluster.faults()
                            .rule()
                            .writes()
                            .after(random.nextInt(2))
                            .times(1)
                            .loseAnswer();
                case 2 -> cluster.faults().rule().writes().times(2).conflict();
                case 3 -> cluster.faults().rule().writes().times(1).tooManyRequests(Duration.ofSeconds(1));
                default -> {}
            }
            int what = random.nextInt(10);
            if (what < 6) {
                cluster.faults().clear();
                Pod pod = world.create(SliceWorld.pod(
                        "default",
                        "p" + step,
                        "mig.das.com/" + profiles.get(random.nextInt(profiles.size())),
                        1 + random.nextInt(2)));
                alive.add(pod);
                if (random.nextBoolean()) {
                    cluster.settle();
                }
                if (random.nextInt(3) == 0) {
                    cluster.faults()
                            .rule()
                            .writes()
                            .after(random.nextInt(3))
                            .times(1)
                            .loseAnswer();
                }
                schedule(scheduler.extender(), pod);
                if (random.nextInt(4) == 0) {
                    cluster.faults().clear();
                    schedule(scheduler.extender(), pod);
                }
            } else if (what < 9 && !alive.isEmpty()) {
                cluster.faults().clear();
                delete(alive.remove(random.nextInt(alive.size())));
            } else {
                scheduler.close();
                scheduler = scheduler(false);
            }
            check(step, alive);
        }
        cluster.faults().clear();
        // What was left behind is given back.
        scheduler.tick();
        now = now.plus(SliceScheduler.GRACE);
        scheduler.tick();
        cluster.settle();
        now = now.plus(SliceScheduler.GRACE);
        scheduler.tick();
        cluster.settle();
        check(-1, alive);
        Map<String, String> bound = new HashMap<>();
        client.pods().inNamespace("default").list().getItems().stream()
                .filter(pod -> pod.getSpec().getNodeName() != null)
                .forEach(pod ->
                        bound.put(pod.getMetadata().getUid(), pod.getSpec().getNodeName()));
        assertThat(world.claims())
                .allMatch(claim -> claim.node().equals(bound.get(claim.pod().uid())));
        assertThat(scheduler.fleet().held()).hasSameSizeAs(world.claims());
    }

    private void check(int step, List<Pod> alive) {
        List<AllocationClaim> claims = world.claims();
        for (AllocationClaim one : claims) {
            assertThat(claims.stream()
                            .filter(other -> !other.reference().equals(one.reference()) && one.overlaps(other)))
                    .as("step %d: %s is taken twice", step, one.place())
                    .isEmpty();
        }
        for (Pod pod : alive) {
            Pod live = now(pod);
            if (live != null && live.getSpec().getNodeName() != null) {
                long wanted = live.getSpec().getContainers().get(0).getResources().getLimits().values().stream()
                        .mapToLong(amount -> amount.getNumericalAmount().longValue())
                        .sum();
                assertThat(claims.stream()
                                .filter(claim -> claim.pod()
                                        .uid()
                                        .equals(live.getMetadata().getUid())))
                        .as(
                                "step %d: the slices of %s",
                                step, live.getMetadata().getName())
                        .hasSize((int) wanted)
                        .allMatch(claim -> claim.node().equals(live.getSpec().getNodeName()));
            }
        }
    }
}
