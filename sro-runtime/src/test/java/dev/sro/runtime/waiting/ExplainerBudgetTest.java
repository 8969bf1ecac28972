package dev.sro.runtime.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** However much changes or waits, the explainer writes and looks no more than it may. */
class ExplainerBudgetTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static SliceExplainer.Settings settings(Duration again, int gpus, int writes) {
        return new SliceExplainer.Settings(
                WaitingWorld.SETTINGS.driver(), WaitingWorld.SETTINGS.after(), again, gpus, writes);
    }

    @Test
    void slicesThatChangeEachSecondMakeNoStorm() {
        try (WaitingWorld world = new WaitingWorld(1, 1)) {
            world.create("a", "7g.40gb");
            world.pass(MINUTE);
            SliceExplainer explainer =
                    world.explainer("explainer", settings(Duration.ofSeconds(10), 80_000, 60), () -> true);
            for (int i = 0; i < 3; i++) {
                world.create("w" + i, "3g.20gb");
            }
            world.cluster.recording().start();
            List<ResourceSlice> slices =
                    world.client.resources(ResourceSlice.class).list().getItems();
            for (int second = 0; second < 60; second++) {
                for (int i = 0; i < slices.size(); i++) {
                    slices.get(i).getSpec().getPool().setGeneration(10L + second);
                    slices.set(i, world.client.resource(slices.get(i)).update());
                }
                world.cluster.advance(Duration.ofSeconds(1));
                explainer.tick();
                world.cluster.settle();
            }

            assertThat(world.writes())
                    .as("an event for each pod and claim, a note for each claim")
                    .hasSize(9);
            assertThat(explainer.fleetsRead())
                    .as("when a pod is looked at, not when a slice changes")
                    .isLessThanOrEqualTo(4);
        }
    }

    @Test
    void aMinuteHasItsBudget() {
        try (WaitingWorld world = new WaitingWorld(1, 1)) {
            world.create("a", "7g.40gb");
            world.pass(MINUTE);
            world.explainer("explainer", settings(Duration.ofMinutes(5), 80_000, 6), () -> true);
            for (int i = 0; i < 8; i++) {
                world.create("w" + i, "3g.20gb");
            }
            world.cluster.recording().start();
            world.pass(MINUTE);
            assertThat(world.writes())
                    .as("what was saved up, and half a minute more")
                    .hasSizeBetween(6, 12);
            world.pass(Duration.ofMinutes(3));
            assertThat(world.writes()).as("all of them in the end").hasSize(24);
        }
    }

    @Test
    void whatMayBeLookedAtHasItsBudget() {
        try (WaitingWorld world = new WaitingWorld(1, 2)) {
            world.create("a", "7g.40gb");
            world.create("b", "7g.40gb");
            world.pass(MINUTE);
            SliceExplainer explainer =
                    world.explainer("explainer", settings(Duration.ofMinutes(5), 4, 600), () -> true);
            for (int i = 0; i < 9; i++) {
                world.create("w" + i, "3g.20gb");
            }
            world.pass(MINUTE);

            assertThat(explainer.metrics().text())
                    .as("the fleet of two GPUs is read once, and looked at twice in the first half minute that counts")
                    .contains("sro_explainer_explanations_total{state=\"no-room\"} 2.0");
            assertThat(explainer.fleetsRead()).isEqualTo(1);
        }
    }
}
