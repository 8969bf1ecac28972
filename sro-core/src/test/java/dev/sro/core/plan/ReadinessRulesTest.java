package dev.sro.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.api.ReadinessRule;
import dev.sro.api.State;
import dev.sro.api.resource.OutcomeSample;
import dev.sro.core.fixture.Nodes;
import dev.sro.core.fixture.States;
import dev.sro.core.fixture.World;
import dev.sro.core.model.MetadataKeys;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Rules of a state beyond the readiness of its objects. */
class ReadinessRulesTest {

    private static final String DEVICE = "vendor.example/device";

    private static State driver(ReadinessRule... rules) {
        State.Builder builder = State.builder();
        builder.from(States.driver());
        return builder.addReadiness(rules).build();
    }

    private static boolean reached(World world, String node) {
        return world.node(node).facts().labels().containsKey(MetadataKeys.stateLabel("kmod", "1000"));
    }

    private static Outcome outcome(Plan plan) {
        return plan.states().get(0).outcome();
    }

    @Test
    void aNodeIsReachedWhenItOffersTheResource() {
        World world = new World(driver(ReadinessRule.allocatable(DEVICE, 2)), States.check())
                .with(Nodes.node("a", Nodes.K1), Nodes.node("b", Nodes.K1));
        world.settle();
        assertThat(reached(world, "a")).isFalse();

        world.with(Nodes.with(world.node("a"), facts -> facts.putAllocatable(DEVICE, "2")));
        world.with(Nodes.with(world.node("b"), facts -> facts.putAllocatable(DEVICE, "1")));
        Plan plan = world.settle();

        assertThat(reached(world, "a")).isTrue();
        assertThat(reached(world, "b")).as("has one of two").isFalse();
        assertThat(outcome(plan)).isInstanceOfSatisfying(Outcome.Waiting.class, waiting -> {
            assertThat(waiting.reason()).isEqualTo("ResourceNotAllocatable");
            assertThat(waiting.on()).contains("1 of 2 nodes ready", "node b offers 1 of " + DEVICE + ", 2 are needed");
        });
    }

    @Test
    void aNodeOffersAsMuchAsItsLabelsCount() {
        World world = new World(driver(ReadinessRule.allocatableAsLabelled("vendor.example/", ".count")))
                .with(Nodes.node("a", Nodes.K1));
        assertThat(outcome(world.settle()).isReady()).as("nothing is counted").isTrue();

        world.with(Nodes.with(
                world.node("a"),
                facts -> facts.putLabels(DEVICE + ".count", "8")
                        .putLabels("vendor.example/other.count", "many")
                        .putAllocatable(DEVICE, "7")));
        assertThat(outcome(world.settle()))
                .isInstanceOfSatisfying(
                        Outcome.Waiting.class,
                        waiting -> assertThat(waiting.on())
                                .contains("node a offers 7 of " + DEVICE + ", 8 are there by label " + DEVICE
                                        + ".count"));

        world.with(Nodes.with(world.node("a"), facts -> facts.putAllocatable(DEVICE, "8")));
        assertThat(outcome(world.settle()).isReady()).isTrue();
    }

    @Test
    void amountsAreComparedAsQuantities() {
        World world = new World(driver(ReadinessRule.allocatable(DEVICE, 2000))).with(Nodes.node("a", Nodes.K1));
        world.with(Nodes.with(world.node("a"), facts -> facts.putAllocatable(DEVICE, "2k")));

        assertThat(outcome(world.settle()).isReady()).isTrue();
    }

    @Test
    void waitsForALabelThatAnOperandWrites() {
        World world = new World(driver(ReadinessRule.nodeLabel("vendor.example/mig.config.state", "success")))
                .with(Nodes.label(Nodes.node("a", Nodes.K1), "vendor.example/mig.config.state", "pending"));
        assertThat(outcome(world.settle())).isInstanceOfSatisfying(Outcome.Waiting.class, waiting -> {
            assertThat(waiting.reason()).isEqualTo("NodeLabelMissing");
            assertThat(waiting.on()).contains("mig.config.state=success", "is \"pending\"");
        });

        world.with(Nodes.relabel(world.node("a"), "vendor.example/mig.config.state", "success"));

        assertThat(outcome(world.settle()).isReady()).isTrue();
    }

