package dev.sro.runtime.scheduler;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.das.AllocationClaim;
import dev.sro.core.placement.PodSlices;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * One random history of pods that get slices by the extender or at the gate: they come and go, writes fail before and after they took effect, watches end,
 * the process is started again, and in some of them two lead for a while. Not thread-safe.
 */
final class PlacementHistory implements AutoCloseable {
    private static final int STEPS = 30;
    private static final List<String> PROFILES =
            List.of("1g.5gb", "1g.5gb-plus-me", "1g.10gb", "2g.10gb", "3g.20gb", "4g.20gb", "7g.40gb");

    private final PlayedScheduler on = new PlayedScheduler();
    private final SplittableRandom random;
    private final boolean gates;
    /** Two that lead may write two claims for one place, of which the agent serves the first. */
    private final boolean twoLead;

    private final List<SliceScheduler> running = new ArrayList<>();
    private final TreeMap<String, Pod> alive = new TreeMap<>();
    private int number;
    private int placed;

    PlacementHistory(long seed, boolean gates) {
        this.random = new SplittableRandom(seed);
        this.gates = gates;
        this.twoLead = random.nextInt(4) == 0;
    }

    @Override
    public void close() {
        on.close();
    }

    /** How many pods had their slices in the end. */
    int placed() {
        return placed;
    }

    void play() {
        on.fleet(1 + random.nextInt(3), 1 + random.nextInt(2));
        running.add(on.scheduler(gates));
        for (int step = 0; step < STEPS; step++) {
            on.cluster.faults().clear();
            pass(Duration.ofSeconds(1 + random.nextInt(20)));
            step();
            check(step);
        }
        on.cluster.faults().clear();
        settleDown();
        check(STEPS);
        nothingIsLeftOver();
        nobodyWaitsThatHasRoom();
        allGo();
    }

    private void pass(Duration time) {
        on.now = on.now.plus(time);
        on.cluster.advance(time);
    }

    private void step() {
        switch (random.nextInt(12)) {
            case 0, 1, 2, 3, 4, 5 -> arrive();
            case 6, 7, 8 -> {
                if (!alive.isEmpty()) {
                    on.delete(requireNonNull(
                            alive.remove(List.copyOf(alive.keySet()).get(random.nextInt(alive.size())))));
                }
            }
            case 9 -> restart();
            case 10 -> watchesEnd();
            default -> {
                fault();
                running.forEach(SliceScheduler::tick);
            }
        }
        if (!gates && random.nextInt(3) == 0) {
            again();
        }
        if (random.nextInt(3) > 0) {
            on.cluster.settle();
        }
    }

    private void arrive() {
        String name = "p" + number++;
        PodBuilder pod = SliceWorld.pod(
                "default", name, "mig.das.com/" + PROFILES.get(random.nextInt(PROFILES.size())), 1 + random.nextInt(2));
        if (random.nextInt(5) == 0) {
            pod = pod.editMetadata()
                    .addToAnnotations(
                            PodSlices.SPREAD, random.nextBoolean() ? PodSlices.SAME_GPU : PodSlices.DIFFERENT_GPUS)
                    .endMetadata();
        }
        if (gates) {
            pod = pod.editSpec().addNewSchedulingGate(SliceGates.GATE).endSpec();
        }
        Pod made = on.world.create(pod);
        alive.put(name, made);
        fault();
        if (random.nextBoolean()) {
            on.cluster.settle();
        }
        if (!gates) {
            on.schedule(anyone().extender(), made);
        }
    }

    private SliceScheduler anyone() {
        return running.get(random.nextInt(running.size()));
    }

    /** A scheduler tries what it could not bind once more. */
    private void again() {
        for (Pod pod : List.copyOf(alive.values())) {
            Pod now = on.now(pod);
            if (now.getSpec().getNodeName() == null && random.nextInt(3) == 0) {
                on.schedule(anyone().extender(), now);
            }
        }
    }

    /** And are opened again, which the client does by a timer of its own. */
    private void watchesEnd() {
        on.cluster.settle();
        int open = on.cluster.server().openWatches(null);
        on.cluster.dropWatches(null);
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (on.cluster.server().openWatches(null) < open && System.nanoTime() < deadline) {
            on.cluster.settle();
            Thread.onSpinWait();
        }
        assertThat(on.cluster.server().openWatches(null)).as("watches").isGreaterThanOrEqualTo(open);
    }

    private void restart() {
        if (twoLead && running.size() == 1) {
            running.add(on.scheduler(gates));
            return;
        }
        running.remove(random.nextInt(running.size())).close();
        if (running.isEmpty()) {
            running.add(on.scheduler(gates));
        }
    }

