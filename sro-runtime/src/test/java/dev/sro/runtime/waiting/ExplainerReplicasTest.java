package dev.sro.runtime.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Explainers that follow each other, or run side by side. */
class ExplainerReplicasTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Test
    void whoStartsAnewSaysNothingTwice() {
        try (WaitingWorld world = new WaitingWorld(1, 1)) {
            world.create("a", "7g.40gb");
            world.pass(MINUTE);
            SliceExplainer first = world.explainer();
            Pod waits = world.create("train", "7g.40gb");
            world.pass(MINUTE);
            world.kill(first);
            world.cluster.recording().start();

            world.explainer();
            world.pass(Duration.ofMinutes(12));

            assertThat(world.writes()).isEmpty();
            assertThat(world.events(waits)).hasSize(1);
            assertThat(WaitingNote.on(world.claimOf(waits))).isPresent();
        }
    }

    @Test
    void whoStartsAnewTakesAwayWhatIsNotTrueAnyMore() {
        try (WaitingWorld world = new WaitingWorld(1, 1)) {
            Pod runs = world.create("a", "7g.40gb");
            world.pass(MINUTE);
            SliceExplainer first = world.explainer();
            Pod waits = world.create("train", "7g.40gb");
            world.pass(MINUTE);
            world.kill(first);
            world.delete(runs);
            world.pass(MINUTE);
            assertThat(WaitingNote.on(world.claimOf(waits))).isPresent();

            world.explainer();
            world.pass(MINUTE);

            assertThat(WaitingNote.on(world.claimOf(waits))).isEmpty();
        }
    }

    @Test
    void ofTwoReplicasOneTells() {
        try (WaitingWorld world = new WaitingWorld(1, 1)) {
            world.create("a", "7g.40gb");
            world.pass(MINUTE);
            AtomicBoolean firstLeads = new AtomicBoolean(true);
            world.explainer("explainer-one", WaitingWorld.SETTINGS, firstLeads::get);
            world.explainer("explainer-two", WaitingWorld.SETTINGS, () -> !firstLeads.get());
            Pod waits = world.create("train", "7g.40gb");
            world.cluster.recording().start();
            world.pass(MINUTE);

            assertThat(world.writes())
                    .hasSize(3)
                    .allMatch(entry -> entry.userAgent().contains("explainer-one"));
            world.cluster.recording().start();
            firstLeads.set(false);
            Pod next = world.create("next", "3g.20gb");
            world.pass(Duration.ofMinutes(12));

            assertThat(world.writes())
                    .hasSize(3)
                    .allMatch(entry -> entry.userAgent().contains("explainer-two"));
            assertThat(world.events(waits)).hasSize(1);
            assertThat(world.events(next)).hasSize(1);
        }
    }
}
