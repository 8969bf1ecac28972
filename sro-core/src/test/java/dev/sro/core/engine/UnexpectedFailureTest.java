package dev.sro.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.fixture.FakeCluster;
import dev.sro.core.fixture.Nodes;
import dev.sro.core.fixture.Recipes;
import dev.sro.core.fixture.Resources;
import dev.sro.core.fixture.TestClock;
import dev.sro.core.fixture.TestPlugin;
import dev.sro.core.recipe.StateFileRecipes;
import dev.sro.core.recipe.source.SourceAnswer;
import dev.sro.core.recipe.source.StateFileSet;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A reconcile that fails in a way that nobody thought of. */
class UnexpectedFailureTest {

    private final FakeCluster cluster = new FakeCluster();
    private final TestClock clock = new TestClock();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    static List<Throwable> failures() {
        return List.of(
                new IllegalStateException("of which nobody thought"),
                new NullPointerException(),
                new StackOverflowError(),
                new OutOfMemoryError("Java heap space"),
                new AssertionError("never"));
    }

    private void fail() {
        Throwable now = failure.get();
        if (now instanceof Error error) {
            throw error;
        }
        if (now instanceof RuntimeException exception) {
            throw exception;
        }
    }

    private SourceAnswer<StateFileSet> files() {
        fail();
        return SourceAnswer.found(new StateFileSet(
                "ConfigMap kmod/kmod",
                new TreeMap<>(Map.of("0000-a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")),
                "",
                "",
                false,
                Map.of(),
                List.of()));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void isInTheStatusAndOverWhenItIsOver(Throwable thrown) {
        SpecialResource resource = Recipes.resource("kmod");
        Resources.spec(resource).setNodeSelector(Map.of("kubernetes.io/arch", "amd64"));
        cluster.with(resource);
        cluster.with(Nodes.node("one", Nodes.K1));
        Engine engine = cluster.engine(clock, new TestPlugin("none"))
                .stateFiles(new StateFileRecipes(context -> files(), Resources.CODEC::toTree))
                .build();
        settle(engine);
        assertThat(cluster.objects.keySet()).anyMatch(ref -> ref.name().equals("a"));

        failure.set(thrown);
        Reconciliation failed = engine.reconcile("kmod");
        assertThat(status()).contains("UnexpectedFailure", "please report it").doesNotContain("java.lang", "Error:");
        assertThat(cluster.objects.keySet())
                .as("what there is")
                .anyMatch(ref -> ref.name().equals("a"));
        assertThat(failed.wakeUp())
                .hasValueSatisfying(
                        at -> assertThat(at).isBeforeOrEqualTo(clock.instant().plus(Duration.ofMinutes(1))));
        int writes = cluster.writes.size();
        engine.reconcile("kmod");
        assertThat(cluster.writes).as("writes when it fails again").hasSize(writes);

        failure.set(null);
        settle(engine);
        assertThat(status()).doesNotContain("UnexpectedFailure");
    }

    @ParameterizedTest
    @MethodSource("failures")
    void ofAWriteIsInTheStatusAndOverWhenItIsOver(Throwable thrown) {
        SpecialResource resource = Recipes.resource("kmod");
        Resources.spec(resource).setNodeSelector(Map.of("kubernetes.io/arch", "amd64"));
        cluster.with(resource);
        cluster.with(Nodes.node("one", Nodes.K1));
        Engine engine = cluster.engine(clock, new TestPlugin("none"))
                .stateFiles(new StateFileRecipes(
                        context -> SourceAnswer.found(new StateFileSet(
                                "ConfigMap kmod/kmod",
                                new TreeMap<>(Map.of(
                                        "0000-a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")),
                                "",
                                "",
                                false,
                                Map.of(),
                                List.of())),
                        Resources.CODEC::toTree))
                .build();
        failure.set(thrown);
        cluster.fault = (verb, ref) -> {
            if (ref.kind().equals("ConfigMap") && ref.name().equals("a")) {
                fail();
            }
        };

        settle(engine);
        assertThat(status()).contains("UnexpectedFailure", "please report it").doesNotContain("java.lang", "Error:");
        int writes = cluster.writes.size();
        engine.reconcile("kmod");
        assertThat(cluster.writes).as("writes before a minute is over").hasSize(writes);

        failure.set(null);
        clock.advance(Duration.ofMinutes(1));
        settle(engine);
        assertThat(status()).doesNotContain("UnexpectedFailure");
        assertThat(cluster.objects.keySet()).anyMatch(ref -> ref.name().equals("a"));
    }

    private void settle(Engine engine) {
        for (int i = 0; i < 4; i++) {
            clock.advance(Duration.ofSeconds(30));
            engine.reconcile("kmod");
            cluster.controllers();
        }
    }

    private String status() {
        SpecialResource resource = Objects.requireNonNull(cluster.resources.get("kmod"));
        return String.valueOf(Resources.CODEC.toTree(resource).get("status"));
    }
}
