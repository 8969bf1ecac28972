package dev.sro.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.fixture.FakeCluster;
import dev.sro.core.fixture.Nodes;
import dev.sro.core.fixture.Resources;
import dev.sro.core.fixture.TestClock;
import dev.sro.core.fixture.TestPlugin;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.probe.PodFacts;
import dev.sro.core.recipe.StateFileRecipes;
import dev.sro.core.recipe.source.SourceAnswer;
import dev.sro.core.recipe.source.StateFileSet;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What recipes that nobody wrote showed first: numbered manifests that are run by the engine. */
class StateFileRunsTest {

    private static final String CONFIG_MAP = """
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: settings
        data:
          kernel: "{{ .KernelFullVersion }}"
          {{- if eq .KernelFullVersion "4.18.0-305.40.2.el8_4.x86_64" }}
          other: "yes"
          {{- end }}
        """;

    private static final String ONLY_OTHER = """
        {{ if eq .KernelFullVersion "4.18.0-305.40.2.el8_4.x86_64" }}
        apiVersion: v1
        kind: ServiceAccount
        metadata:
          name: only-other
        {{ end }}
        """;

    private static final String JOB = """
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: load
          annotations:
            specialresource.openshift.io/wait-for-logs: "loaded"
        spec:
          template:
            spec:
              restartPolicy: Never
              containers: [{name: c, image: "registry.example.com/load:1"}]
        """;

    private final FakeCluster cluster = new FakeCluster();
    private final TestClock clock = new TestClock();
    private String log = "starting\n";

    private Engine engine(Map<String, String> files) {
        SpecialResource resource = Resources.resource("kmod", "", Map.of("zone", "b"));
        Resources.spec(resource).setPlugin(null);
        cluster.with(resource);
        StateFileSet found =
                new StateFileSet("ConfigMap kmod/kmod", new TreeMap<>(files), "", "", true, Map.of(), List.of());
        return cluster.engine(clock, new TestPlugin("none"))
                .stateFiles(new StateFileRecipes(context -> SourceAnswer.found(found), Resources.CODEC::toTree))
                .logs((namespace, pod, container) -> log, Runnable::run, name -> {})
                .build();
    }

    private static ObservedNode node(String name, String kernel) {
        return Nodes.label(Nodes.node(name, kernel), "zone", "b");
    }

    private void run(Engine engine) {
        for (int i = 0; i < 4; i++) {
            engine.reconcile("kmod");
            clock.advance(Duration.ofSeconds(70));
        }
    }

    private KubeObject live(String kind) {
        return cluster.objects.values().stream()
                .filter(object -> object.ref().kind().equals(kind))
                .findFirst()
                .orElseThrow();
    }

    /** K2 sorts before K1, so that the pool which nothing can run on is the first. */
    @Test
    void whatAllPoolsShareIsAsForOneThatIsServed() {
        cluster.with(node("one", Nodes.K1), Nodes.taint(node("two", Nodes.K2), "dedicated=others:NoSchedule"));
        run(engine(Map.of("0000-settings.yaml", CONFIG_MAP, "0100-other.yaml", ONLY_OTHER)));

        assertThat(live("ConfigMap").map("data")).isEqualTo(Map.of("kernel", Nodes.K1));
        assertThat(cluster.names("ServiceAccount"))
                .as("of a pool that is not served")
                .isEmpty();
        assertThat(cluster.status("kmod").getState()).isEqualTo("Ready: ");
    }

    @Test
    void anotherPoolIsAsBeforeOnceItsTaintIsGone() {
        cluster.with(node("one", Nodes.K1), Nodes.taint(node("two", Nodes.K2), "dedicated=others:NoSchedule"));
        Engine engine = engine(Map.of("0000-settings.yaml", CONFIG_MAP, "0100-other.yaml", ONLY_OTHER));
        run(engine);
        cluster.with(node("two", Nodes.K2));
        run(engine);

        assertThat(live("ConfigMap").map("data")).isEqualTo(Map.of("kernel", Nodes.K2, "other", "yes"));
        assertThat(cluster.names("ServiceAccount")).containsExactly("only-other");
        int writes = cluster.writes.size();
        run(engine);
        assertThat(cluster.writes).hasSize(writes);
    }

    /** Only its log counts, as nothing says that its end is waited for; before it has a pod there is no log. */
    @Test
    void aJobWhoseLogIsWaitedForIsNotReadyBeforeItRuns() {
        cluster.with(node("one", Nodes.K1));
        Engine engine = engine(Map.of("0000-load.yaml", JOB, "0100-next.yaml", CONFIG_MAP));
        run(engine);
        assertThat(cluster.names("ConfigMap")).as("without a pod").isEmpty();

        cluster.pods.put("p", pod("Running"));
        run(engine);
        assertThat(cluster.names("ConfigMap")).as("while its log says nothing").isEmpty();

        log = "starting\nloaded\n";
        run(engine);
        assertThat(cluster.names("ConfigMap")).containsExactly("settings");
    }

    @Test
    void aJobThatHasEndedNeedsNoPodAnyMore() {
        cluster.with(node("one", Nodes.K1));
        Engine engine = engine(Map.of("0000-load.yaml", JOB, "0100-next.yaml", CONFIG_MAP));
        run(engine);
        KubeObject job = live("Job");
        cluster.objects.put(
                job.ref(),
                job.edit(tree -> tree.put(
                        "status",
                        ValueTrees.mutableCopy(
                                Map.of("conditions", List.of(Map.of("type", "Complete", "status", "True")))))));
        run(engine);
        assertThat(cluster.names("ConfigMap")).containsExactly("settings");
    }

    private PodFacts pod(String phase) {
        return new PodFacts(
                "kmod",
                "load-x",
                live("Job").uid(),
                "one",
                phase,
                true,
                false,
                "",
                "",
                "",
                "uid-load-x",
                "",
                List.of(new PodFacts.Container("c", 0, true)),
                0,
                "",
                "",
                Instant.EPOCH,
                Instant.EPOCH,
                Instant.EPOCH,
                Map.of());
    }
}
