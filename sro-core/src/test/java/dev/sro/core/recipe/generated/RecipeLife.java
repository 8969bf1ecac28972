package dev.sro.core.recipe.generated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.core.engine.Engine;
import dev.sro.core.fixture.FakeCluster;
import dev.sro.core.fixture.Resources;
import dev.sro.core.fixture.TestClock;
import dev.sro.core.fixture.TestPlugin;
import dev.sro.core.model.KubeObject;
import dev.sro.core.recipe.StateFileRecipes;
import dev.sro.core.recipe.generated.Expectation.Placed;
import dev.sro.core.recipe.generated.Expectation.State;
import dev.sro.core.recipe.generated.Expectation.Wanted;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;

/** A recipe that is run by the engine on a cluster of maps, and held at every rest against what is expected of it. */
final class RecipeLife {

    private static final int TURNS = 12;

    private final Blueprint blueprint;
    private final Expectation expectation;
    private final ExpectedTrees trees;
    private final SortedMap<String, String> files;
    private final FakeCluster cluster = new FakeCluster();
    private final TestClock clock = new TestClock();
    private final Random random;
    private final Set<Item> ready = new LinkedHashSet<>();
    private final Set<Item> silent = new LinkedHashSet<>();
    private Set<Placed> applied = new LinkedHashSet<>();
    private final Engine engine;

    RecipeLife(Blueprint blueprint, Path folder) {
        this.blueprint = blueprint;
        this.expectation = new Expectation(blueprint);
        this.trees = new ExpectedTrees(expectation);
        this.files = BlueprintPrinter.files(blueprint);
        this.random = new Random(blueprint.seed());
        cluster.facts = RecipeCluster.facts();
        blueprint.nodes().forEach(node -> cluster.with(RecipeCluster.node(node)));
        cluster.with(RecipeCluster.resource(blueprint, folder));
        this.engine = cluster.engine(clock, new TestPlugin("none"))
                .stateFiles(new StateFileRecipes(
                        RecipeCluster.files(blueprint, files, folder, clock), Resources.CODEC::toTree))
                .logs((namespace, pod, container) -> log(pod), Runnable::run, name -> {})
                .build();
    }

    Map<String, String> files() {
        return files;
    }

    /** The end of the log of a pod: of one that is ready there is what anybody waits for. */
    private String log(String pod) {
        Set<String> loud = new TreeSet<>(marks(ready));
        boolean done = cluster.pods.values().stream()
                .filter(each -> each.name().equals(pod))
                .anyMatch(each -> cluster.objects.values().stream()
                        .anyMatch(live -> live.uid().equals(each.owner()) && loud.contains(mark(live))));
        return "loading\n" + (done ? "+ wait 4711\nexec sleep infinity\ndone.\nfinished\n" : "done: nothing yet\n");
    }

    /** From its creation to where nothing is left to wait for, and from there to its end. */
    void live() {
        needs();
        for (int round = 0; round < 60; round++) {
            rest();
            applied = expectation.applied(applied, ready);
            assertThat(there()).as("applied while ready are " + marks(ready)).isEqualTo(expected());
            List<Item> candidates = candidates();
            if (candidates.isEmpty()) {
                end();
                return;
            }
            if (!expectation.isDone(applied, ready)) {
                assertThat(condition("Ready")).as("Ready too early").isNotEqualTo("True");
            }
            candidates.forEach(item -> {
                if (!item.logs().isEmpty() && random.nextBoolean()) {
                    // Its pods run, and their logs do not say it yet.
                    silent.add(item);
                } else if (ready.isEmpty() || random.nextBoolean()) {
                    silent.remove(item);
                    ready.add(item);
                }
            });
        }
        throw new AssertionError("it never ends");
    }

    /** What it depends on comes first, as far as it is there. SRO: the original made it from an image of its own. */
    private void needs() {
        List<String> there = blueprint.needs().entrySet().stream()
                .filter(Map.Entry::getValue)
                .map(Map.Entry::getKey)
                .toList();
        there.forEach(name -> cluster.with(Resources.withSpec(name, Map.of("namespace", name))));
        for (String name : there) {
            rest();
            assertThat(there()).as("applied without " + name).isEmpty();
            if (!expectation.states.isEmpty() && expectation.states.stream().noneMatch(State::broken)) {
                assertThat(cluster.status(Blueprint.RESOURCE).toString()).contains("DependencyNotReady");
            }
            SpecialResource other = Resources.copy(Objects.requireNonNull(cluster.resources.get(name)));
            SpecialResourceStatus status = new SpecialResourceStatus();
            status.setObservedGeneration(1L);
            status.setConditions(List.of(new ConditionBuilder()
                    .withType("Ready")
                    .withStatus("True")
                    .withReason("Success")
                    .withLastTransitionTime("2026-01-01T00:00:00Z")
                    .build()));
            other.setStatus(status);
            cluster.with(other);
        }
    }

    private static List<String> marks(Set<Item> items) {
        return items.stream().map(Item::mark).toList();
    }

