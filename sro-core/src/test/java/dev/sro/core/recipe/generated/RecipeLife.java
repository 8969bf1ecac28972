package dev.sro.core.recipe.generated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.ClusterFacts;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.engine.Engine;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.fixture.FakeCluster;
import dev.sro.core.fixture.Nodes;
import dev.sro.core.fixture.Resources;
import dev.sro.core.fixture.TestClock;
import dev.sro.core.fixture.TestPlugin;
import dev.sro.core.model.KubeObject;
import dev.sro.core.recipe.StateFileRecipes;
import dev.sro.core.recipe.StateFiles;
import dev.sro.core.recipe.generated.Expectation.State;
import dev.sro.core.recipe.generated.Expectation.Wanted;
import dev.sro.core.recipe.source.StateDirectories;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
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
    private Set<Item> applied = new LinkedHashSet<>();
    private final Engine engine;

    RecipeLife(Blueprint blueprint, Path folder) {
        this.blueprint = blueprint;
        this.expectation = new Expectation(blueprint);
        this.trees = new ExpectedTrees(expectation);
        this.files = BlueprintPrinter.files(blueprint);
        this.random = new Random(blueprint.seed());
        cluster.facts = facts();
        blueprint.nodes().forEach(node -> cluster.with(node(node)));
        cluster.with(resource());
        StateFiles.Answer found = found(folder);
        this.engine = cluster.engine(clock, new TestPlugin("none"))
                .stateFiles(new StateFileRecipes(context -> found, Resources.CODEC::toTree))
                .build();
    }

    Map<String, String> files() {
        return files;
    }

    private static ClusterFacts facts() {
        ClusterFacts.Builder facts = ClusterFacts.builder().kubernetesVersion("v1.21.0");
        for (Kind kind : Kind.values()) {
            facts.addServedKinds(kind.apiVersion + "/" + kind.word);
            if (kind.cluster) {
                facts.addClusterScopedKinds(kind.apiVersion + "/" + kind.word);
            }
        }
        return facts.build();
    }

    private static ObservedNode node(Blueprint.Machine machine) {
        ObservedNode node = Nodes.node(machine.name(), machine.kernel().raw());
        for (Map.Entry<String, String> label : machine.labels().entrySet()) {
            node = Nodes.label(node, label.getKey(), label.getValue());
        }
        return node;
    }

    private SpecialResource resource() {
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("namespace", Blueprint.SPACE);
        spec.put("nodeSelector", blueprint.nodeSelector());
        if (blueprint.era() == Blueprint.Era.OF_2021) {
            if (!blueprint.nodeFeature().isEmpty()) {
                spec.put("node", Map.of("selector", blueprint.nodeFeature()));
            }
            spec.put("configuration", List.of(Map.of("name", "key", "value", List.of(Blueprint.CONFIGURED))));
            List<Map<String, String>> arguments = new ArrayList<>();
            blueprint
                    .arguments()
                    .forEach((name, value) ->
                            arguments.add(Map.of("name", name, "value", BlueprintPrinter.ofResource(value))));
            spec.put(
                    "driverContainer",
                    Map.of(
                            "source",
                            Map.of("git", Map.of("ref", Blueprint.GIT_REF, "uri", "https://git.example.com/a.git")),
                            "buildArgs",
                            arguments));
        }
        return Resources.CODEC.fromTree(
                Map.of(
                        "apiVersion",
                        "sro.openshift.io/v1beta1",
                        "kind",
                        "SpecialResource",
                        "metadata",
                        Map.of("name", Blueprint.RESOURCE, "uid", "uid-1", "generation", 1),
                        "spec",
                        spec),
                SpecialResource.class);
    }

    private StateFiles.Answer found(Path folder) {
        boolean early = blueprint.era() == Blueprint.Era.OF_2020;
        if (blueprint.era() != Blueprint.Era.FOLDERS) {
            return new StateFiles.Found(
                    "ConfigMap acme-space/recipe",
                    files,
                    early ? blueprint.nodeFeature() : "",
                    early ? Blueprint.HARDWARE : "",
                    !early,
                    Map.of(),
                    List.of());
        }
        files.forEach((name, text) -> {
            try {
                Files.createDirectories(folder.resolve(name).getParent());
                Files.writeString(folder.resolve(name), text);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        return new StateDirectories(clock).read(folder.toUri().toString());
    }

    /** From its creation to where nothing is left to wait for. */
    void live() {
        for (int round = 0; round < 40; round++) {
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
                if (ready.isEmpty() || random.nextBoolean()) {
                    ready.add(item);
                }
            });
        }
        throw new AssertionError("it never ends");
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
                .map(Wanted::item)
                .filter(item -> applied.contains(item) && !ready.contains(item))
                .filter(item -> item.kind() != Kind.DAEMON_SET || !expectation.cannotPull(item, ready))
                .toList();
    }

    private void rest() {
        int before = -1;
        for (int turn = 0; turn < TURNS && before != cluster.writes.size(); turn++) {
            before = cluster.writes.size();
            engine.reconcile(Blueprint.RESOURCE);
            controllers();
            clock.advance(Duration.ofSeconds(70));
            engine.reconcile(Blueprint.RESOURCE);
            controllers();
            clock.advance(Duration.ofSeconds(70));
        }
        assertThat(cluster.writes.size()).as("it goes on writing").isEqualTo(before);
    }

    private void controllers() {
        Set<String> are = new TreeSet<>(marks(ready));
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
        expectation.all().filter(wanted -> applied.contains(wanted.item())).forEach(wanted -> {
            if (wanted.kernels().isEmpty()) {
                marks.add(wanted.item().mark() + " all");
            }
            wanted.kernels().forEach(kernel -> marks.add(wanted.item().mark() + " " + kernel.raw()));
        });
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
