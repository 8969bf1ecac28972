package dev.sro.core.recipe.chart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.ClusterFacts;
import dev.sro.api.ProxySettings;
import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.core.engine.Engine;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.fixture.FakeCluster;
import dev.sro.core.fixture.Nodes;
import dev.sro.core.fixture.Resources;
import dev.sro.core.fixture.TestClock;
import dev.sro.core.fixture.TestPlugin;
import dev.sro.core.model.KubeObject;
import dev.sro.core.recipe.ChartRecipes;
import dev.sro.core.recipe.chart.ChartExpectation.Thing;
import dev.sro.core.recipe.generated.PlainTrees;
import dev.sro.core.recipe.generated.PretendedControllers;
import dev.sro.core.recipe.source.ChartFetcher;
import dev.sro.core.recipe.source.SourceAnswer;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** A generated chart that is run by the engine, from what it depends on to its end, and held at every rest against what is expected. */
final class ChartLife {

    private static final String DEPENDENCY = "needed-chart";

    private final FakeCluster cluster = new FakeCluster();
    private final TestClock clock = new TestClock();
    private final Map<String, RenderedChart> rendered = new TreeMap<>();
    private final Map<String, String> files;
    private final HelmRenderer renderer;
    private final Random random;
    private final Engine engine;
    private final Map<String, String> selector;
    private final boolean depends;

    /** Kernels of nodes that are served. */
    private final Set<String> kernels = new TreeSet<>();

    private final Set<String> ready = new TreeSet<>();

    /** Whose pods run, and whose logs do not say it yet. */
    private final Set<String> silent = new TreeSet<>();

    private final RandomValues made = new RandomValues();

    ChartLife(long seed, Map<String, String> files, Path place, HelmRenderer renderer) {
        this.files = files;
        this.renderer = renderer;
        this.random = new Random(seed);
        this.selector = random.nextBoolean() ? Map.of() : Map.of("example.com/zone", "b");
        this.depends = random.nextInt(5) == 0;
        Chart chart = new ChartLoader().fromDirectory("generated", ChartGenerator.write(files, place));
        cluster.facts = facts();
        cluster.with(resource());
        nodes();
        this.engine = cluster.engine(clock, new TestPlugin("none"))
                .charts(new ChartRecipes(
                        (wanted, name) -> SourceAnswer.found(new ChartFetcher.Fetched(chart, List.of())),
                        this::render,
                        Resources.CODEC::toTree))
                .logs((namespace, pod, container) -> log(pod), Runnable::run, name -> {})
                .build();
    }

    private static ClusterFacts facts() {
        return ClusterFacts.builder()
                .from(Resources.CLUSTER)
                .addServedKinds(
                        "apps/v1/Deployment",
                        "apps/v1/StatefulSet",
                        "batch/v1/CronJob",
                        "v1/Pod",
                        "build.openshift.io/v1/BuildConfig",
                        "shipwright.io/v1alpha1/BuildRun")
                .openShiftVersion("4.8.12")
                .proxy(new ProxySettings(
                        ChartTrees.PROXY.getOrDefault("HTTP_PROXY", ""),
                        ChartTrees.PROXY.getOrDefault("HTTPS_PROXY", ""),
                        ChartTrees.PROXY.getOrDefault("NO_PROXY", ""),
                        ""))
                .build();
    }

    private SpecialResource resource() {
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("namespace", "kmod");
        spec.put("nodeSelector", selector);
        spec.put("chart", chart("generated"));
        if (depends) {
            spec.put("dependencies", List.of(Map.of("chart", chart(DEPENDENCY), "set", Map.of("installCRDs", true))));
        }
        return Resources.withSpec("kmod", spec);
    }

    private static Map<String, Object> chart(String name) {
        return Map.of(
                "name",
                name,
                "version",
                "0.1.0",
                "repository",
                Map.of("name", "example", "url", "https://charts.example.com"));
    }

    /** Two kernels, and often a third one of another system, or one on a node that nothing can run on. */
    private void nodes() {
        add(Nodes.node("one", Nodes.K1), true);
        add(Nodes.node("two", Nodes.K2), true);
        switch (random.nextInt(6)) {
            case 0 -> add(Nodes.node("three", Nodes.UBUNTU, Nodes.UBUNTU_2204, "amd64"), true);
            case 1 ->
                add(
                        Nodes.taint(
                                Nodes.node("three", Nodes.UBUNTU, Nodes.UBUNTU_2204, "amd64"),
                                "example.com/dedicated=x:NoSchedule"),
                        false);
            case 2 -> add(Nodes.taint(Nodes.node("zero", Nodes.K2), "example.com/slow:PreferNoSchedule"), true);
            default -> {
                // No more.
            }
        }
    }

