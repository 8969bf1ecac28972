package dev.sro.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.DeviceMatcher;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.apply.WriteException;
import dev.sro.core.fixture.FakeCluster;
import dev.sro.core.fixture.Nodes;
import dev.sro.core.fixture.Resources;
import dev.sro.core.fixture.States;
import dev.sro.core.fixture.TestClock;
import dev.sro.core.fixture.TestPlugin;
import dev.sro.core.recipe.DeadlineGuard;
import dev.sro.core.recipe.PluginGuard;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When the controller reconciles what, on workers and timers that a test turns by hand. */
@Timeout(60)
class ControllerTest {

    private record Timer(String what, Duration delay, Runnable task) {}

    private final FakeCluster cluster = new FakeCluster();
    private final TestClock clock = new TestClock();
    private final TestPlugin plugin = new TestPlugin("kmod", States.build(), States.driver());
    private final ArrayDeque<Runnable> work = new ArrayDeque<>();
    private final List<Timer> timers = new ArrayList<>();
    private final AtomicInteger reconciles = new AtomicInteger();
    private Runnable afterLastLook = () -> {};

    private Controller controller(PluginGuard guard) {
        return new Controller(engine(guard), work::add, this::schedule, clock);
    }

    private Engine engine(PluginGuard guard) {
        return cluster.engine(clock, plugin)
                .guard(guard)
                .metrics((name, plan, writes, failures, took) -> {
                    reconciles.incrementAndGet();
                    afterLastLook.run();
                })
                .build();
    }

    private Runnable schedule(Duration delay, Runnable task) {
        Timer timer = new Timer("wake-up", delay, task);
        timers.add(timer);
        return () -> timers.remove(timer);
    }

    private void runAll() {
        for (Runnable next = work.poll(); next != null; next = work.poll()) {
            next.run();
        }
    }

    private static SpecialResource kmod(String name) {
        SpecialResource resource = Resources.resource(name, "kmod", Map.of("for", name));
        return resource;
    }

    private void twoWithANodeEach() {
        cluster.with(kmod("one"), kmod("two"))
                .with(
                        Nodes.label(Nodes.node("a", Nodes.K1), "for", "one"),
                        Nodes.label(Nodes.node("b", Nodes.K1), "for", "two"));
    }

    @Test
    void manyRequestsWhileOneWaitsAreOne() {
        twoWithANodeEach();
        Controller controller = controller(PluginGuard.direct());
        for (int i = 0; i < 100; i++) {
            controller.request("one");
        }
        assertThat(work).hasSize(1);
        runAll();
        assertThat(reconciles).hasValue(1);
    }

    @Test
    void requestsWhileItRunsMeanOnceMoreAndNeverTwiceAtOnce() {
        twoWithANodeEach();
        Controller controller = controller(PluginGuard.direct());
        afterLastLook = () -> {
            controller.request("one");
            controller.request("one");
            assertThat(work).as("nothing is queued for it while it runs").isEmpty();
            afterLastLook = () -> {};
        };
        controller.request("one");
        runAll();
        assertThat(reconciles).hasValue(2);
    }

    @Test
    void differentOnesAreQueuedSideBySide() {
        twoWithANodeEach();
        Controller controller = controller(PluginGuard.direct());
        controller.request("one");
        controller.request("two");
        controller.request("one");
        assertThat(work).hasSize(2);
    }

    @Test
    void wakesUpWhenThePlanSaysSoAndForgetsItWhenItRanBefore() {
        twoWithANodeEach();
        cluster.fault = (verb, ref) -> {
            throw new WriteException(WriteException.Kind.UNAVAILABLE, "away");
        };
        Controller controller = controller(PluginGuard.direct());
        controller.request("one");
        runAll();
        assertThat(timers).extracting(Timer::delay).containsExactly(Duration.ofSeconds(1));

        controller.request("one");
        runAll();
        assertThat(timers).as("the new wake-up replaces the old one").hasSize(1);

        Timer due = timers.remove(0);
        due.task().run();
        assertThat(work).hasSize(1);
    }

    @Test
    void aProgrammingErrorIsTriedAgainLater() {
        Controller controller = new Controller(
                (name, looking) -> {
                    throw new IllegalStateException("bug");
                },
                work::add,
                this::schedule,
                clock);
        controller.request("one");
        runAll();
        assertThat(timers).extracting(Timer::delay).containsExactly(Duration.ofSeconds(10));
    }

    @Test
    void aWorkerPoolThatRefusesIsAskedAgainLater() {
        twoWithANodeEach();
        Controller controller = new Controller(
                engine(PluginGuard.direct()),
                task -> {
                    throw new RejectedExecutionException("full");
                },
                this::schedule,
                clock);
        controller.request("one");
        assertThat(timers).hasSize(1);
        controller.request("one");
        assertThat(timers).as("and it is not stuck").isNotEmpty();
    }

