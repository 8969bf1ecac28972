package dev.sro.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.StateGraph;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.build.BuildSettings;
import dev.sro.core.build.BuildSources;
import dev.sro.core.driver.RegistryProbe;
import dev.sro.core.driver.RegistryProbe.Finding;
import dev.sro.core.driver.RegistryProbe.Query;
import dev.sro.core.engine.port.ImageLooks;
import dev.sro.core.engine.trip.Preview;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.fixture.FakeCluster;
import dev.sro.core.fixture.Nodes;
import dev.sro.core.fixture.Resources;
import dev.sro.core.fixture.States;
import dev.sro.core.fixture.TestClock;
import dev.sro.core.fixture.TestPlugin;
import dev.sro.core.image.RegistrySettings;
import dev.sro.core.plan.Plan;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Previews have no effect: neither on what reconciles of the same special resource do, nor on those of others. */
class PreviewTest {

    private static final String FIRST = "first";
    private static final String SECOND = "second";

    private final FakeCluster cluster = new FakeCluster();
    private final TestClock clock = new TestClock();
    private final TestPlugin plugin = new TestPlugin("kmod", States.driver());

    /** Knows of every image that no registry has it. */
    private static final class NoImages implements ImageLooks {
        @Override
        public Finding look(Query query, RegistrySettings settings) {
            return Finding.of(RegistryProbe.Kind.MISSING, "there is no such image");
        }

        @Override
        public RegistrySettings settings(String namespace, List<String> pullSecrets) {
            return RegistrySettings.NONE;
        }
    }

    /** On the node of its name, with a driver that has to be built. */
    private static SpecialResource built(String name) {
        return Resources.withSpec(
                name,
                Map.of(
                        "namespace",
                        name,
                        "plugin",
                        Map.of("name", "kmod"),
                        "nodeSelector",
                        Map.of("kubernetes.io/hostname", name),
                        "driver",
                        Map.of(
                                "containerImage",
                                "registry.example.com/" + name + "/driver:v1-${KERNEL_FULL_VERSION}",
                                "build",
                                Map.of("dockerfile", "FROM scratch"))));
    }

    private static ObservedNode node(String name) {
        return Nodes.label(Nodes.node(name, Nodes.K1), "kubernetes.io/hostname", name);
    }

    /** Looks for images in the first and acts on what it found in the next. */
    private static void reconcile(Engine engine, String name) {
        engine.reconcile(name);
        engine.reconcile(name);
    }

    /** There is one place for builds, and every driver has to be built. */
    private Engine withOnePlace() {
        cluster.with(built(FIRST), built(SECOND)).with(node(FIRST), node(SECOND));
        return cluster.engine(clock, plugin)
                .images(new NoImages(), Runnable::run, name -> {})
                .builds(
                        BuildSources.NONE,
                        BuildSettings.builder().perResource(1).overall(1).build())
                .build();
    }

    private static boolean builds(Plan plan) {
        return plan.writes().stream().anyMatch(write -> write.ref().kind().equals("Job"));
    }

    private boolean isBuilding(String name) {
        return cluster.objects.keySet().stream()
                .anyMatch(ref -> ref.kind().equals("Job") && ref.namespace().equals(name));
    }

    @Test
    void previewsTakeNoPlaceForABuildFromOthers() {
        Engine engine = withOnePlace();
        engine.plan(FIRST);
        assertThat(engine.plan(FIRST).filter(PreviewTest::builds)).isPresent();
        assertThat(engine.plan(FIRST).filter(PreviewTest::builds)).isPresent();
        reconcile(engine, SECOND);
        assertThat(isBuilding(SECOND)).isTrue();
        assertThat(isBuilding(FIRST)).isFalse();
        assertThat(engine.plan(FIRST).filter(PreviewTest::builds)).isEmpty();
    }

    @Test
    void aReconcileTakesThePlaceThatPreviewsOnlyLookAt() {
        Engine engine = withOnePlace();
        reconcile(engine, FIRST);
        assertThat(isBuilding(FIRST)).isTrue();
        reconcile(engine, SECOND);
        assertThat(isBuilding(SECOND)).isFalse();
    }

    @Test
    void aPreviewWaitsWhileTheSameSpecialResourceIsPlanned() throws InterruptedException {
        cluster.with(Resources.resource("kmod", "kmod", Map.of())).with(Nodes.node("a", Nodes.K1));
        Engine engine = cluster.engine(clock, plugin).build();
        CountDownLatch planning = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger asking = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        plugin.states = context -> {
            most.accumulateAndGet(asking.incrementAndGet(), Math::max);
            planning.countDown();
            awaitQuietly(goOn);
            asking.decrementAndGet();
            return StateGraph.chain(States.driver());
        };
        Thread worker = new Thread(() -> engine.reconcile("kmod"));
        worker.start();
        planning.await();

        AtomicInteger previews = new AtomicInteger();
        Thread viewer = new Thread(() -> {
            if (engine.preview("kmod").map(Preview::plan).isPresent()) {
                previews.incrementAndGet();
            }
        });
        viewer.start();
        Thread.State state = viewer.getState();
        while (state == Thread.State.NEW || state == Thread.State.RUNNABLE) {
            Thread.onSpinWait();
            state = viewer.getState();
        }
        boolean waited = state == Thread.State.BLOCKED && previews.get() == 0;
        goOn.countDown();
        worker.join();
        viewer.join();
        assertThat(waited)
                .as("the preview was %s while the plan was being made", state)
                .isTrue();
        assertThat(previews).hasValue(1);
        assertThat(most).hasValue(1);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