    private void add(ObservedNode node, boolean served) {
        // What the special resource says wins over the chart.
        String zone = selector.isEmpty() ? "x" : "b";
        cluster.with(Nodes.label(Nodes.label(node, "example.com/zone", zone), "example.com/rack", "r1"));
        if (served) {
            kernels.add(node.facts().kernel().raw());
        }
    }

    private RenderedChart render(RenderRequest request) {
        RenderedChart result = renderer.render(request);
        rendered.put(String.valueOf(request.values().get("kernelFullVersion")), result);
        return result;
    }

    private String log(String pod) {
        boolean done = cluster.pods.values().stream()
                .filter(each -> each.name().equals(pod))
                .anyMatch(each -> cluster.objects.values().stream()
                        .anyMatch(live -> live.uid().equals(each.owner()) && ready.contains(mark(live))));
        return done ? "loading\ndone with it\n" : "loading\n";
    }

    void live() {
        if (depends) {
            dependency();
        }
        rest();
        rendered.keySet().retainAll(kernels);
        assertThat(rendered)
                .as("one kernel, where nothing is kernel-affine, or all")
                .isNotEmpty();
        assertThat(rendered.values()).allMatch(chart -> chart.problems().isEmpty());
        Map<String, String> named = new TreeMap<>();
        files.forEach((name, text) -> {
            if (name.startsWith("templates/") && !name.contains("/_")) {
                named.put("generated/" + name, text);
            }
        });
        ChartExpectation expectation = new ChartExpectation(named, rendered);
        for (int round = 0; round < 60; round++) {
            assertThat(there())
                    .as("applied while ready are " + ready)
                    .isEqualTo(ChartNames.cut(expectation.applied(ready)));
            List<String> left = new ArrayList<>(expectation.waited());
            left.removeAll(ready);
            left.retainAll(marks());
            if (left.isEmpty()) {
                assertThat(isReady()).as("" + cluster.status("kmod")).isTrue();
                expectation.states.stream().flatMap(List::stream).forEach(this::whole);
                leave(expectation);
                return;
            }
            assertThat(isReady()).as("Ready too early").isFalse();
            left.stream().filter(mark -> random.nextBoolean()).forEach(ready::add);
            expectation.states.stream()
                    .flatMap(List::stream)
                    .filter(thing -> !thing.logs().isEmpty() && left.contains(thing.mark()) && random.nextBoolean())
                    .forEach(thing -> silent.add(thing.mark()));
            if (round % 3 == 2) {
                ready.add(left.get(0));
            }
            rest();
        }
        throw new AssertionError("it never ends");
    }

    /** It is made, with the values that are said here, and comes first. */
    private void dependency() {
        rest();
        SpecialResource other = Objects.requireNonNull(cluster.resources.get(DEPENDENCY), "nothing is made of it");
        KubeObject child = KubeObject.of(Resources.CODEC.toTree(other));
        assertThat(child.map("spec").get("namespace")).isEqualTo(DEPENDENCY);
        assertThat(child.map("spec", "set")).containsEntry("installCRDs", true);
        assertThat(child.map("spec", "chart")).containsEntry("name", DEPENDENCY);
        assertThat(there()).as("before its dependency is ready").isEmpty();
        SpecialResource done = Resources.copy(other);
        SpecialResourceStatus status = new SpecialResourceStatus();
        status.setObservedGeneration(other.getMetadata().getGeneration());
        status.setConditions(List.of(new ConditionBuilder()
                .withType("Ready")
                .withStatus("True")
                .withReason("Success")
                .withLastTransitionTime("2026-01-01T00:00:00Z")
                .build()));
        done.setStatus(status);
        cluster.with(done);
    }

    private boolean isReady() {
        return cluster.status("kmod").getConditions().stream()
                .anyMatch(condition -> condition.getType().equals("Ready")
                        && condition.getStatus().equals("True"));
    }

    private void rest() {
        int before = -1;
        for (int turn = 0; turn < 20 && before != cluster.writes.size(); turn++) {
            before = cluster.writes.size();
            for (int i = 0; i < 2; i++) {
                controllers();
                engine.reconcile("kmod");
                specialResources();
                clock.advance(Duration.ofSeconds(70));
            }
        }
        assertThat(cluster.writes.size()).as("it goes on writing").isEqualTo(before);
        made.remember(cluster.objects.values());
    }

