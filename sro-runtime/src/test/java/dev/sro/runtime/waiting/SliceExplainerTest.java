package dev.sro.runtime.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.claim.ClaimObjects;
import dev.sro.core.claim.PodExplainer;
import dev.sro.core.dra.CertificateChecker;
import dev.sro.core.slicing.catalogue.Catalogue;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The explainer on a simulated cluster, whose scheduler gives devices away. */
class SliceExplainerTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Test
    void aPodAndItsClaimAreToldWithACertificateThatHolds() {
        try (WaitingWorld world = new WaitingWorld(1, 2)) {
            world.create("a", "7g.40gb");
            world.create("b", "4g.20gb");
            world.pass(MINUTE);
            world.explainer();
            Pod waits = world.create("train", "7g.40gb");
            world.pass(MINUTE);

            ResourceClaim claim = world.claimOf(waits);
            String said = "SlicesNoRoom: the GPUs are too full for 7g.40gb: no arrangement of what runs leaves room"
                    + " (proved); nearest is node n0; A100-40GB: with one more 7g.40gb, what runs there needs 3 GPUs";
            assertThat(world.events(waits)).singleElement().asString().startsWith(said);
            assertThat(world.events(claim)).isEqualTo(world.events(waits));

            WaitingNote note = WaitingNote.of(claim).orElseThrow();
            assertThat(note.pod()).isEqualTo("default/train");
            assertThat(note.state()).isEqualTo("no-room");
            assertThat(note.certificates())
                    .singleElement()
                    .satisfies(certificate -> assertThat(CertificateChecker.check(
                                    certificate, WaitingWorld.A100, List.of(List.of("7g.40gb"), List.of("4g.20gb"))))
                            .isEmpty());
        }
    }

    @Test
    void theWordsAreThoseOfTheCommandLine() {
        try (WaitingWorld world = new WaitingWorld(2, 1)) {
            world.create("a", "4g.20gb");
            world.create("b", "4g.20gb");
            world.pass(MINUTE);
            world.explainer();
            Pod waits = world.create("train", "4g.20gb");
            world.pass(MINUTE);

            ClaimObjects objects = new ClaimObjects(
                    world.client.resources(ResourceSlice.class).list().getItems(),
                    world.client
                            .resources(ResourceClaim.class)
                            .inAnyNamespace()
                            .list()
                            .getItems(),
                    List.of(),
                    world.client.resources(DeviceClass.class).list().getItems(),
                    List.of(),
                    world.client.nodes().list().getItems());
            List<String> lines = ExplanationText.lines(
                    PodExplainer.of(objects, Catalogue.builtin()).explain(world.pod(waits)));
            assertThat(world.events(waits))
                    .containsExactly("SlicesNoRoom: "
                            + String.join(
                                    "; ", lines.stream().map(String::strip).toList()));
        }
    }

    @Test
    void theCheapestMovesAreOnTheClaimWhereTheyHelp() {
        try (WaitingWorld world = new WaitingWorld(1, 2)) {
            world.explainer();
            List<Pod> small = new ArrayList<>();
            for (int i = 0; i < 14; i++) {
                small.add(world.create("s" + i, "1g.5gb"));
            }
            world.pass(MINUTE);
            // One slice stays in the left half of each GPU.
            List<String> kept = new ArrayList<>();
            for (Pod pod : small) {
                String device = world.claimOf(pod)
                        .getStatus()
                        .getAllocation()
                        .getDevices()
                        .getResults()
                        .get(0)
                        .getDevice();
                if (device.endsWith("-1g-5gb-0")) {
                    kept.add(device);
                } else {
                    world.delete(pod);
                }
            }
            assertThat(kept).hasSize(2);
            Pod waits = world.create("train", "7g.40gb");
            world.pass(MINUTE);

            assertThat(world.events(waits))
                    .singleElement()
                    .asString()
                    .startsWith(
                            "SlicesFragmented: there is no place for 7g.40gb in one piece; moving 1 slice makes room on"
                                    + " node n0; makes room with 1 move, cost 1")
                    .contains("; then it goes on n0/");
            assertThat(WaitingNote.on(world.claimOf(waits)).orElseThrow())
                    .contains("\"state\": \"fragmented\"", "\"plan\": {\"cost\": 1", "\"moves\": [{");
        }
    }

    @Test
    void theNoteGoesWhenTheClaimHasItsDevice() {
        try (WaitingWorld world = new WaitingWorld(1, 1)) {
            Pod first = world.create("a", "7g.40gb");
            world.pass(MINUTE);
            world.explainer();
            Pod waits = world.create("train", "7g.40gb");
            world.pass(MINUTE);
            assertThat(WaitingNote.on(world.claimOf(waits))).isPresent();

            world.delete(first);
            world.pass(MINUTE);

            assertThat(world.runs(waits)).isTrue();
            ResourceClaim claim = world.claimOf(waits);
            assertThat(WaitingNote.on(claim)).isEmpty();
            assertThat(claim.getMetadata().getManagedFields())
                    .noneMatch(entry -> entry.getManager().equals(ClaimNotes.MANAGER));
            assertThat(world.events(waits)).hasSize(1);
        }
    }

    @Test
    void theNoteGoesWithThePodThatItIsAbout() {
        try (WaitingWorld world = new WaitingWorld(1, 1)) {
            world.create("a", "7g.40gb");
            world.claim("shared", WaitingWorld.request("3g.20gb", 1));
            world.pass(MINUTE);
            world.explainer();
            Pod waits = world.createByClaim("train", "shared");
            world.pass(MINUTE);
            assertThat(WaitingNote.of(world.claimNamed("shared")))
                    .map(WaitingNote::uid)
                    .contains(waits.getMetadata().getUid());

            world.delete(waits);
            world.pass(MINUTE);

            assertThat(WaitingNote.on(world.claimNamed("shared"))).isEmpty();
        }
    }

    @Test
    void ofPodsThatShareAClaimTheClaimIsToldOnce() {
        try (WaitingWorld world = new WaitingWorld(1, 1)) {
            world.create("a", "7g.40gb");
            world.claim("shared", WaitingWorld.request("3g.20gb", 1));
            world.pass(MINUTE);
            world.explainer();
            Pod one = world.createByClaim("one", "shared");
            Pod two = world.createByClaim("two", "shared");
            world.pass(Duration.ofMinutes(12));

            assertThat(world.events(one)).hasSize(1);
            assertThat(world.events(two)).hasSize(1);
            assertThat(world.events(world.claimNamed("shared"))).hasSize(1);
            assertThat(WaitingNote.of(world.claimNamed("shared")))
                    .map(WaitingNote::uid)
                    .contains(one.getMetadata().getUid());

            world.delete(one);
            world.pass(Duration.ofMinutes(6));
            assertThat(WaitingNote.of(world.claimNamed("shared")))
                    .as("the next one's")
                    .map(WaitingNote::uid)
                    .contains(two.getMetadata().getUid());
        }
    }

    @Test
    void aPodThatWaitsForProcessorsIsToldNothing() {
        try (WaitingWorld world = new WaitingWorld(1, 1)) {
            SliceExplainer explainer = world.explainer();
            Pod waits = world.create(WaitingWorld.pod("big")
                    .editSpec()
                    .editFirstContainer()
                    .editResources()
                    .addToRequests("cpu", new Quantity("1000"))
                    .endResources()
                    .endContainer()
                    .addNewResourceClaim()
                    .withName("c")
                    .withResourceClaimTemplateName(WaitingWorld.templateName("1g.5gb"))
                    .endResourceClaim()
                    .endSpec());
            Pod other = world.create(WaitingWorld.pod("none")
                    .editSpec()
                    .editFirstContainer()
                    .editResources()
                    .addToRequests("cpu", new Quantity("1000"))
                    .endResources()
                    .endContainer()
                    .endSpec());
            world.pass(Duration.ofMinutes(2));

            assertThat(WaitingPods.since(world.pod(waits))).isPresent();
            assertThat(WaitingPods.since(world.pod(other))).isPresent();
            assertThat(world.writes()).isEmpty();
            assertThat(world.events(waits)).isEmpty();
            assertThat(world.events(other)).isEmpty();
            assertThat(WaitingNote.on(world.claimOf(waits))).isEmpty();
            assertThat(explainer.metrics().text())
                    .contains(
                            "sro_explainer_waiting_pods{state=\"has-room\"} 1.0",
                            "sro_explainer_explanations_total{state=\"has-room\"} 1.0");
        }
    }

    @Test
    void aPodIsToldOnceItHasWaitedForAWhile() {
        try (WaitingWorld world = new WaitingWorld(1, 1)) {
            world.create("a", "7g.40gb");
            world.pass(MINUTE);
            world.explainer();
            Pod waits = world.create("train", "7g.40gb");

            world.pass(Duration.ofSeconds(25));
            assertThat(world.events(waits)).isEmpty();
            world.pass(Duration.ofSeconds(15));
            assertThat(world.events(waits)).hasSize(1);
        }
    }

    @Test
    void anotherAnswerIsTold() {
        try (WaitingWorld world = new WaitingWorld(1, 1)) {
            world.create("a", "7g.40gb");
            world.pass(MINUTE);
            world.explainer();
            Pod waits = world.create("train", "7g.40gb");
            world.pass(MINUTE);
            world.simulation().nodes().cordon("n0");
            world.pass(Duration.ofMinutes(6));

            assertThat(world.events(waits)).hasSize(2);
            assertThat(world.events(waits).get(1)).startsWith("SlicesNoNode: ").contains("the node is cordoned");
            assertThat(WaitingNote.of(world.claimOf(waits)))
                    .map(WaitingNote::state)
                    .contains("no-node");
        }
    }
}