    @Test
    void startsNothingWhenItIsClosed() {
        twoWithANodeEach();
        Controller controller = controller(PluginGuard.direct());
        controller.request("one");
        controller.close();
        controller.request("two");
        runAll();
        assertThat(reconciles).hasValue(0);
        assertThat(timers).isEmpty();
    }

    @Test
    void aPluginThatHangsForOneHoldsUpNoOther() throws InterruptedException {
        twoWithANodeEach();
        CountDownLatch never = new CountDownLatch(1);
        plugin.presence = node -> {
            if (node.name().equals("a")) {
                awaitQuietly(never);
            }
            return DeviceMatcher.Presence.PRESENT;
        };
        ExecutorService calls = Executors.newCachedThreadPool();
        try {
            Controller controller = controller(new DeadlineGuard(calls, Duration.ofMillis(200), 4));
            controller.request("one");
            controller.request("two");
            runAll();

            assertThat(cluster.status("one").getConditions())
                    .filteredOn(condition -> condition.getType().equals("Degraded"))
                    .singleElement()
                    .satisfies(condition -> assertThat(condition.getReason()).isEqualTo("PluginTimeout"));
            assertThat(cluster.names("Job")).as("of the other").hasSize(1);
            assertThat(timers)
                    .as("the one that hangs is asked again")
                    .anyMatch(timer -> timer.delay().equals(Duration.ofSeconds(30)));
        } finally {
            never.countDown();
            calls.shutdownNow();
            assertThat(calls.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void aPluginThatHangsInOneStateHoldsUpOnlyThat() throws InterruptedException {
        twoWithANodeEach();
        CountDownLatch never = new CountDownLatch(1);
        plugin.beforeDecode = text -> {
            if (text.contains("kind: DaemonSet")) {
                awaitQuietly(never);
            }
            return text;
        };
        ExecutorService calls = Executors.newCachedThreadPool();
        try {
            Controller controller = controller(new DeadlineGuard(calls, Duration.ofMillis(200), 8));
            controller.request("one");
            runAll();
            assertThat(cluster.names("Job")).as("the state before goes ahead").hasSize(1);
            assertThat(cluster.names("DaemonSet")).isEmpty();
        } finally {
            never.countDown();
            calls.shutdownNow();
            assertThat(calls.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void whatIsAskedForBeforeALookIsAnsweredByIt() {
        List<Controller> self = new ArrayList<>();
        AtomicInteger looks = new AtomicInteger();
        Controller controller = new Controller(
                (name, looking) -> {
                    looking.run();
                    looks.incrementAndGet();
                    // Its own writes come back as changes, and it looks again itself.
                    self.get(0).request(name);
                    looking.run();
                    looks.incrementAndGet();
                    return Optional.empty();
                },
                work::add,
                this::schedule,
                clock);
        self.add(controller);

        controller.request("one");
        runAll();

        assertThat(looks).hasValue(2);
    }

    @Test
    void whatIsAskedForAfterTheLastLookIsAnsweredByAnotherReconcile() {
        List<Controller> self = new ArrayList<>();
        AtomicInteger looks = new AtomicInteger();
        Controller controller = new Controller(
                (name, looking) -> {
                    looking.run();
                    if (looks.incrementAndGet() == 1) {
                        self.get(0).request(name);
                    }
                    return Optional.empty();
                },
                work::add,
                this::schedule,
                clock);
        self.add(controller);

        controller.request("one");
        runAll();

        assertThat(looks).hasValue(2);
    }

    @Test
    void whoeverAsksForItselfForEverGetsItsTurnOncePerDistance() {
        List<Controller> self = new ArrayList<>();
        AtomicInteger runs = new AtomicInteger();
        Controller controller = new Controller(
                (name, looking) -> {
                    looking.run();
                    runs.incrementAndGet();
                    self.get(0).request(name);
                    return Optional.empty();
                },
                work::add,
                this::schedule,
                clock);
        self.add(controller);

        controller.request("one");
        runAll();
        assertThat(runs).hasValue(Controller.BURST);
        assertThat(timers)
                .singleElement()
                .satisfies(timer -> assertThat(timer.delay()).isEqualTo(Controller.DISTANCE));

        for (int i = 1; i <= 10; i++) {
            clock.advance(Controller.DISTANCE);
            timers.remove(0).task().run();
            runAll();
            assertThat(runs).hasValue(Controller.BURST + i);
        }
    }

    @Test
    void oneThatIsHeldHoldsUpNoOther() {
        List<Controller> self = new ArrayList<>();
        AtomicInteger others = new AtomicInteger();
        Controller controller = new Controller(
                (name, looking) -> {
                    looking.run();
                    if (name.equals("one")) {
                        self.get(0).request(name);
                    } else {
                        others.incrementAndGet();
                    }
                    return Optional.empty();
                },
                work::add,
                this::schedule,
                clock);
        self.add(controller);
        controller.request("one");
        runAll();

        controller.request("two");
        runAll();

        assertThat(others).hasValue(1);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