    /** What goes wrong with the next writes, or nothing. */
    private void fault() {
        var rule = on.cluster
                .faults()
                .rule()
                .writes()
                .when(request -> request.userAgent().startsWith(PlayedScheduler.ACCOUNT))
                .after(random.nextInt(3))
                .times(1 + random.nextInt(2));
        switch (random.nextInt(9)) {
            case 0 -> rule.internalError();
            case 1, 2 -> rule.loseAnswer();
            case 3 -> rule.conflict();
            case 4 -> rule.tooManyRequests(Duration.ofSeconds(1));
            case 5 -> {
                rule.unavailable();
                on.cluster
                        .faults()
                        .rule()
                        .verbs("get")
                        .when(request -> request.userAgent().startsWith(PlayedScheduler.ACCOUNT))
                        .times(2)
                        .unavailable();
            }
            default -> on.cluster.faults().clear();
        }
    }

    /** The node on which a pod is, or will be as its gate is open; empty before. */
    private String nodeOf(Pod pod) {
        if (!gates) {
            return pod.getSpec().getNodeName() == null ? "" : pod.getSpec().getNodeName();
        }
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        String node = annotations == null ? null : annotations.get(SliceGates.NODE);
        return node == null || !pod.getSpec().getSchedulingGates().isEmpty() ? "" : node;
    }

    private static int wanted(Pod pod) {
        return pod.getSpec().getContainers().get(0).getResources().getLimits().values().stream()
                .mapToInt(amount -> amount.getNumericalAmount().intValue())
                .sum();
    }

    private void check(int step) {
        List<AllocationClaim> claims = on.world.claims();
        if (!twoLead) {
            for (AllocationClaim one : claims) {
                assertThat(claims.stream()
                                .filter(other -> !other.reference().equals(one.reference()) && one.overlaps(other)))
                        .as("step %d: %s is taken twice", step, one.place())
                        .isEmpty();
            }
        }
        for (Pod pod : alive.values()) {
            Pod now = on.now(pod);
            String node = nodeOf(now);
            if (!node.isEmpty()) {
                assertThat(of(now, claims))
                        .as("step %d: the slices of %s", step, now.getMetadata().getName())
                        .hasSize(wanted(now))
                        .allMatch(claim -> claim.node().equals(node));
            }
        }
    }

    private static List<AllocationClaim> of(Pod pod, List<AllocationClaim> claims) {
        return claims.stream()
                .filter(claim -> claim.pod().uid().equals(pod.getMetadata().getUid()))
                .toList();
    }

    /** What was left behind is given back, and who waits is looked after. */
    private void settleDown() {
        while (running.size() > 1) {
            running.remove(0).close();
        }
        watchesEnd();
        for (int round = 0; round < 4; round++) {
            on.cluster.settle();
            running.get(0).tick();
            pass(SliceScheduler.GRACE);
        }
        on.cluster.settle();
        running.get(0).request();
        on.cluster.settle();
    }

    private void nothingIsLeftOver() {
        Map<String, String> nodes = new TreeMap<>();
        for (Pod pod : alive.values()) {
            String node = nodeOf(on.now(pod));
            if (!node.isEmpty()) {
                nodes.put(pod.getMetadata().getUid(), node);
            }
        }
        placed = nodes.size();
        // Claims of pods that are gone are the garbage collector's, which is not played while a process writes.
        on.world.claims().stream()
                .filter(claim -> alive.values().stream()
                        .noneMatch(pod ->
                                pod.getMetadata().getUid().equals(claim.pod().uid())))
                .forEach(this::collect);
        on.cluster.settle();
        assertThat(on.world.claims())
                .as("claims in the end are those of pods with a node")
                .allMatch(claim -> claim.node().equals(nodes.get(claim.pod().uid())));
        assertThat(running.get(0).fleet().held().size()
                        + running.get(0).fleet().misfits().size())
                .as("what is held is what the API server has")
                .isEqualTo(on.world.claims().size());
    }

    private void collect(AllocationClaim claim) {
        on.client
                .genericKubernetesResources(ClaimWriter.CLAIMS)
                .inNamespace(claim.namespace())
                .withName(claim.name())
                .delete();
    }

    /** What another process, which starts now and knows nothing, could place is placed already. */
    private void nobodyWaitsThatHasRoom() {
        if (!gates) {
            return;
        }
        List<String> before = open();
        running.remove(0).close();
        running.add(on.scheduler(true));
        on.cluster.settle();
        assertThat(open()).as("whose gate is open after a restart").isEqualTo(before);
    }

    private List<String> open() {
        return alive.values().stream()
                .filter(pod -> !nodeOf(on.now(pod)).isEmpty())
                .map(pod -> pod.getMetadata().getName())
                .toList();
    }

    private void allGo() {
        // Backwards, so that none that waits gets what is free and goes at once.
        List.copyOf(alive.descendingMap().values()).forEach(on::delete);
        alive.clear();
        on.cluster.settle();
        assertThat(on.world.claims()).as("left over").isEmpty();
        assertThat(running.get(0).fleet().held()).isEmpty();
    }
}
