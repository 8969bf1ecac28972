package dev.sro.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.apply.WriteException;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.fixture.FakeCluster;
import dev.sro.core.fixture.Nodes;
import dev.sro.core.fixture.Resources;
import dev.sro.core.fixture.States;
import dev.sro.core.fixture.TestClock;
import dev.sro.core.fixture.TestPlugin;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;

/**
 * The engine under random refusals, lost answers and crashes. Once they stop it gets to where a run without faults gets, on
 * nothing but the changes that it sees and the wake-ups that it asked for.
 */
class EngineFaultsPropertyTest {

    private static final String NAME = "kmod";
    private static final List<String> VERBS = List.of("create", "apply", "delete", "label", "status", "finalizer");
    private static final List<String> KERNELS = List.of(Nodes.K1, Nodes.K2, Nodes.UBUNTU);
    private static final int STEPS = 30;

    /** Turns in which every run comes to rest; one that goes on is a loop. */
    private static final int MAX_TURNS = 400;

    /** What a crash in the middle of a write looks like to the code around it. */
    private static final class Crash extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** A cluster, an engine on it, and when the engine wants to be called again. */
    private static final class Run {
        final FakeCluster cluster = new FakeCluster();
        final TestClock clock = new TestClock();
        Engine engine = engine();
        Optional<Instant> wakeUp = Optional.empty();

        Run(Map<String, String> kernels) {
            cluster.with(Resources.resource(NAME, NAME, Map.of()));
            kernels.forEach((node, kernel) -> cluster.with(Nodes.node(node, kernel)));
        }

        private Engine engine() {
            return cluster.engine(clock, new TestPlugin(NAME, States.build(), States.driver(), States.check()))
                    .build();
        }

        void restart() {
            engine = engine();
        }

        void reconcile() {
            try {
                wakeUp = engine.reconcile(NAME).wakeUp();
            } catch (Crash e) {
                restart();
            }
        }

        /** What the engine is woken by when it changes: a new pod alone need not change the status of its DaemonSet. */
        private Object everything() {
            return List.of(
                    Map.copyOf(cluster.objects),
                    Map.copyOf(cluster.pods),
                    Map.copyOf(cluster.nodes),
                    Map.copyOf(cluster.resources));
        }

        /** Reconciles after each change and at each wake-up, until there is neither. */
        void untilNothingIsAskedFor() {
            for (int turn = 0; turn < MAX_TURNS; turn++) {
                Object before = everything();
                reconcile();
                cluster.controllers();
                if (everything().equals(before)) {
                    if (wakeUp.isEmpty()) {
                        return;
                    }
                    clock.advance(Duration.between(clock.instant(), wakeUp.get()));
                }
            }
            throw new AssertionError("does not come to rest: " + cluster.writes);
        }

        boolean isReady() {
            return cluster.status(NAME).getConditions().stream()
                    .anyMatch(c -> c.getType().equals("Ready") && c.getStatus().equals("True"));
        }

        /** Without what the server counts: uids and generations. */
        Map<ObjectRef, Object> essence() {
            Map<ObjectRef, Object> result = new HashMap<>();
            cluster.objects.forEach(
                    (ref, live) -> result.put(ref, List.of(live.map("spec"), live.map("metadata", "labels"))));
            return result;
        }

        Map<String, Map<String, String>> nodeLabels() {
            Map<String, Map<String, String>> result = new TreeMap<>();
            cluster.nodes.forEach((name, node) -> result.put(name, node.facts().labels()));
            return result;
        }
    }

    @Property(tries = 15)
    void getsToWhereARunWithoutFaultsGets(@ForAll Random random) {
        Map<String, String> kernels = new TreeMap<>(Map.of("n0", Nodes.K1, "n1", Nodes.K2));
        Run run = new Run(kernels);
        live(run, kernels, random);
        run.untilNothingIsAskedFor();

        Run calm = new Run(kernels);
        calm.untilNothingIsAskedFor();
        assertThat(run.isReady()).isTrue();
        assertThat(calm.isReady()).isTrue();
        assertThat(run.essence()).isEqualTo(calm.essence());
        assertThat(run.nodeLabels()).isEqualTo(calm.nodeLabels());

        run.cluster.writes.clear();
        run.reconcile();
        run.restart();
        run.reconcile();
        assertThat(run.cluster.writes).as("at rest, and after a restart").isEmpty();
    }

