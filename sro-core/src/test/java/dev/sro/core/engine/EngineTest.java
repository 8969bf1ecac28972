package dev.sro.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.DeviceMatcher;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.OsRelease;
import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.api.Reach;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.apply.WriteException;
import dev.sro.core.engine.port.ClusterReader;
import dev.sro.core.fixture.FakeCluster;
import dev.sro.core.fixture.Nodes;
import dev.sro.core.fixture.Resources;
import dev.sro.core.fixture.States;
import dev.sro.core.fixture.TestClock;
import dev.sro.core.fixture.TestPlugin;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.plan.Plan;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The engine on small fakes of its ports. */
class EngineTest {

    private static final Map<String, String> ALL = Map.of();

    private final FakeCluster cluster = new FakeCluster();
    private final TestClock clock = new TestClock();
    private final TestPlugin plugin = new TestPlugin("kmod", States.build(), States.driver(), States.check());
    private final Engine engine = cluster.engine(clock, plugin).build();

    /** Reconciles all until nothing changes, with the cluster's controllers and time in between. */
    private void settle() {
        int quiet = 0;
        for (int i = 0; i < 80 && quiet < 3; i++) {
            int before = cluster.writes.size();
            cluster.specialResources()
                    .forEach(resource -> engine.reconcile(resource.getMetadata().getName()));
            cluster.controllers();
            clock.advance(Duration.ofSeconds(5));
            quiet = cluster.writes.size() == before ? quiet + 1 : 0;
        }
    }

    private Condition condition(String name, String type) {
        return cluster.status(name).getConditions().stream()
                .filter(condition -> type.equals(condition.getType()))
                .findFirst()
                .orElseThrow();
    }

    private boolean isReady(String name) {
        return condition(name, "Ready").getStatus().equals("True");
    }

    private static SpecialResource resource(String name, String created, Map<String, String> selector) {
        SpecialResource resource = Resources.resource(name, "kmod", selector);
        resource.getMetadata().setCreationTimestamp(created);
        return resource;
    }

    private static SpecialResource kmod() {
        return resource("kmod", "2026-01-01T00:00:00Z", ALL);
    }

    private static SpecialResource younger(Map<String, String> selector) {
        return resource("rival", "2026-01-02T00:00:00Z", selector);
    }

    @Test
    void convergesAndThenWritesNothing() {
        cluster.with(kmod()).with(Nodes.node("a", Nodes.K1), Nodes.node("b", Nodes.K2));
        settle();
        assertThat(isReady("kmod")).isTrue();

        cluster.writes.clear();
        Reconciliation again = engine.reconcile("kmod");
        assertThat(cluster.writes).isEmpty();
        assertThat(again.writes()).isZero();
        assertThat(again.wakeUp()).isEmpty();
        assertThat(Objects.requireNonNull(again.plan()).converged()).isTrue();
    }

    @Test
    void anEngineThatStartsOnAConvergedClusterWritesNothing() {
        cluster.with(kmod()).with(Nodes.node("a", Nodes.K1));
        settle();
        cluster.writes.clear();
        cluster.engine(clock, plugin).build().reconcile("kmod");
        assertThat(cluster.writes).isEmpty();
    }

    @Test
    void aSpecialResourceThatIsGoneIsNothingToDo() {
        assertThat(engine.reconcile("nobody")).isEqualTo(Reconciliation.gone());
        assertThat(engine.plan("nobody")).isEmpty();
    }

    @Test
    void twoSystemsWithOneKernelAreTwoPoolsThatShareNoNode() {
        String kernel = "5.14.0-427.50.1.el9_4.x86_64";
        cluster.with(kmod())
                .with(
                        Nodes.node("coreos", kernel, new OsRelease("rhcos", "9.4"), "amd64"),
                        Nodes.node("rhel", kernel, new OsRelease("rhel", "9.4"), "amd64"));
        settle();

        assertThat(isReady("kmod")).isTrue();
        assertThat(cluster.names("DaemonSet")).hasSize(4);
        assertThat(cluster.pods.values().stream().map(pod -> pod.owner() + pod.node()))
                .as("each driver and each check on the one node that it is for")
                .hasSize(4)
                .doesNotHaveDuplicates();
    }