    /** They are read where the engine reads them. */
    private void specialResources() {
        cluster.objects.values().removeIf(live -> {
            boolean is = live.ref().kind().equals("SpecialResource");
            if (is) {
                cluster.with(Resources.CODEC.fromTree(live.tree(), SpecialResource.class));
            }
            return is;
        });
    }

    private void controllers() {
        PretendedControllers.run(
                cluster,
                live -> live.annotation("helm.sh/hook").isPresent()
                        || ready.contains(mark(live))
                        || silent.contains(mark(live)),
                live -> false);
    }

    private static String mark(KubeObject live) {
        return live.annotation("example.com/mark").orElse("");
    }

    private Set<String> marks() {
        Set<String> marks = new TreeSet<>();
        cluster.objects.values().forEach(live -> marks.add(mark(live)));
        return marks;
    }

    /** Mark, namespace, name and kernel, whose suffix is left out. */
    private Set<String> there() {
        Set<String> all = new TreeSet<>();
        cluster.objects.values().stream().filter(live -> !mark(live).isEmpty()).forEach(live -> {
            String kernel = ChartNames.kernel(live);
            all.add(mark(live) + " " + live.ref().namespace() + "/" + ChartNames.cut(ChartNames.own(live)) + " "
                    + kernel);
        });
        return all;
    }

    /** Every field of what is there. */
    private void whole(Thing thing) {
        cluster.objects.values().stream()
                .filter(live -> thing.hook().isEmpty() && mark(live).equals(thing.mark()))
                .filter(live -> ChartNames.kernel(live).equals(thing.kernel()))
                .filter(live ->
                        (live.ref().namespace() + "/" + live.ref().name()).startsWith(ChartNames.start(thing.place())))
                .forEach(live -> {
                    assertThat(PlainTrees.live(live.tree()))
                            .as(thing.name())
                            .isEqualTo(PlainTrees.normal(ChartTrees.of(
                                    made.in(thing, live),
                                    thing.kernel(),
                                    live.ref().name(),
                                    thing.barrier(),
                                    selector)));
                    assertThat(live.maps("metadata", "ownerReferences"))
                            .as("owner of " + thing.name())
                            // SRO: what is kept has none, as garbage collection would take it.
                            .matches(owners -> thing.isKept()
                                    ? owners.isEmpty()
                                    : owners.stream().anyMatch(ChartLife::isOwner));
                });
    }

    private static boolean isOwner(Map<String, Object> owner) {
        return "kmod".equals(owner.get("name"))
                && "uid-kmod".equals(owner.get("uid"))
                && Boolean.TRUE.equals(owner.get("controller"));
    }

    /** What is there, for messages. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(selector + " depends=" + depends + " kernels=" + kernels + " ready="
                + ready + " silent=" + silent + "\n" + cluster.status("kmod") + "\n" + cluster.nodes + "\n");
        cluster.objects.values().forEach(live -> text.append(live.tree()).append('\n'));
        return text.toString();
    }

    /** Nothing is left of what it made but what is to be kept; what it depended on stays. */
    private void leave(ChartExpectation expectation) {
        Set<String> kept = new TreeSet<>();
        expectation.states.stream()
                .flatMap(List::stream)
                .filter(Thing::isKept)
                .forEach(thing -> kept.add(thing.mark()));
        kept.retainAll(marks());
        cluster.deleteResource("kmod");
        for (int turn = 0; turn < 30 && cluster.resources.containsKey("kmod"); turn++) {
            engine.reconcile("kmod");
            controllers();
            clock.advance(Duration.ofMinutes(2));
        }
        assertThat(cluster.resources.keySet())
                .as("special resources in the end")
                .isEqualTo(depends ? Set.of(DEPENDENCY) : Set.of());
        SortedMap<String, String> left = new TreeMap<>();
        cluster.objects.forEach((ref, live) -> {
            boolean full = live.ref().kind().equals("Namespace")
                    && cluster.objects.keySet().stream()
                            .anyMatch(other -> other.namespace().equals(ref.name()));
            if (!full && !kept.contains(mark(live))) {
                left.put(ref.toString(), Objects.toString(live.map("metadata")));
            }
        });
        assertThat(left).as("what is left").isEmpty();
        assertThat(marks()).as("what is kept").containsAll(kept);
        assertThat(cluster.nodes.values())
                .as("what is left on nodes")
                .allMatch(node -> node.appliedLabels().isEmpty());
    }
}
