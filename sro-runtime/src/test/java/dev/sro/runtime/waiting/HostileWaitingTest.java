package dev.sro.runtime.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceTaintBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Names and values that others wrote, and refusals of the server. */
class HostileWaitingTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static void taint(WaitingWorld world, String value) {
        for (ResourceSlice slice :
                world.client.resources(ResourceSlice.class).list().getItems()) {
            slice.getSpec()
                    .getDevices()
                    .forEach(device -> device.setTaints(List.of(new DeviceTaintBuilder()
                            .withKey("example.com/" + "k".repeat(63))
                            .withValue(value)
                            .withEffect("NoSchedule")
                            .build())));
            world.client.resource(slice).update();
        }
    }

    @Test
    void theLongestNamesAreTold() {
        try (WaitingWorld world = new WaitingWorld(1, 1)) {
            world.create("a", "7g.40gb");
            world.pass(MINUTE);
            world.explainer();
            String claim = "c".repeat(60) + ("." + "c".repeat(60)).repeat(3);
            world.claim(claim, WaitingWorld.request("3g.20gb", 1));
            Pod waits = world.createByClaim("p".repeat(60) + ("." + "p".repeat(60)).repeat(3), claim);
            world.pass(MINUTE);

            assertThat(world.events(waits)).hasSize(1);
            assertThat(world.events(world.claimNamed(claim))).hasSize(1);
            assertThat(WaitingNote.of(world.claimNamed(claim))).isPresent();
        }
    }

    @Test
    void longValuesAreCut() {
        try (WaitingWorld world = new WaitingWorld(1, 4)) {
            taint(world, "v".repeat(63));
            world.pass(MINUTE);
            world.explainer();
            Pod waits = world.create("train", "7g.40gb");
            world.pass(MINUTE);

            assertThat(world.events(waits)).singleElement().satisfies(event -> {
                assertThat(event).startsWith("SlicesTainted: ").endsWith("…");
                assertThat(event.substring("SlicesTainted: ".length()).getBytes(StandardCharsets.UTF_8))
                        .hasSizeLessThanOrEqualTo(1_024);
            });
        }
    }

    @Test
    void aNoteOfSomebodyElseIsWrittenOverAndNeverFoughtFor() {
        try (WaitingWorld world = new WaitingWorld(1, 1)) {
            world.claim("free", WaitingWorld.request("3g.20gb", 1));
            ResourceClaim foreign = world.client
                    .resource(new ResourceClaimBuilder(world.claimNamed("free"))
                            .editMetadata()
                            .addToAnnotations(WaitingNote.ANNOTATION, "{mine")
                            .endMetadata()
                            .build())
                    .update();
            world.explainer();
            world.cluster.recording().start();
            world.pass(Duration.ofMinutes(6));

            assertThat(world.writes())
                    .as("nobody waits for it, and it is not ours")
                    .isEmpty();
            assertThat(WaitingNote.on(world.claimNamed("free"))).contains("{mine");

            world.create("a", "7g.40gb");
            world.pass(Duration.ofSeconds(5));
            Pod waits = world.createByClaim("train", "free");
            world.pass(MINUTE);
            assertThat(WaitingNote.of(world.claimNamed("free")))
                    .map(WaitingNote::uid)
                    .contains(waits.getMetadata().getUid());
            assertThat(foreign.getMetadata().getUid())
                    .isEqualTo(world.claimNamed("free").getMetadata().getUid());
        }
    }

    @Test
    void aServerThatRefusesIsNotAskedAgainAtOnce() {
        try (WaitingWorld world = new WaitingWorld(1, 1)) {
            world.create("a", "7g.40gb");
            world.pass(MINUTE);
            SliceExplainer explainer = world.explainer();
            world.cluster
                    .faults()
                    .rule()
                    .writes()
                    .resources("events.events.k8s.io")
                    .forbidden();
            Pod waits = world.create("train", "7g.40gb");
            world.cluster.recording().start();
            world.pass(Duration.ofMinutes(4));

            assertThat(world.writes()).as("two events, a note").hasSize(3);
            assertThat(explainer.metrics().text())
                    .contains(
                            "sro_explainer_writes_total{result=\"refused\",what=\"event\"} 2.0",
                            "sro_explainer_writes_total{result=\"made\",what=\"note\"} 1.0");

            world.cluster.faults().clear();
            world.pass(Duration.ofMinutes(3));
            assertThat(world.events(waits)).hasSize(1);
        }
    }

    @Test
    void untilTheServerTellsWhatWasSaidNothingIsSaid() {
        try (WaitingWorld world = new WaitingWorld(1, 1)) {
            world.create("a", "7g.40gb");
            Pod waits = world.create("train", "7g.40gb");
            world.pass(MINUTE);
            world.cluster
                    .faults()
                    .rule()
                    .verbs("list")
                    .resources("events.events.k8s.io")
                    .unavailable();
            world.cluster.recording().start();
            world.explainer();
            world.pass(MINUTE);
            assertThat(world.writes()).isEmpty();

            world.cluster.faults().clear();
            world.pass(Duration.ofSeconds(10));
            assertThat(world.events(waits)).hasSize(1);
        }
    }

    @Test
    void aNoteIsNeverWrittenOntoAnotherClaimOfTheName() {
        try (WaitingWorld world = new WaitingWorld(1, 1)) {
            ResourceClaim gone = world.claim("c", WaitingWorld.request("3g.20gb", 1));
            world.client.resource(gone).delete();
            ClaimNotes notes = new ClaimNotes(world.client);
            assertThat(notes.write(gone, Optional.of("{}"))).isFalse();
            assertThat(world.client.resource(gone).get()).isNull();

            world.claim("c", WaitingWorld.request("3g.20gb", 1));
            assertThat(notes.write(gone, Optional.of("{}"))).isFalse();
            assertThat(WaitingNote.on(world.claimNamed("c"))).isEmpty();
        }
    }
}