    @Test
    void serversTaintedForTheirDeviceAreServedWhenTheOperandsTolerateThat() {
        State tolerant = State.builder()
                .id("1000-driver")
                .reach(Reach.nodeByNode())
                .addManifests(ManifestTemplate.text("x.yaml", """
                    apiVersion: apps/v1
                    kind: DaemonSet
                    metadata: {name: driver}
                    spec:
                      template:
                        spec:
                          tolerations: [{key: example.com/card, operator: Exists, effect: NoSchedule}]
                          containers: [{name: c, image: "i:1"}]
                    """))
                .build();
        plugin.states = context -> StateGraph.chain(tolerant);
        cluster.with(kmod())
                .with(
                        Nodes.taint(Nodes.node("card", Nodes.K1), "example.com/card=true:NoSchedule"),
                        Nodes.taint(
                                Nodes.node("control", Nodes.K2), "node-role.kubernetes.io/control-plane:NoSchedule"));
        settle();

        assertThat(Objects.requireNonNull(cluster.nodes.get("card")).facts().labels())
                .containsEntry(MetadataKeys.stateLabel("kmod", "1000"), "Ready");
        assertThat(Objects.requireNonNull(cluster.nodes.get("control")).appliedLabels())
                .isEmpty();
        assertThat(Objects.requireNonNull(engine.reconcile("kmod").plan()).pools())
                .as("pools of which no node is served do not count")
                .hasSize(1);
    }

    @Test
    void aNodeIsTakenOnlyIfThePluginOfTheOlderOneFindsTheDevice() {
        plugin.presence = node ->
                node.labels().containsKey("card") ? DeviceMatcher.Presence.PRESENT : DeviceMatcher.Presence.ABSENT;
        cluster.with(kmod(), younger(ALL))
                .with(Nodes.label(Nodes.node("with", Nodes.K1), "card", "1"), Nodes.node("without", Nodes.K1));
        settle();
        assertThat(condition("rival", "Degraded").getReason()).isEqualTo("NodeTaken");
        assertThat(engine.plan("rival").orElseThrow().nodeProblems()).containsOnlyKeys("with");
    }

    @Test
    void anOlderOneThatIsInvalidOrUnmanagedTakesNothing() {
        SpecialResource invalid = kmod();
        Resources.spec(invalid).setNamespace("Not A Namespace");
        SpecialResource unmanaged = resource("other", "2026-01-01T00:00:00Z", ALL);
        Resources.spec(unmanaged).setManagementState("Unmanaged");
        cluster.with(invalid, unmanaged, younger(ALL)).with(Nodes.node("a", Nodes.K1));
        settle();
        assertThat(isReady("rival")).isTrue();
    }

    @Test
    void anOlderOneThatServesANodeKeepsItWhateverItsPluginSaysNow() {
        cluster.with(kmod()).with(Nodes.node("a", Nodes.K1));
        settle();
        assertThat(isReady("kmod")).isTrue();
        plugin.presence = node -> DeviceMatcher.Presence.PRESENT;
        cluster.with(younger(ALL));
        settle();
        assertThat(condition("rival", "Degraded").getReason()).isEqualTo("NodeTaken");
    }

    private SpecialResource inSharedNamespace(String name, String created, String device) {
        SpecialResource resource = resource(name, created, Map.of("device", device));
        Resources.spec(resource).setNamespace("shared");
        return resource;
    }

    private void twoInOneNamespace() {
        plugin.states = context -> StateGraph.chain(States.daemonSet(
                "1000-driver", context.specialResource().getMetadata().getName()));
        cluster.with(
                        inSharedNamespace("maker", "2026-01-01T00:00:00Z", "x"),
                        inSharedNamespace("second", "2026-01-02T00:00:00Z", "y"))
                .with(
                        Nodes.label(Nodes.node("a", Nodes.K1), "device", "x"),
                        Nodes.label(Nodes.node("b", Nodes.K1), "device", "y"));
        settle();
        assertThat(isReady("maker")).isTrue();
        assertThat(isReady("second")).isTrue();
        assertThat(cluster.names("Namespace")).containsExactly("shared");
    }