    /** What is there, is not ready, and whose readiness somebody looks at. */
    private List<Item> candidates() {
        return expectation
                .all()
                .filter(wanted -> wanted.waited()
                        || (wanted.item().kind() == Kind.BUILD_CONFIG
                                && !blueprint.missing().isEmpty()))
                .filter(wanted -> wanted.places().stream().anyMatch(applied::contains))
                .map(Wanted::item)
                .filter(item -> !ready.contains(item))
                .filter(item -> item.kind() != Kind.DAEMON_SET || !expectation.cannotPull(item, ready))
                .toList();
    }

    private void rest() {
        int before = -1;
        for (int turn = 0; turn < TURNS && before != cluster.writes.size(); turn++) {
            before = cluster.writes.size();
            for (int i = 0; i < 2; i++) {
                controllers();
                engine.reconcile(Blueprint.RESOURCE);
                clock.advance(Duration.ofSeconds(70));
            }
        }
        assertThat(cluster.writes.size()).as("it goes on writing").isEqualTo(before);
    }

    private void controllers() {
        Set<String> are = new TreeSet<>(marks(ready));
        are.addAll(marks(silent));
        Set<String> unpulled = new TreeSet<>();
        expectation
                .all()
                .map(Wanted::item)
                .filter(item -> item.kind() == Kind.DAEMON_SET && expectation.cannotPull(item, ready))
                .forEach(item -> unpulled.add(item.mark()));
        PretendedControllers.run(cluster, live -> are.contains(mark(live)), live -> unpulled.contains(mark(live)));
    }

    private static String mark(KubeObject live) {
        return live.annotation(Item.MARK).orElse("");
    }

    private Set<String> there() {
        Set<String> marks = new TreeSet<>();
        cluster.objects.values().stream()
                .filter(live -> !isNamespace(live))
                .forEach(live -> assertThat(marks.add(mark(live) + " " + kernel(live)))
                        .as("twice: " + live)
                        .isTrue());
        return marks;
    }

    private static boolean isNamespace(KubeObject live) {
        return live.ref().kind().equals("Namespace") && live.ref().name().equals(Blueprint.SPACE);
    }

    private static String kernel(KubeObject live) {
        return Kernel.ALL.stream()
                .filter(kernel -> live.ref().name().endsWith("-" + kernel.suffix()))
                .findFirst()
                .map(Kernel::raw)
                .orElse("all");
    }

    private Set<String> expected() {
        Set<String> marks = new TreeSet<>();
        applied.forEach(place -> marks.add(place.toString()));
        return marks;
    }

    private String condition(String type) {
        return cluster.status(Blueprint.RESOURCE).getConditions().stream()
                .filter(condition -> condition.getType().equals(type))
                .map(condition -> condition.getStatus())
                .findFirst()
                .orElse("");
    }

    private void end() {
        new FinalState(blueprint, expectation, trees, cluster).check(applied, expectation.isDone(applied, ready));
        int writes = cluster.writes.size();
        engine.reconcile(Blueprint.RESOURCE);
        assertThat(cluster.writes).as("writes at rest").hasSize(writes);
        leave();
    }

    /** Nothing is left of what it made, and what is a user's stays. */
    private void leave() {
        cluster.deleteResource(Blueprint.RESOURCE);
        for (int turn = 0; turn < TURNS && cluster.resources.containsKey(Blueprint.RESOURCE); turn++) {
            engine.reconcile(Blueprint.RESOURCE);
            controllers();
            clock.advance(Duration.ofMinutes(2));
        }
        assertThat(cluster.resources.keySet())
                .as("special resources in the end")
                .doesNotContain(Blueprint.RESOURCE)
                .containsAll(blueprint.needs().entrySet().stream()
                        .filter(Map.Entry::getValue)
                        .map(Map.Entry::getKey)
                        .toList());
        assertThat(cluster.objects.keySet()).as("what is left").isEmpty();
        assertThat(cluster.nodes.values())
                .as("what is left on nodes")
                .allMatch(node -> node.appliedLabels().isEmpty());
    }

    /** All states with their objects, for messages. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(blueprint.era() + " feature=" + blueprint.nodeFeature() + " selector="
                + blueprint.nodeSelector() + " missing=" + blueprint.missing() + " nodes=" + blueprint.nodes() + "\n"
                + cluster.status(Blueprint.RESOURCE).getState() + "\n");
        for (State state : expectation.states) {
            text.append(state.number()).append(state.broken() ? " broken" : "").append('\n');
            state.wanted()
                    .forEach(wanted -> text.append("  ")
                            .append(wanted.item().mark())
                            .append(' ')
                            .append(wanted.item().kind())
                            .append(' ')
                            .append(wanted.item().name())
                            .append(wanted.waited() ? " waited" : "")
                            .append(wanted.kernels().isEmpty() ? "" : " affine")
                            .append(' ')
                            .append(wanted.item().annotations())
                            .append('\n'));
        }
        files.forEach((name, content) ->
                text.append("##### ").append(name).append('\n').append(content).append('\n'));
        return text.toString();
    }
}