    @Test
    void aLabelThatSaysThatItFailedIsAProblemOfItsNodeAlone() {
        String label = "vendor.example/mig.config.state";
        World world = new World(
                        driver(ReadinessRule.nodeLabel(
                                label,
                                "success",
                                Map.of("failed", Problem.user("LayoutNotApplied", "see the log of the manager")))),
                        States.check())
                .with(
                        Nodes.label(Nodes.node("a", Nodes.K1), label, "success"),
                        Nodes.label(Nodes.node("b", Nodes.K1), label, "failed"));
        Plan plan = world.settle();

        assertThat(reached(world, "a")).isTrue();
        assertThat(reached(world, "b")).isFalse();
        assertThat(outcome(plan))
                .isEqualTo(Outcome.failed(Problem.user(
                        "LayoutNotApplied",
                        "1 of 2 nodes ready; node b: label " + label + " is \"failed\": see the log of the manager")));

        world.with(Nodes.relabel(world.node("b"), label, "pending"));
        assertThat(outcome(world.settle())).as("it tries again").isInstanceOf(Outcome.Waiting.class);

        world.with(Nodes.relabel(world.node("b"), label, "success"));
        assertThat(outcome(world.settle()).isReady()).isTrue();
    }

    @Test
    void whereOnlyFailuresAreNamedNothingElseIsWaitedFor() {
        String label = "vendor.example/mig.config.state";
        World world = new World(
                        driver(ReadinessRule.nodeLabelFailures(
                                label, Map.of("failed", Problem.user("LayoutNotApplied", "see the log")))),
                        States.check())
                .with(Nodes.node("a", Nodes.K1), Nodes.label(Nodes.node("b", Nodes.K1), label, "pending"));
        assertThat(outcome(world.settle()).isReady()).isTrue();

        world.with(Nodes.relabel(world.node("b"), label, "failed"));
        assertThat(outcome(world.settle()))
                .isEqualTo(Outcome.failed(Problem.user(
                        "LayoutNotApplied",
                        "1 of 2 nodes ready; node b: label " + label + " is \"failed\": see the log")));
        assertThat(reached(world, "a")).isTrue();

        world.with(Nodes.relabel(world.node("b"), label, "success"));
        assertThat(outcome(world.settle()).isReady()).isTrue();
    }

    @Test
    void aShareOfTheNodesIsEnough() {
        World world = new World(driver(ReadinessRule.nodeShare(50)), States.check())
                .with(Nodes.node("a", Nodes.K1), Nodes.node("b", Nodes.K1), Nodes.node("c", Nodes.K1));
        world.badNodes.add("c");

        Plan plan = world.settle();

        assertThat(outcome(plan).isReady()).isTrue();
        assertThat(reached(world, "c")).isFalse();
        assertThat(Objects.requireNonNull(world.resource.getStatus()).getSamples())
                .extracting(OutcomeSample::getNode)
                .as("the bad node is still told")
                .contains("c");

        world.badNodes.add("b");
        world.controllers();
        assertThat(outcome(world.settle()).isReady())
                .as("one of three is less than half, rounded up")
                .isFalse();
    }

    @Test
    void withoutNodesOneByOneAllOfThemHaveToMeetTheRule() {
        State config = State.builder()
                .from(States.config("1000-config", "v"))
                .addReadiness(ReadinessRule.allocatable(DEVICE, 1))
                .build();
        World world = new World(config)
                .with(
                        Nodes.with(Nodes.node("a", Nodes.K1), facts -> facts.putAllocatable(DEVICE, "1")),
                        Nodes.node("b", Nodes.K1));
        assertThat(outcome(world.settle()).isReady()).isFalse();

        world.with(Nodes.with(world.node("b"), facts -> facts.putAllocatable(DEVICE, "1")));

        assertThat(outcome(world.settle()).isReady()).isTrue();
    }
}