    @Test
    void aSharedNamespaceOutlivesItsMakerAndGoesWithTheLast() {
        twoInOneNamespace();
        cluster.deleteResource("maker");
        settle();
        assertThat(cluster.resources).containsOnlyKeys("second");
        assertThat(cluster.names("Namespace")).containsExactly("shared");
        assertThat(isReady("second")).isTrue();

        cluster.deleteResource("second");
        settle();
        assertThat(cluster.resources).isEmpty();
        assertThat(cluster.names("Namespace")).isEmpty();
    }

    @Test
    void aSharedNamespaceGoesWhenAllThatUseItGoAtOnce() {
        twoInOneNamespace();
        cluster.deleteResource("second");
        cluster.deleteResource("maker");
        settle();
        assertThat(cluster.resources).isEmpty();
        assertThat(cluster.objects).isEmpty();
        assertThat(cluster.writes.indexOf("delete Namespace shared"))
                .as("after the operands of both")
                .isGreaterThan(cluster.writes.lastIndexOf("delete ServiceAccount second"));
    }

    @Test
    void aProbeIsCalledOnlyWhenItsObjectChangedAndAgainAfterItFailed() {
        AtomicInteger calls = new AtomicInteger();
        plugin.probe = live -> {
            if (live.getKind().equals("Job")) {
                calls.incrementAndGet();
                if (calls.get() == 1) {
                    throw new IllegalStateException("not now");
                }
            }
            return Optional.empty();
        };
        cluster.with(kmod()).with(Nodes.node("a", Nodes.K1));
        engine.reconcile("kmod");
        Reconciliation failed = engine.reconcile("kmod");
        assertThat(calls).hasValue(1);
        assertThat(condition("kmod", "Degraded").getReason()).isEqualTo("PluginError");
        assertThat(failed.wakeUp()).contains(clock.instant().plusSeconds(30));

        clock.advance(Duration.ofSeconds(30));
        engine.reconcile("kmod");
        engine.reconcile("kmod");
        assertThat(calls).hasValue(2);

        cluster.controllers();
        engine.reconcile("kmod");
        engine.reconcile("kmod");
        assertThat(calls).hasValue(3);
    }

    @Test
    void whatAProbeSaysOfADaemonSetHoldsUpTheNodesThatDidNotGetThereYet() {
        Outcome wait = Outcome.waiting("DevicesMissing", clock.instant(), "no device is registered");
        plugin.probe = live -> live.getMetadata().getName().startsWith("driver") ? Optional.of(wait) : Optional.empty();
        cluster.with(kmod()).with(Nodes.node("a", Nodes.K1));
        settle();
        assertThat(isReady("kmod")).isFalse();
        assertThat(condition("kmod", "Progressing").getReason()).isEqualTo("DevicesMissing");
        assertThat(cluster.names("DaemonSet")).noneMatch(name -> name.startsWith("check"));

        plugin.probe = live -> Optional.empty();
        cluster.objects.replaceAll((ref, live) -> live.edit(tree -> tree.put("seen", "again")));
        settle();
        assertThat(isReady("kmod")).isTrue();

        plugin.probe = live -> live.getMetadata().getName().startsWith("driver") ? Optional.of(wait) : Optional.empty();
        cluster.objects.replaceAll((ref, live) -> live.edit(tree -> tree.put("seen", "once more")));
        settle();
        assertThat(isReady("kmod")).isFalse();
        assertThat(Objects.requireNonNull(cluster.nodes.get("a")).facts().labels())
                .as("what was reached and still runs is not taken away")
                .containsKey(MetadataKeys.stateLabel("kmod", "1000"));
    }