    @Property(tries = 60)
    @Tag("slow")
    void getsToWhereARunWithoutFaultsGetsInManyHistories(@ForAll Random random) {
        getsToWhereARunWithoutFaultsGets(random);
    }

    @Property(tries = 10)
    void leavesNothingBehindWhenItIsDeletedInTheMiddleOfIt(@ForAll Random random) {
        Map<String, String> kernels = new TreeMap<>(Map.of("n0", Nodes.K1, "n1", Nodes.K2));
        Run run = new Run(kernels);
        live(run, kernels, random);
        faults(run, random);
        run.cluster.deleteResource(NAME);
        for (int i = random.nextInt(STEPS); i > 0; i--) {
            turn(run, random);
        }
        stopFaults(run);
        run.untilNothingIsAskedFor();

        assertThat(run.cluster.resources).isEmpty();
        assertThat(run.cluster.objects).isEmpty();
        assertThat(run.cluster.nodes.values())
                .extracting(ObservedNode::appliedLabels)
                .allMatch(Map::isEmpty);
    }

    @Property(tries = 40)
    @Tag("slow")
    void leavesNothingBehindInManyHistories(@ForAll Random random) {
        leavesNothingBehindWhenItIsDeletedInTheMiddleOfIt(random);
    }

    private static void live(Run run, Map<String, String> kernels, Random random) {
        for (int i = 0; i < STEPS; i++) {
            switch (random.nextInt(8)) {
                case 0 -> faults(run, random);
                case 1 -> stopFaults(run);
                case 2 -> reboot(run, kernels, random);
                case 3 -> comeOrGo(run, kernels, random);
                case 4 -> deleteSomething(run, random);
                default -> turn(run, random);
            }
        }
        stopFaults(run);
    }

    private static void turn(Run run, Random random) {
        run.reconcile();
        if (random.nextBoolean()) {
            run.cluster.controllers();
        }
        run.clock.advance(Duration.ofMillis(random.nextInt(20_000)));
    }

    private static void faults(Run run, Random random) {
        double chance = random.nextDouble();
        WriteException.Kind[] kinds = WriteException.Kind.values();
        WriteException.Kind kind = kinds[random.nextInt(kinds.length)];
        boolean crash = random.nextInt(4) == 0;
        run.cluster.fault = (verb, ref) -> {
            if (random.nextDouble() < chance) {
                if (crash) {
                    throw new Crash();
                }
                throw new WriteException(kind, "refused");
            }
        };
        if (random.nextInt(3) == 0) {
            run.cluster.lostAnswers.add(VERBS.get(random.nextInt(VERBS.size())));
        }
    }

    private static void stopFaults(Run run) {
        run.cluster.fault = (verb, ref) -> {};
        run.cluster.lostAnswers.clear();
    }

    private static void reboot(Run run, Map<String, String> kernels, Random random) {
        String name = "n" + random.nextInt(4);
        String kernel = KERNELS.get(random.nextInt(KERNELS.size()));
        ObservedNode node = run.cluster.nodes.get(name);
        if (node != null) {
            ObservedNode other = Nodes.node(name, kernel);
            run.cluster.nodes.put(
                    name,
                    Nodes.relabel(
                            Nodes.kernel(node, kernel),
                            MetadataKeys.KERNEL_LABEL,
                            Objects.requireNonNull(other.facts().labels().get(MetadataKeys.KERNEL_LABEL))));
            kernels.put(name, kernel);
        }
    }

    /** All but the first: a namespace that was made stays when no node is left, and would not be made for none. */
    private static void comeOrGo(Run run, Map<String, String> kernels, Random random) {
        String name = "n" + (1 + random.nextInt(3));
        if (run.cluster.nodes.remove(name) == null) {
            String kernel = KERNELS.get(random.nextInt(KERNELS.size()));
            run.cluster.with(Nodes.node(name, kernel));
            kernels.put(name, kernel);
        } else {
            kernels.remove(name);
            run.cluster.pods.values().removeIf(pod -> pod.node().equals(name));
        }
    }

    private static void deleteSomething(Run run, Random random) {
        Set<ObjectRef> all = new TreeSet<>((a, b) -> a.toString().compareTo(b.toString()));
        all.addAll(run.cluster.objects.keySet());
        all.stream().skip(random.nextInt(all.size() + 1)).findFirst().ifPresent(ref -> {
            KubeObject gone = run.cluster.objects.remove(ref);
            run.cluster
                    .pods
                    .values()
                    .removeIf(pod -> gone != null && pod.owner().equals(gone.uid()));
        });
    }
}