    @Test
    void aKindThatIsNotServedIsLookedForAgainAfterHalfAMinute() {
        cluster.unseen.put(
                "batch/v1/Job",
                Outcome.failed(Problem.platform("KindNotServed", "the cluster does not serve batch/v1/Job")));
        cluster.with(kmod()).with(Nodes.node("a", Nodes.K1));
        engine.reconcile("kmod");
        Reconciliation waiting = engine.reconcile("kmod");
        assertThat(condition("kmod", "Degraded").getReason()).isEqualTo("KindNotServed");
        assertThat(waiting.wakeUp()).contains(clock.instant().plusSeconds(30));

        cluster.unseen.clear();
        clock.advance(Duration.ofSeconds(30));
        settle();
        assertThat(isReady("kmod")).isTrue();
    }

    @Test
    void whileACacheFillsNothingIsWrittenAndItLooksAgain() {
        cluster.unseen.put(ClusterReader.BASE, Outcome.waiting("CacheFilling", clock.instant(), "nodes"));
        cluster.with(kmod()).with(Nodes.node("a", Nodes.K1));
        Reconciliation blind = engine.reconcile("kmod");
        assertThat(cluster.writes).isEmpty();
        assertThat(blind.wakeUp()).contains(clock.instant().plusSeconds(1));
    }

    @Test
    void stopsWhenTheServerIsAwayAndComesBack() {
        cluster.fault = (verb, ref) -> {
            throw new WriteException(WriteException.Kind.UNAVAILABLE, "no route to host");
        };
        cluster.with(kmod()).with(Nodes.node("a", Nodes.K1));
        Reconciliation stopped = engine.reconcile("kmod");
        assertThat(cluster.writes).hasSize(1);
        assertThat(stopped.failures()).isEqualTo(1);
        assertThat(stopped.wakeUp()).contains(clock.instant().plusSeconds(1));

        cluster.fault = (verb, ref) -> {};
        settle();
        assertThat(isReady("kmod")).isTrue();
    }

    @Test
    void anObjectThatSomebodyChangesBackAtOnceIsReportedAndLeftAlone() {
        cluster.with(kmod()).with(Nodes.node("a", Nodes.K1));
        settle();
        String driver = cluster.names("DaemonSet").stream()
                .filter(name -> name.startsWith("driver"))
                .findFirst()
                .orElseThrow();
        cluster.objects.replaceAll((ref, live) -> ref.name().equals(driver) ? contested(live) : live);
        cluster.afterWrite = live -> live.ref().name().equals(driver) ? contested(live) : live;
        cluster.writes.clear();
        engine.reconcile("kmod");
        assertThat(cluster.writes)
                .filteredOn(write -> write.equals("apply DaemonSet " + driver))
                .hasSize(1);
        assertThat(condition("kmod", "Degraded").getReason()).isEqualTo("FieldContested");
    }

    /** On a slow machine the rest before a second try ends within the trip. */
    @Test
    void whatWasRefusedAndIsTriedAgainInTheSameTripIsNotContested() {
        cluster.with(kmod()).with(Nodes.node("a", Nodes.K1));
        settle();
        cluster.objects.keySet().removeIf(ref -> ref.kind().equals("DaemonSet"));
        AtomicInteger tries = new AtomicInteger();
        cluster.fault = (verb, ref) -> {
            if (ref.kind().equals("DaemonSet") && tries.getAndIncrement() == 0) {
                throw new WriteException(WriteException.Kind.FORBIDDEN, "not granted yet");
            }
        };
        engine.reconcile("kmod", () -> clock.advance(Duration.ofSeconds(2)));
        assertThat(tries).hasValueGreaterThan(1);
        assertThat(cluster.names("DaemonSet")).isNotEmpty();
        assertThat(condition("kmod", "Degraded").getReason()).isNotEqualTo("FieldContested");
    }

    private static KubeObject contested(KubeObject live) {
        return live.edit(
                tree -> ValueTrees.ensureMap(tree, "spec", "template", "spec").put("serviceAccountName", "somebody"));
    }

    @Test
    void aPlanIsWhatAReconcileWouldDoAndDoesNothing() {
        cluster.with(kmod()).with(Nodes.node("a", Nodes.K1));
        Plan plan = engine.plan("kmod").orElseThrow();
        assertThat(plan.writes()).isNotEmpty();
        assertThat(cluster.writes).isEmpty();
        assertThat(plan.pools()).extracting(pool -> pool.nodes()).containsExactly(List.of("a"));
    }
}
